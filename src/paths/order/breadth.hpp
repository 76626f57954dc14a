/// Vertices as a breadth-first search meets them.
#pragma once

#include <vector>

#include "paths/order/neighbours.hpp"

namespace kinjo::paths::detail {

/// From `first` on, neighbours in the order of the edges; then from the least vertex that was not
/// met, and so on.
std::vector<Vertex> breadth_order(const Neighbours& neighbours, Vertex first);

/// The same from a vertex that is far from others: the last one that a search meets, from there
/// again, until searches get no deeper (George and Liu's pseudo-peripheral vertex), and with
/// neighbours in rising order of their degrees, as Cuthill and McKee visit them.
std::vector<Vertex> peripheral_order(const Neighbours& neighbours);

}  // namespace kinjo::paths::detail
