#include "paths/memory_bound.hpp"

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::paths::detail {

void check_vertices(Vertex vertices, std::uint64_t limit) {
  // Fewer fit wherever a count does, and what is available takes time to learn.
  constexpr Vertex kMany = 1 << 22;
  constexpr std::uint64_t kVertexBytes = 32;
  if (limit == 0 && vertices < kMany) return;
  const std::uint64_t bytes = vertices * kVertexBytes;
  if (limit == 0) limit = available_memory_bytes();
  if (bytes <= limit) return;
  throw Error(
      Errc::out_of_memory,
      fmt::format("the graph has {} vertices, which take about {}: {} may be taken", vertices,
                  kinjo::detail::format_bytes(bytes), kinjo::detail::format_bytes(limit)));
}

}  // namespace kinjo::paths::detail
