/// Vertices in an order in which the branches of a tree are finished one after another.
#pragma once

#include <vector>

#include "paths/order/neighbours.hpp"

namespace kinjo::paths::detail {

/// A depth-first search from `first`, and then from the least vertex that was not met, says what
/// hangs below what: every edge joins a vertex to one above it. Vertices are finished from below,
/// and of what hangs below one that first which needs the largest frontier beyond what it leaves
/// there (R. Sethi, J. D. Ullman, The generation of optimal code for arithmetic expressions,
/// Journal of the ACM 17, 1970). A tree of n vertices so has a frontier of no more than log₂ n + 1,
/// to which an edge besides adds about one. Best for edges by the ends that come first. Takes a
/// step for each edge, and sorts.
std::vector<Vertex> depth_order(const Neighbours& neighbours, Vertex first);

}  // namespace kinjo::paths::detail
