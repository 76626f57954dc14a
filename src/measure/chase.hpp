/// Pointer chase: loads of which each needs the result of the one before, so that its time is the
/// latency of a load and nothing can be fetched ahead.
///
/// The first word of every cache line holds the address of the line that comes next, and all lines
/// together are one cycle (Sattolo's shuffle makes one of any number of lines with equal chance).
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinjo {

/// In which order a chase visits the lines.
enum class ChaseOrder {
  random,   ///< over the whole range: once it exceeds what the TLB reaches, nearly every load also
            ///< misses the TLB, as a program's that jumps about in all of its data
  blocked,  ///< over one block after another, blocks in random order and lines in random order
            ///< within each. A block of base pages fits in every TLB and is far too large for
            ///< prefetchers to guess, so that a page's translation is missed once for all of its
            ///< lines: what remains is the latency of the cache or the memory. What latencies are
            ///< measured with, unless the TLB is to be seen
};

struct ChaseShape {
  ChaseOrder order = ChaseOrder::blocked;
  std::uint64_t seed = 1;                 ///< the same seed makes the same cycle
  std::size_t line_bytes = 64;            ///< a multiple of a pointer's size
  std::size_t block_bytes = 64 * 4096UL;  ///< of `blocked`; a multiple of the line
};

/// Writes a cycle through all whole lines of `memory`, which must be aligned to a line and hold at
/// least one. Returns how many there are: a chase of so many steps sees each of them once and ends
/// where it began. Takes no other memory.
std::size_t link_chase(void* memory, std::size_t bytes, const ChaseShape& shape = {});

/// Follows `steps` links from `at`, which is any line of a cycle, and returns the line reached. The
/// caller must use what it returns, so that the loads cannot be left out.
void* chase(void* at, std::size_t steps);

}  // namespace kinjo
