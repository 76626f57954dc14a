/// Makes an order of vertices cheaper where it stands: of k vertices that follow each other, the
/// cheapest of all k! orders is found and taken, for one window after another, until nothing
/// changes.
///
/// What a sweep costs from a set of finished vertices on does not depend on their order
/// (sweep.hpp), so that 2^k sets are enough: cheapest(S ∪ {v}) = min over v of cheapest(S) +
/// step(S, v).
///
/// Source: H. L. Bodlaender, F. V. Fomin, A. M. C. A. Koster, D. Kratsch, D. M. Thilikos, A Note on
/// Exact Algorithms for Vertex Ordering Problems on Graphs, Theory of Computing Systems 50, 2012.
#pragma once

#include <vector>

#include "paths/order/sweep.hpp"

namespace kinjo::paths::detail {

/// Improves `order`, all of a graph's vertices, in windows of at most `size` vertices.
void improve_by_windows(const Neighbours& neighbours, std::vector<Vertex>& order, std::size_t size);

}  // namespace kinjo::paths::detail
