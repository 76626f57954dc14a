#include "comm/copying.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <kinjo/cache_sizes.hpp>
#include <kinjo/simd.hpp>

#include "comm/ring.hpp"
#include "simd/memory_kernels.hpp"

namespace kinjo::comm::detail {
namespace {

constexpr std::size_t kShortestStream = std::size_t{1} << 20;

/// The least that the C library copies by string moves, as far as was seen.
constexpr std::size_t kShortestStringMove = 2048;
/// The most for which vectors of 32 bytes are ahead of them (docs/performance_cells.md).
constexpr std::size_t kLongestByVectors = std::size_t{256} << 10;

bool copies_by_vectors(void* to, const void* from, std::size_t bytes) {
  if (bytes < kShortestStringMove) return false;
  if (kinjo::detail::moves_strings_slowly(from, to)) return true;
  return bytes <= kLongestByVectors && simd_level() == SimdLevel::avx2;
}

std::size_t within_line(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % kLine;
}

}  // namespace

void copy_row(void* to, const void* from, std::size_t bytes) {
  if (copies_by_vectors(to, from, bytes)) {
    kinjo::detail::memory_copy_bytes(from, to, bytes);
  } else if (bytes != 0) {
    std::memcpy(to, from, bytes);
  }
}

bool streams(const void* to, const void* from, std::size_t bytes, std::size_t stream_from) {
  return bytes >= stream_from && within_line(to) == within_line(from);
}

void stream_to_all(std::span<void* const> to, const void* from, std::size_t bytes) {
  const std::size_t head = std::min((kLine - within_line(from)) % kLine, bytes);
  std::vector<void*> lines;
  for (void* const block : to) {
    std::memcpy(block, from, head);
    lines.push_back(static_cast<std::byte*>(block) + head);
  }
  if (bytes == head) return;
  kinjo::detail::memory_copy_to_all(static_cast<const std::byte*>(from) + head, lines,
                                    bytes - head);
}

void copy_block(void* to, const void* from, std::size_t bytes, std::size_t stream_from) {
  if (!streams(to, from, bytes, stream_from)) return copy_row(to, from, bytes);
  const std::size_t head = (kLine - within_line(to)) % kLine;
  std::memcpy(to, from, head);
  kinjo::detail::memory_copy(static_cast<const std::byte*>(from) + head,
                             static_cast<std::byte*>(to) + head, bytes - head,
                             kinjo::detail::Store::streaming);
}

std::size_t streaming_size(int cells, Cpu cpu) {
  if (cpu == Cpu::shared) return kShortestStream;
  const std::size_t share = cache_sizes().l3 / (2 * static_cast<std::size_t>(cells));
  return std::max(kShortestStream, share);
}

}  // namespace kinjo::comm::detail
