/// Reading, writing and copying, on every level that this CPU has, against plain loops
/// over bytes: at every length around the vector widths and lines, with guarded surroundings.
#include "simd/memory_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/aligned_allocator.h>

#include "simd/level.hpp"

namespace kinjo::detail {
namespace {

constexpr std::size_t kGuard = 128;
constexpr unsigned char kCanary = 0xa5;
constexpr std::uint64_t kWord = 0x0123456789abcdef;

/// Bytes that begin on a line, between canaries.
class Guarded {
 public:
  explicit Guarded(std::size_t size)
      : size_(size), data_(hwy::AllocateAligned<unsigned char>(size + 2 * kGuard)) {
    std::fill_n(data_.get(), size + 2 * kGuard, kCanary);
  }
  unsigned char* data() { return data_.get() + kGuard; }

  bool surroundings_are_untouched() const {
    const auto is_canary = [](unsigned char byte) { return byte == kCanary; };
    const unsigned char* const end = data_.get() + kGuard + size_;
    return std::all_of(data_.get(), data_.get() + kGuard, is_canary) &&
           std::all_of(end, end + kGuard, is_canary);
  }

 private:
  std::size_t size_;
  hwy::AlignedFreeUniquePtr<unsigned char[]> data_;
};

unsigned char number(std::size_t i) { return static_cast<unsigned char>(i * 131 + i / 251 + 7); }

std::uint64_t plain_sum(const unsigned char* from, std::size_t bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + i, std::min(sizeof word, bytes - i));
    sum += word;
  }
  return sum;
}

/// All lengths up to three times the eight widest vectors of a turn, and some long ones.
std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all;
  for (std::size_t n = 0; n <= 3 * 8 * 64 + 9; ++n) all.push_back(n);
  for (std::size_t n : {4096u, 65536u, 65536u + 61u, (1u << 20) + 8u}) all.push_back(n);
  return all;
}

class MemoryKernels : public testing::TestWithParam<SimdLevel> {
  const ForcedLevel level_{GetParam()};
};

TEST_P(MemoryKernels, ReadingSumsEveryWordOnceAndNothingBehindTheEnd) {
  for (std::size_t n : lengths()) {
    Guarded from(n);
    for (std::size_t i = 0; i < n; ++i) from.data()[i] = number(i);
    ASSERT_EQ(memory_read(from.data(), n), plain_sum(from.data(), n)) << n << " bytes";
  }
}

TEST_P(MemoryKernels, ReadingInPassesAddsUpWhatEachOfThemSees) {
  constexpr std::size_t kBytes = 8 * 64 * 2 + 64 + 13;
  Guarded from(kBytes);
  for (std::size_t i = 0; i < kBytes; ++i) from.data()[i] = number(i);
  for (std::size_t passes : {0u, 1u, 2u, 7u}) {
    EXPECT_EQ(memory_read(from.data(), kBytes, passes), passes * plain_sum(from.data(), kBytes));
  }
}

TEST_P(MemoryKernels, ReadingSeesAChangeOfAnySingleByte) {
  constexpr std::size_t kBytes = 8 * 64 + 64 + 13;
  Guarded from(kBytes);
  for (std::size_t i = 0; i < kBytes; ++i) from.data()[i] = number(i);
  const std::uint64_t before = memory_read(from.data(), kBytes);
  for (std::size_t i = 0; i < kBytes; ++i) {
    ++from.data()[i];
    ASSERT_NE(memory_read(from.data(), kBytes), before) << "byte " << i;
    --from.data()[i];
  }
}

TEST_P(MemoryKernels, WritingRepeatsTheWordUpToTheLastByteAndNotBeyond) {
  for (Store store : {Store::cached, Store::streaming}) {
    for (std::size_t n : lengths()) {
      Guarded to(n);
      memory_write(to.data(), n, kWord, store);
      const auto pattern = std::bit_cast<std::array<unsigned char, 8>>(kWord);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(to.data()[i], pattern[i % 8]) << "byte " << i << " of " << n;
      }
      ASSERT_TRUE(to.surroundings_are_untouched()) << n << " bytes";
    }
  }
}

