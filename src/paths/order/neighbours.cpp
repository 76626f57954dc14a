#include "paths/order/neighbours.hpp"

#include <algorithm>
#include <utility>

namespace kinjo::paths::detail {

namespace {

std::vector<Vertex> vertices_with_edges(const std::vector<Edge>& edges) {
  std::vector<Vertex> vertices;
  vertices.reserve(2 * edges.size());
  for (const Edge& e : edges) vertices.insert(vertices.end(), {e.from, e.to});
  std::ranges::sort(vertices);
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

}  // namespace

Neighbours::Neighbours(const Network& network) : called_(vertices_with_edges(network.edges)) {
  const std::size_t n = called_.size();
  edges_.reserve(network.edges.size());
  for (const Edge& e : network.edges) edges_.push_back({nearest(e.from), nearest(e.to)});
  std::vector<std::vector<Vertex>> rows(n);
  for (const Edge& e : edges_) {
    rows[e.from].push_back(e.to);
    rows[e.to].push_back(e.from);
  }
  std::vector<Vertex> last_row(n, graph::kNoVertex);
  begins_.push_back(0);
  for (Vertex v = 0; v < n; ++v) {
    for (const Vertex u : rows[v]) {
      if (std::exchange(last_row[u], v) != v) targets_.push_back(u);
    }
    begins_.push_back(static_cast<std::uint32_t>(targets_.size()));
  }
}

std::uint32_t Neighbours::core() const {
  // Vertices leave by falling numbers of neighbours that are still there, of which those with as
  // few lie in one row.
  std::vector<std::uint32_t> degrees(size());
  std::vector<std::vector<Vertex>> rows(size());
  for (Vertex v = 0; v < size(); ++v) {
    degrees[v] = degree(v);
    rows[degrees[v]].push_back(v);
  }
  std::vector<bool> has_left(size());
  std::uint32_t core = 0;
  for (std::uint32_t least = 0; least < rows.size();) {
    if (rows[least].empty()) {
      ++least;
      continue;
    }
    const Vertex v = rows[least].back();
    rows[least].pop_back();
    if (has_left[v] || degrees[v] != least) continue;  // it was moved to another row
    core = std::max(core, least);
    has_left[v] = true;
    for (const Vertex u : of(v)) {
      if (!has_left[u]) rows[--degrees[u]].push_back(u);
    }
    if (least > 0) --least;
  }
  return core;
}

Vertex Neighbours::nearest(Vertex network_vertex) const {
  const auto at = std::ranges::lower_bound(called_, network_vertex);
  return at == called_.end() ? 0 : static_cast<Vertex>(at - called_.begin());
}

}  // namespace kinjo::paths::detail
