/// Who is next to whom: a network's vertices that have edges, numbered anew from 0 in the order of
/// their numbers, and their neighbours, each once, in the order of the edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <kinjo/network.hpp>

namespace kinjo::paths::detail {

class Neighbours {
 public:
  explicit Neighbours(const Network& network);

  /// Vertices that have edges.
  std::size_t size() const { return begins_.size() - 1; }
  std::size_t entries() const { return targets_.size(); }
  std::span<const Vertex> of(Vertex v) const {
    return {targets_.data() + begins_[v], targets_.data() + begins_[v + 1]};
  }
  std::uint32_t degree(Vertex v) const { return begins_[v + 1] - begins_[v]; }
  /// Whether each is next to all others, so that no order of vertices is other than another.
  bool are_complete() const { return size() * (size() - 1) == entries(); }
  /// The network's edges by the new numbers.
  const std::vector<Edge>& edges() const { return edges_; }
  /// The most neighbours that all vertices of some part of the graph have in it. When the first
  /// vertex of that part has all its edges there decided, so many are begun, and all but this one
  /// and the last edge's other end have some left: no order has fewer in its largest frontier but
  /// for one.
  std::uint32_t core() const;
  /// The new number of a vertex; of one without edges, that of the next one that has any, or 0.
  Vertex nearest(Vertex network_vertex) const;

 private:
  std::vector<Vertex> called_;  ///< the network's numbers, rising
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> begins_;
  std::vector<Vertex> targets_;
};

}  // namespace kinjo::paths::detail
