/// Wide lists that are narrow ones with other names.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include <kinjo/graph.hpp>

#include "graph/random.hpp"

namespace kinjo::graph::test {

/// What vertices of a narrow list are called in a wide one; no two alike.
using Name = std::function<VertexId(Vertex)>;

/// Anywhere below 2⁴⁸: an odd factor is a permutation of these.
inline VertexId hashed(Vertex v) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 48) - 1;
  std::uint64_t x = (v + 1) * 0x9e3779b97f4au & kMask;
  x ^= x >> 24;
  return x * 0x5851f42d4c95u & kMask;
}

inline WideEdgeList renamed(const EdgeList& edges, const Name& name,
                            std::uint64_t universe = std::uint64_t{1} << 48) {
  WideEdgeList list(universe, edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    list.all()[i] = {name(edges.all()[i].from), name(edges.all()[i].to)};
  }
  return list;
}

}  // namespace kinjo::graph::test
