/// Teams and lists for tests of graphs.
#pragma once

#include <algorithm>
#include <vector>

#include <kinjo/graph.hpp>
#include <kinjo/topology.hpp>

namespace kinjo::test {

inline Mapping graph_mapping(std::size_t threads) {
  return Mapping(Topology::this_machine(), Policy::scatter(), threads, Oversubscribe::wrap);
}

inline graph::EdgeList list_of(std::uint64_t vertices, const std::vector<graph::Edge>& edges) {
  graph::EdgeList list(vertices, edges.size());
  std::ranges::copy(edges, list.all().begin());
  return list;
}

inline graph::WideEdgeList wide_list_of(std::uint64_t vertices,
                                        const std::vector<graph::WideEdge>& edges) {
  graph::WideEdgeList list(vertices, edges.size());
  std::ranges::copy(edges, list.all().begin());
  return list;
}

}  // namespace kinjo::test
