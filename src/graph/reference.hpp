/// The rows of an edge list, made in the plainest way: what every construction is verified against.
#pragma once

#include <span>
#include <vector>

#include <kinjo/graph.hpp>

namespace kinjo::graph::detail {

/// Rows by the caller's numbers, each in rising order, without loops and repetitions.
struct ReferenceRows {
  std::vector<EdgeCount> begins;  ///< n + 1
  std::vector<Vertex> neighbours;

  std::span<const Vertex> row(std::size_t v) const {
    return std::span(neighbours).subspan(begins[v], begins[v + 1] - begins[v]);
  }
};

/// Serial. Every edge must have its ends below `edges.vertices()`.
ReferenceRows reference_rows(const EdgeList& edges, Sense sense);

/// Ends of edges at each vertex, with repetitions, a loop twice.
std::vector<std::uint32_t> reference_degrees(const EdgeList& edges);

}  // namespace kinjo::graph::detail
