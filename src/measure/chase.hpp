/// Pointer chase: loads of which each needs the result of the one before, so that its time is the
/// latency of a load and nothing can be fetched ahead.
///
/// Every so many bytes, a line's first word holds the address of the line that comes next, and all
/// of them together are one cycle (Sattolo's shuffle makes one of any number of lines with equal
/// chance).
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinjo {

/// In which order a chase visits the lines.
enum class ChaseOrder {
  random,   ///< over the whole range: once it exceeds what the TLB reaches, nearly every load also
            ///< misses the TLB, as a program's that jumps about in all of its data
  blocked,  ///< over one block after another, blocks in random order and lines in random order
            ///< within each. A block of 32 pages of 4 KiB fits in every first-level TLB and is too
            ///< large for a prefetcher to guess, so that a page's translation is missed once for
            ///< all of its lines: what remains is the latency of the cache or the memory. What
            ///< latencies are measured with, unless the TLB is to be seen
};

struct ChaseShape {
  ChaseOrder order = ChaseOrder::blocked;
  std::uint64_t seed = 1;  ///< the same seed makes the same cycle
  /// From one line that is visited to the next in memory; a multiple of a pointer's size. Two
  /// lines, since many cores fetch a line's neighbour with it: a chase that came back for the
  /// neighbour would find it near, and half of its loads would be fast ones.
  std::size_t stride_bytes = 128;
  std::size_t block_bytes = 32 * 4096UL;  ///< of `blocked`; a multiple of the stride
};

/// Writes a cycle through `memory`, which must be aligned to a stride and hold at least one.
/// Returns how many lines it has: a chase of so many steps sees each of them once and ends where it
/// began. Takes no other memory. A cache has room for `stride_bytes` / its line as many bytes of a
/// chase as it is large.
std::size_t link_chase(void* memory, std::size_t bytes, const ChaseShape& shape = {});

/// Follows `steps` links from `at`, which is any line of a cycle, and returns the line reached. The
/// caller must use what it returns, so that the loads cannot be left out.
void* chase(void* at, std::size_t steps);

}  // namespace kinjo
