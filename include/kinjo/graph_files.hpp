/// Graphs in files: lists of edges in the formats of others, and a format of kinjo's own that holds
/// a built graph and is mapped. docs/graphs.md says what each looks like.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <kinjo/graph.hpp>

namespace kinjo::graph {

enum class FileFormat {
  automatic,      ///< by the name's ending
  text,           ///< a line for each edge: .el .wel .txt .tsv .csv .edges
  binary32,       ///< pairs of 32-bit numbers: .b32
  binary64,       ///< pairs of 64-bit numbers: .b64
  matrix_market,  ///< a sparse matrix, whose entries are edges: .mtx
  metis,          ///< a line of neighbours for each vertex: .graph .metis
  gap,            ///< rows as GAP's benchmarks keep them: .sg
  kinjo,          ///< a built graph: .kgraph
};
const char* to_string(FileFormat format) noexcept;

/// What a name's ending stands for. Throws `Error` (`invalid_argument`) that lists what it may be.
FileFormat format_of(const std::string& path);

/// How a file is read.
struct ReadOptions {
  FileFormat format = FileFormat::automatic;
  /// Vertices of a text or binary list, which does not say; 0: one more than the greatest number.
  std::uint64_t vertices = 0;
  /// Of the list that a graph is built of, and of `read_any_edges`. Numbers from 2³² − 1
  /// on are in text, 64-bit pairs and Matrix Market.
  Width width = Width::automatic;
};

/// A list of edges, and what the file says of their sense: Matrix Market's `symmetric`, METIS and
/// undirected `.sg` (each edge is listed once then), or its `general` and directed `.sg`; lists do
/// not say.
template <class List>
struct BasicListedEdges {
  List edges;
  std::optional<Sense> sense;
};
using ListedEdges = BasicListedEdges<EdgeList>;
using AnyListedEdges = BasicListedEdges<AnyEdgeList>;

/// Reads a list of edges (all but `FileFormat::kinjo`); a team's threads parse text and binary
/// lists together. Throws `Error` (`cannot read 'PATH': …`): `bad_input` with the line or the byte,
/// `not_found`, `not_permitted`, `out_of_memory`.
ListedEdges read_edges(Team& team, const std::string& path, const ReadOptions& options = {});
/// The same of the width that is asked for; where that is to be seen, with a second look at a file
/// that proves to be wide.
AnyListedEdges read_any_edges(Team& team, const std::string& path, const ReadOptions& options = {});

/// Reads any format and builds what is not built yet: with `build.sense` where the file does not
/// say. A built graph is taken as it is. Throws as `read_edges`, `open_graph` and `Graph::build`,
/// and for a built graph that is not of the width asked for (`invalid_argument`).
Graph read_graph(Team& team, const std::string& path, const BuildOptions& build = {},
                 const ReadOptions& options = {});

/// Writes a list as text or pairs of numbers. Like all that writes here: under a temporary name,
/// renamed when all of it is on the disk. Throws `Error` (`cannot write 'PATH': …`).
void write_edges(const EdgeList& edges, const std::string& path,
                 FileFormat format = FileFormat::automatic);
void write_edges(const WideEdgeList& edges, const std::string& path,
                 FileFormat format = FileFormat::automatic);

/// Writes a graph as GAP's `.sg`: rows by the caller's numbers, in rising order. Throws `Error`,
/// also for more than 2³¹ − 1 vertices, for ids, and for a directed graph, of which GAP wants both
/// senses.
void write_gap(const Graph& graph, const std::string& path);

/// Writes a graph as it is, to be mapped by `open_graph`.
void write_graph(const Graph& graph, const std::string& path);

/// How far a file is trusted.
enum class Trust {
  nothing,  ///< its check sum and every index are checked: all of it is read
  content,  ///< only sizes and offsets are: nothing is read before it is needed
};

/// Maps a file of `write_graph`. The graph keeps the mapping; its parts are on no node. Throws
/// `Error` (`cannot read 'PATH': …`), `bad_input` with the byte.
Graph open_graph(const std::string& path, Trust trust = Trust::nothing);

}  // namespace kinjo::graph
