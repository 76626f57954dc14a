/// Matrix Market's coordinate format (Boisvert, Pozo, Remington, NISTIR 5935).
///
///     %%MatrixMarket matrix coordinate FIELD SYMMETRY
///     % comments
///     ROWS COLUMNS ENTRIES
///     I J [VALUE]                        from 1 on; symmetric: the lower triangle alone
#pragma once

#include <kinjo/graph_files.hpp>

namespace kinjo::graph::detail {

/// An edge for each entry, whatever its value. Throws `Error` (`cannot read 'NAME': line N: …`), a
/// `TooWide` where 32 bits are too few.
template <class Number>
BasicListedEdges<BasicEdgeList<Number>> parse_matrix_market(Team& team, std::string_view text,
                                                            const std::string& name);

}  // namespace kinjo::graph::detail
