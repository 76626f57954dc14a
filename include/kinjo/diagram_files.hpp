/// Diagrams in files: a form of kinjo's own that is mapped, and the text forms of others.
/// docs/diagrams.md says what each looks like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <kinjo/diagram.hpp>
#include <kinjo/graph_files.hpp>

namespace kinjo::paths {

using graph::Trust;

enum class DiagramFormat {
  automatic,    ///< writing: by the name's ending; reading: by the content
  kinjo,        ///< the diagram's own arrays: .kzdd
  graphillion,  ///< what Graphillion's `setset.dump` writes and `load` reads: .setset
  sapporo,      ///< what SAPPORO's `Export` writes and `ZBDD_Import` reads: .zbdd
  dot,          ///< a picture for Graphviz, written only: .dot .gv
};
const char* to_string(DiagramFormat format) noexcept;

/// What a name's ending stands for. Throws `Error` (`invalid_argument`) that lists what it may be.
DiagramFormat diagram_format_of(const std::string& path);

/// How a file is read.
struct ReadDiagramOptions {
  DiagramFormat format = DiagramFormat::automatic;
  /// Of a text form, which does not say how many there are: 0 takes the least that will do. The
  /// first of Graphillion's elements is item 0, the lowest of SAPPORO's levels the last item.
  std::size_t items = 0;
  /// Of a `.kzdd`: how far it is trusted.
  Trust trust = Trust::nothing;
};

/// Reads a diagram; a `.kzdd` is mapped, and the diagram keeps the mapping. Throws `Error` (`cannot
/// read 'PATH': …`), `bad_input` with the line or the byte.
Diagram read_diagram(const std::string& path, const ReadDiagramOptions& options = {});

/// How a file is written.
struct WriteDiagramOptions {
  DiagramFormat format = DiagramFormat::automatic;
  /// More nodes than this are refused as a picture.
  std::uint64_t most_dot_nodes = 2000;
};

/// Writes a diagram, under a temporary name that is renamed when all of it is on the disk. Only
/// `.kzdd` and pictures have names of items. Takes no memory besides the diagram that grows with
/// it, but for a picture's text. Throws `Error` (`cannot write 'PATH': …`).
void write_diagram(const Diagram& diagram, const std::string& path,
                   const WriteDiagramOptions& options = {});

}  // namespace kinjo::paths
