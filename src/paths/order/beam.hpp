/// A beam search for an order of vertices that keeps frontiers small.
///
/// From each of the `width` cheapest sweeps that have finished k vertices, go on with each vertex
/// of the frontier (with every vertex where there is no frontier: at the beginning, and where a
/// component ends); of the sweeps that have finished the same set keep the cheapest.
///
/// Source: Y. Inoue, S. Minato, Acceleration of ZDD Construction for Subgraph Enumeration via
/// Path-width Optimization, TCS-TR-A-16-80, Hokkaido University, 2016, where beam search orders
/// vertices for the same purpose.
#pragma once

#include <vector>

#include "paths/order/sweep.hpp"

namespace kinjo::paths::detail {

/// All vertices of a graph in the order in which they are finished.
std::vector<Vertex> beam_order(const Neighbours& neighbours, std::size_t width);

}  // namespace kinjo::paths::detail
