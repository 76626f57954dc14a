/// Vertices in an order in which those that have entered the frontier soon leave it.
#pragma once

#include <vector>

#include "paths/order/neighbours.hpp"

namespace kinjo::paths::detail {

/// From `first` on: next comes a neighbour of the vertex that misses the fewest of its neighbours,
/// and of these the one that misses the fewest itself; then from the least vertex that was not met,
/// and so on. Best for edges by the ends that come last. Takes a step for each pair of neighbours
/// of a vertex: none where these are too many.
std::vector<Vertex> closing_order(const Neighbours& neighbours, Vertex first);

}  // namespace kinjo::paths::detail
