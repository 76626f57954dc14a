/// Small graphs, and how far apart their vertices are by a search as plain as can be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <kinjo/graph.hpp>

#include "graph/graph_team.hpp"

namespace kinjo::graph::test {

using kinjo::test::list_of;

/// As many edges as asked for, loops and repetitions among them; ends tend to low numbers by the
/// power, 1 being evenly spread.
inline EdgeList random_list(std::uint32_t seed, std::uint64_t vertices, std::size_t edges,
                            unsigned power = 1) {
  std::mt19937 random(seed);
  const auto end = [&] {
    std::uint64_t v = random() % vertices;
    for (unsigned i = 1; i < power; ++i) v = v * (random() % vertices) / vertices;
    return static_cast<Vertex>(v);
  };
  std::vector<Edge> list(edges);
  for (Edge& edge : list) edge = {end(), end()};
  return list_of(vertices, list);
}

inline EdgeList path(std::uint64_t vertices) {
  std::vector<Edge> edges;
  for (Vertex v = 1; v < vertices; ++v) edges.push_back({v - 1, v});
  return list_of(vertices, edges);
}

inline EdgeList star(std::uint64_t vertices, Vertex middle) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v < vertices; ++v) edges.push_back({middle, v});
  return list_of(vertices, edges);
}

/// Depths of all vertices from the root, −1 where unreached: levels of a list of lists.
inline std::vector<std::int32_t> plain_depths(const EdgeList& edges, std::uint64_t root,
                                              Sense sense = Sense::symmetric) {
  std::vector<std::vector<Vertex>> neighbours(edges.vertices());
  for (const Edge& edge : edges.all()) {
    neighbours[edge.from].push_back(edge.to);
    if (sense == Sense::symmetric) neighbours[edge.to].push_back(edge.from);
  }
  std::vector<std::int32_t> depths(edges.vertices(), -1);
  depths[root] = 0;
  std::vector<Vertex> level{static_cast<Vertex>(root)};
  for (std::int32_t depth = 1; !level.empty(); ++depth) {
    std::vector<Vertex> next;
    for (const Vertex v : level) {
      for (const Vertex u : neighbours[v]) {
        if (depths[u] >= 0) continue;
        depths[u] = depth;
        next.push_back(u);
      }
    }
    level = std::move(next);
  }
  return depths;
}

}  // namespace kinjo::graph::test
