/// Pairs of little-endian numbers, and GAP's `.sg`.
///
///     .sg    byte 0: 1 if directed     bytes 1 to 8: neighbours in all rows     bytes 9 to 16:
///     vertices
///            begins of rows, vertices + 1 times 64 bits
///            neighbours, 32 bits each
///            the same again of the edges that end in a vertex, if directed
#pragma once

#include <kinjo/graph_files.hpp>

namespace kinjo::graph::detail {

/// An edge for each pair of numbers of so many bits, 32 or 64. `vertices`: 0 for one more than the
/// greatest. Throws `Error` (`cannot read 'NAME': byte N: …`), a `TooWide` where a list of 32 bits
/// cannot have the number.
template <class Number>
BasicEdgeList<Number> parse_pairs(Team& team, std::string_view bytes, const std::string& name,
                                  int bits, std::uint64_t vertices);

/// An edge for each neighbour, or in an undirected graph for each pair of them.
ListedEdges parse_gap(std::string_view bytes, const std::string& name);

}  // namespace kinjo::graph::detail
