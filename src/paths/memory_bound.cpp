#include "paths/memory_bound.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::paths::detail {

void check_graph(const Network& network, std::uint64_t limit) {
  check_graph(network.vertices, network.edges.size(), limit);
}

void check_graph(std::uint64_t vertices, std::uint64_t edges, std::uint64_t limit) {
  constexpr std::uint64_t kMostEdges = (std::uint64_t{1} << 31) - 1;
  if (edges > kMostEdges) {
    throw Error(Errc::not_supported,
                fmt::format("the graph has {} edges: expected at most {}", edges, kMostEdges));
  }
  // Of any vertex, of one that has edges besides, and of an edge: the graph and what orders of its
  // edges take.
  constexpr std::uint64_t kAnyVertex = 32, kVertex = 220, kEdge = 50;
  // Less fits wherever a count does, and what is available takes time to learn.
  constexpr std::uint64_t kMuch = 128 << 20;
  const std::uint64_t bytes =
      vertices * kAnyVertex + std::min(vertices, edges) * kVertex + edges * kEdge;
  if (limit == 0 && bytes < kMuch) return;
  if (limit == 0) limit = available_memory_bytes();
  if (bytes <= limit) return;
  throw Error(
      Errc::out_of_memory,
      fmt::format("the graph has {} vertices and {} edge{}, which take about {}: {} may be taken",
                  vertices, edges, edges == 1 ? "" : "s", kinjo::detail::format_bytes(bytes),
                  kinjo::detail::format_bytes(limit)));
}

}  // namespace kinjo::paths::detail
