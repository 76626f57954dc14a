/// Reading: eight vectors at a time into eight sums. An addition takes one cycle and a core loads
/// at most three vectors a cycle, so three sums would do; eight make the loop's own instructions
/// few beside the loads. Writing: four vectors at a time, a line or more on every target, so that a
/// streaming store's write-combining buffer is filled in one go.
///
/// Compiled once for each target, see stream_kernels.cpp.
#include "simd/memory_kernels.hpp"

#include <cstring>
#include <numeric>

#include "base/contract.hpp"
#include "simd/level.hpp"
#include "simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/memory_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target must come before highway.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "simd/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kinjo::detail::HWY_NAMESPACE {
namespace {

using Words = hn::ScalableTag<std::uint64_t>;
using WordVector = hn::Vec<Words>;

std::uint64_t read_words(const std::uint64_t* from, std::size_t n, std::size_t passes) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  WordVector s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  std::uint64_t rest = 0;
  for (; passes > 0; --passes) {
    std::size_t i = 0;
    for (; i + 8 * lanes <= n; i += 8 * lanes) {
      s0 = hn::Add(s0, hn::LoadU(d, from + i));
      s1 = hn::Add(s1, hn::LoadU(d, from + i + lanes));
      s2 = hn::Add(s2, hn::LoadU(d, from + i + 2 * lanes));
      s3 = hn::Add(s3, hn::LoadU(d, from + i + 3 * lanes));
      s4 = hn::Add(s4, hn::LoadU(d, from + i + 4 * lanes));
      s5 = hn::Add(s5, hn::LoadU(d, from + i + 5 * lanes));
      s6 = hn::Add(s6, hn::LoadU(d, from + i + 6 * lanes));
      s7 = hn::Add(s7, hn::LoadU(d, from + i + 7 * lanes));
    }
    for (; i + lanes <= n; i += lanes) s0 = hn::Add(s0, hn::LoadU(d, from + i));
    for (; i < n; ++i) rest += from[i];
  }
  const WordVector low = hn::Add(hn::Add(s0, s1), hn::Add(s2, s3));
  const WordVector high = hn::Add(hn::Add(s4, s5), hn::Add(s6, s7));
  // One by one: the intrinsic for the sum of all lanes adds them as signed numbers, which must not
  // overflow.
  std::uint64_t sums[hn::MaxLanes(Words())];
  hn::StoreU(hn::Add(low, high), d, sums);
  return std::accumulate(sums, sums + lanes, rest);
}

template <bool kStreaming>
HWY_INLINE void write_with(std::uint64_t* to, std::size_t n, std::uint64_t word) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  const WordVector v = hn::Set(d, word);
  const auto put = [&](std::uint64_t* at) HWY_ATTR {
    if constexpr (kStreaming) {
      hn::Stream(v, d, at);
    } else {
      hn::StoreU(v, d, at);
    }
  };
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    put(to + i);
    put(to + i + lanes);
    put(to + i + 2 * lanes);
    put(to + i + 3 * lanes);
  }
  for (; i + lanes <= n; i += lanes) put(to + i);
  for (; i < n; ++i) to[i] = word;
  if constexpr (kStreaming) hwy::FlushStream();
}

void write_words(std::uint64_t* to, std::size_t n, std::uint64_t word, Store store) {
  if (store == Store::streaming) {
    write_with<true>(to, n, word);
  } else {
    write_with<false>(to, n, word);
  }
}

/// Bytes that one range is given before it is the next one's turn. Four vectors of AVX-512, which
/// on an Emerald Rapids were ahead of more. A Zen 3 stores past the caches at 0.6 to 0.8 of its
/// rate where ranges take turns more often than every 512 bytes.
constexpr std::size_t kTurnBytes = HWY_MAX_BYTES >= 64 ? 256 : 512;

