/// What a graph is called on a command line: a file, or a rule with its sizes.
///
///     kronecker:SCALE[,EDGEFACTOR]      uniform:SCALE[,EDGEFACTOR]
///     grid:ROWSxCOLUMNS[,scrambled]     road:ROWSxCOLUMNS[,scrambled]
///
/// Everything else is a path; a path of such a beginning is written `./grid:…`.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include <kinjo/graph.hpp>
#include <kinjo/graph_generators.hpp>

namespace kinjo::graph::detail {

/// A file that has a graph.
struct SourceFile {
  std::string path;
};

using Source = std::variant<SourceFile, Kronecker, Uniform, Grid, Road>;

/// Reads that. Throws `Error` (`invalid_argument`) that says what is accepted.
Source parse_source(const std::string& text);

/// The same the other way round, with what is not the default.
std::string to_string(const Source& source);

/// Vertices and edges of a rule's list; nothing for a file.
struct ListSize {
  std::uint64_t vertices = 0;
  EdgeCount edges = 0;
};
std::optional<ListSize> list_size(const Source& source);

/// The list of a rule; not of a file. Throws as `generate`.
AnyEdgeList generate_source(Team& team, const Source& source, const Seeds& seeds, Width width);

}  // namespace kinjo::graph::detail
