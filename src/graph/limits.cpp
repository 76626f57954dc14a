#include "graph/limits.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace kinjo::graph::detail {

template <class Number>
void check_vertices(std::uint64_t vertices) {
  constexpr std::uint64_t kMost = kMostNumbers<Number>;
  if (vertices <= kMost) return;
  throw Error(Errc::invalid_argument,
              fmt::format("{} vertices: expected at most {}, since they are {}", vertices, kMost,
                          kWhyNoMore<Number>));
}
template void check_vertices<Vertex>(std::uint64_t);
template void check_vertices<VertexId>(std::uint64_t);

void check_vertices_with_edges(std::uint64_t vertices) {
  if (vertices <= kMostVertices) return;
  throw Error(
      Errc::invalid_argument,
      fmt::format("{} vertices with edges: expected at most {}, since these are numbered in "
                  "32 bits inside, whatever ids they have",
                  vertices, kMostVertices));
}

void check_memory(const std::string& what, std::uint64_t bytes) {
  constexpr std::uint64_t kSmall = std::uint64_t{16} << 20;  // asking takes longer than building
  if (bytes < kSmall) return;
  const std::uint64_t available = available_memory_bytes();
  if (available == 0 || bytes <= available) return;
  throw Error(Errc::out_of_memory,
              fmt::format("{} takes {}: {} are available", what, kinjo::detail::format_bytes(bytes),
                          kinjo::detail::format_bytes(available)));
}

}  // namespace kinjo::graph::detail
