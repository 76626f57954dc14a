#include "paths/reach.hpp"

#include <numeric>

namespace kinjo::paths::detail {

namespace {

/// Sets of vertices that edges have joined, each known by one of its own.
class Joined {
 public:
  explicit Joined(Vertex vertices) : above_(vertices) {
    std::iota(above_.begin(), above_.end(), Vertex{0});
  }
  Vertex set_of(Vertex v) {
    while (above_[v] != v) v = above_[v] = above_[above_[v]];
    return v;
  }
  void join(Vertex a, Vertex b) { above_[set_of(a)] = set_of(b); }

 private:
  std::vector<Vertex> above_;
};

}  // namespace

std::vector<bool> reached_from(const Network& network, Vertex from,
                               const std::vector<bool>& avoided) {
  Joined joined(network.vertices);
  for (const Edge& edge : network.edges) {
    if (!avoided[edge.from] && !avoided[edge.to]) joined.join(edge.from, edge.to);
  }
  std::vector<bool> reached(network.vertices);
  for (Vertex v = 0; v < network.vertices; ++v) {
    reached[v] = joined.set_of(v) == joined.set_of(from);
  }
  return reached;
}

}  // namespace kinjo::paths::detail
