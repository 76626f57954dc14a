/// Reading, writing and copying a range of memory with one thread, as fast as one core can.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/stream_kernels.hpp"

namespace kinjo::detail {

// Ranges begin on a cache line (64 bytes), unless it says otherwise, and may have any length; those
// that are copied must not overlap. The kernels throw as `simd_level` does.

/// The sum, modulo 2⁶⁴, of the range's 64-bit words as this machine orders their bytes; an
/// incomplete last word is filled up with zero bytes. Every byte is loaded once. With `passes` the
/// same is done so many times and added up, without the cost of a call between them, which a range
/// that fits in L1 would show.
std::uint64_t memory_read(const void* from, std::size_t bytes, std::size_t passes = 1);

/// Writes `word` again and again; an incomplete last word gets its first bytes. Once this returns,
/// streaming stores are ordered before whatever the thread stores next.
void memory_write(void* to, std::size_t bytes, std::uint64_t word, Store store);

/// to ← from; the loop of STREAM's copy.
void memory_copy(const void* from, void* to, std::size_t bytes, Store store);

/// Every range of `to` ← from, by streaming stores; `from` is read once, however many they are.
void memory_copy_to_all(const void* from, std::span<void* const> to, std::size_t bytes);

/// to ← from, both of which may begin anywhere, by ordinary stores of vectors. The C library may
/// copy some KiB and more by an instruction that moves strings, which Zen 3 does at 3 GB/s where
/// `moves_strings_slowly`.
void memory_copy_bytes(const void* from, void* to, std::size_t bytes);

/// Whether the target lies so little further into its page than the source that the string moves of
/// Zen 3 take each byte's store for one that the next load depends on: by 1 to 31 bytes.
inline bool moves_strings_slowly(const void* from, const void* to) noexcept {
  const auto further =
      reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  return (further - 1) % 4096 < 31;
}

/// Whole words or bytes, for one level of vector instructions.
struct MemoryKernelSet {
  std::uint64_t (*read)(const std::uint64_t* from, std::size_t n, std::size_t passes);
  void (*write)(std::uint64_t* to, std::size_t n, std::uint64_t word, Store store);
  void (*copy_to_all)(const std::uint64_t* from, std::span<void* const> to, std::size_t n);
  void (*copy_bytes)(const std::uint8_t* from, std::uint8_t* to, std::size_t n);
};
/// Plain loops, whose stores are ordinary ones whatever was asked.
extern const MemoryKernelSet kMemoryReference;

}  // namespace kinjo::detail