TEST_P(MemoryKernels, CopyingBringsEveryByteOverAndLeavesItsSourceAlone) {
  for (Store store : {Store::cached, Store::streaming}) {
    for (std::size_t n : lengths()) {
      Guarded from(n), to(n);
      for (std::size_t i = 0; i < n; ++i) from.data()[i] = number(i);
      memory_copy(from.data(), to.data(), n, store);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(to.data()[i], number(i)) << "byte " << i << " of " << n;
        ASSERT_EQ(from.data()[i], number(i)) << "byte " << i << " of " << n;
      }
      ASSERT_TRUE(to.surroundings_are_untouched()) << n << " bytes";
    }
  }
}

TEST_P(MemoryKernels, CopyingBytesTakesAnyBeginning) {
  constexpr std::size_t kMost = 64;
  for (const auto& [from_shift, to_shift] :
       std::vector<std::pair<std::size_t, std::size_t>>{{0, 0}, {0, 1}, {0, 31}, {5, 8}, {63, 0}}) {
    for (std::size_t n : lengths()) {
      Guarded from(n + kMost), to(n + kMost);
      for (std::size_t i = 0; i < n + kMost; ++i) from.data()[i] = number(i);
      memory_copy_bytes(from.data() + from_shift, to.data() + to_shift, n);
      for (std::size_t i = 0; i < n + kMost; ++i) {
        const bool is_inside = i >= to_shift && i < to_shift + n;
        const unsigned char wanted = is_inside ? number(i - to_shift + from_shift) : kCanary;
        ASSERT_EQ(to.data()[i], wanted) << "byte " << i << " of " << n << " at " << to_shift;
      }
      ASSERT_TRUE(to.surroundings_are_untouched()) << n << " bytes";
    }
  }
}

TEST(StringMoves, AreSlowWhereTheTargetLiesALittleFurtherIntoItsPage) {
  alignas(64) static unsigned char memory[3 * 4096];
  struct Case {
    std::size_t from, to;
    bool slow;
  };
  const Case cases[] = {{0, 4096, false},      {0, 4097, true},       {0, 4096 + 31, true},
                        {0, 4096 + 32, false}, {0, 8192 + 8, true},   {16, 4096, false},
                        {4096, 16, true},      {4096 + 16, 0, false}, {4090, 8192 + 4, true}};
  for (const Case& c : cases) {
    EXPECT_EQ(moves_strings_slowly(memory + c.from, memory + c.to), c.slow)
        << c.from << " " << c.to;
  }
}

TEST_P(MemoryKernels, CopyingToAllBringsEveryByteToEachRange) {
  for (const std::size_t ranges : {1, 2, 7}) {
    for (std::size_t n : lengths()) {
      Guarded from(n);
      for (std::size_t i = 0; i < n; ++i) from.data()[i] = number(i);
      std::vector<Guarded> to;
      std::vector<void*> starts;
      for (std::size_t r = 0; r < ranges; ++r) starts.push_back(to.emplace_back(n).data());
      memory_copy_to_all(from.data(), starts, n);
      for (Guarded& range : to) {
        ASSERT_TRUE(std::equal(range.data(), range.data() + n, from.data())) << n << " bytes";
        ASSERT_TRUE(range.surroundings_are_untouched()) << n << " bytes";
      }
    }
  }
}

TEST_P(MemoryKernels, RefuseRangesThatDoNotBeginOnALine) {
  Guarded range(256);
  EXPECT_DEATH(memory_read(range.data() + 8, 64), "begins_a_line");
  EXPECT_DEATH(memory_write(range.data() + 8, 64, kWord, Store::cached), "begins_a_line");
  void* const ranges[] = {range.data() + 64, range.data() + 136};
  EXPECT_DEATH(memory_copy_to_all(range.data(), ranges, 64), "begins_a_line");
  EXPECT_DEATH(memory_copy(range.data(), range.data() + 136, 64, Store::cached), "begins_a_line");
}

INSTANTIATE_TEST_SUITE_P(Level, MemoryKernels, testing::ValuesIn(simd_levels()),
                         [](const auto& suite) { return to_string(suite.param); });

}  // namespace
}  // namespace kinjo::detail