/// Range by range, each some lines at a time, which stay in L1 meanwhile: the write-combining
/// buffers are as few as those of one copy.
void copy_words_to_all(const std::uint64_t* from, std::span<void* const> to, std::size_t n) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t turn = std::max(kTurnBytes / sizeof(std::uint64_t), 4 * lanes);
  std::size_t begin = 0;
  for (; begin + turn <= n; begin += turn) {
    for (void* const range : to) {
      auto* const words = static_cast<std::uint64_t*>(range);
      for (std::size_t i = begin; i < begin + turn; i += 4 * lanes) {
        const WordVector v0 = hn::LoadU(d, from + i), v1 = hn::LoadU(d, from + i + lanes);
        const WordVector v2 = hn::LoadU(d, from + i + 2 * lanes);
        const WordVector v3 = hn::LoadU(d, from + i + 3 * lanes);
        hn::Stream(v0, d, words + i);
        hn::Stream(v1, d, words + i + lanes);
        hn::Stream(v2, d, words + i + 2 * lanes);
        hn::Stream(v3, d, words + i + 3 * lanes);
      }
    }
  }
  for (void* const range : to) {
    auto* const words = static_cast<std::uint64_t*>(range);
    for (std::size_t i = begin; i < n; ++i) words[i] = from[i];
  }
  hwy::FlushStream();
}

/// Vectors of the target are whole ones in memory, but for the first and the last, which overlap
/// their neighbours.
void copy_bytes(const std::uint8_t* from, std::uint8_t* to, std::size_t n) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  if (n < lanes) {
    std::memcpy(to, from, n);
    return;
  }
  const auto last = hn::LoadU(d, from + n - lanes);
  hn::StoreU(hn::LoadU(d, from), d, to);
  std::size_t i = lanes - reinterpret_cast<std::uintptr_t>(to) % lanes;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    const auto v0 = hn::LoadU(d, from + i), v1 = hn::LoadU(d, from + i + lanes);
    const auto v2 = hn::LoadU(d, from + i + 2 * lanes), v3 = hn::LoadU(d, from + i + 3 * lanes);
    hn::StoreU(v0, d, to + i);
    hn::StoreU(v1, d, to + i + lanes);
    hn::StoreU(v2, d, to + i + 2 * lanes);
    hn::StoreU(v3, d, to + i + 3 * lanes);
  }
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  hn::StoreU(last, d, to + n - lanes);
}

}  // namespace

extern const MemoryKernelSet kMemory = {read_words, write_words, copy_words_to_all, copy_bytes};

}  // namespace kinjo::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kinjo::detail {

namespace {

const KernelTable<MemoryKernelSet> kTable = {&kMemoryReference, KINJO_SIMD_TARGETS(kMemory)};

constexpr std::size_t kWord = sizeof(std::uint64_t);

bool begins_a_line(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 64 == 0; }

/// The bytes behind the last whole word.
template <class Byte>
Byte* tail_of(Byte* range, std::size_t bytes) {
  return range + bytes / kWord * kWord;
}

}  // namespace

std::uint64_t memory_read(const void* from, std::size_t bytes, std::size_t passes) {
  KINJO_ASSERT(begins_a_line(from));
  std::uint64_t last = 0;
  std::memcpy(&last, tail_of(static_cast<const char*>(from), bytes), bytes % kWord);
  const auto* words = static_cast<const std::uint64_t*>(from);
  return passes * last + chosen(kTable).read(words, bytes / kWord, passes);
}

void memory_write(void* to, std::size_t bytes, std::uint64_t word, Store store) {
  KINJO_ASSERT(begins_a_line(to));
  chosen(kTable).write(static_cast<std::uint64_t*>(to), bytes / kWord, word, store);
  std::memcpy(tail_of(static_cast<char*>(to), bytes), &word, bytes % kWord);
}

void memory_copy(const void* from, void* to, std::size_t bytes, Store store) {
  KINJO_ASSERT(begins_a_line(from) && begins_a_line(to));
  stream_copy(static_cast<const double*>(from), static_cast<double*>(to), bytes / kWord, store);
  std::memcpy(tail_of(static_cast<char*>(to), bytes),
              tail_of(static_cast<const char*>(from), bytes), bytes % kWord);
}

void memory_copy_bytes(const void* from, void* to, std::size_t bytes) {
  chosen(kTable).copy_bytes(static_cast<const std::uint8_t*>(from), static_cast<std::uint8_t*>(to),
                            bytes);
}

void memory_copy_to_all(const void* from, std::span<void* const> to, std::size_t bytes) {
  KINJO_ASSERT(begins_a_line(from));
  for (void* const range : to) KINJO_ASSERT(begins_a_line(range));
  chosen(kTable).copy_to_all(static_cast<const std::uint64_t*>(from), to, bytes / kWord);
  for (void* const range : to) {
    std::memcpy(tail_of(static_cast<char*>(range), bytes),
                tail_of(static_cast<const char*>(from), bytes), bytes % kWord);
  }
}

}  // namespace kinjo::detail
#endif
