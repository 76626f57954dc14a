/// METIS's graph files (manual of METIS 5.1, section 4.1).
///
///     % comment
///     VERTICES EDGES [FMT [NCON]]     FMT: three digits, vertex sizes, vertex weights, edge
///     weights [SIZE] [WEIGHT …] NEIGHBOUR [WEIGHT] NEIGHBOUR [WEIGHT] …          one line a
///     vertex, from 1
///
/// An empty line is a vertex without neighbours.
#pragma once

#include <kinjo/graph_files.hpp>

namespace kinjo::graph::detail {

/// Each edge once, from its lesser end. Serial. Throws `Error` (`cannot read 'NAME': line N: …`).
ListedEdges parse_metis(std::string_view text, const std::string& name);

}  // namespace kinjo::graph::detail
