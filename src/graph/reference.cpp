#include "graph/reference.hpp"

#include <algorithm>

namespace kinjo::graph::detail {

ReferenceRows reference_rows(const EdgeList& edges, Sense sense) {
  const std::size_t n = edges.vertices();
  std::vector<std::vector<Vertex>> rows(n);
  for (const Edge& e : edges.all()) {
    if (e.from == e.to) continue;
    rows[e.from].push_back(e.to);
    if (sense == Sense::symmetric) rows[e.to].push_back(e.from);
  }
  ReferenceRows plain{{0}, {}};
  for (std::vector<Vertex>& row : rows) {
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    plain.neighbours.insert(plain.neighbours.end(), row.begin(), row.end());
    plain.begins.push_back(plain.neighbours.size());
  }
  return plain;
}

std::vector<std::uint32_t> reference_degrees(const EdgeList& edges) {
  std::vector<std::uint32_t> degrees(edges.vertices());
  for (const Edge& e : edges.all()) {
    ++degrees[e.from];
    ++degrees[e.to];
  }
  return degrees;
}

}  // namespace kinjo::graph::detail
