/// Copies into another cell's memory: stored past the caches or not, they write the same bytes.
#include "comm/copying.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace kinjo::comm::detail {
namespace {

constexpr std::size_t kGuard = 64;

/// The first byte of the memory that begins a line.
std::size_t line_begin(const std::vector<std::uint8_t>& memory) {
  return (kGuard - reinterpret_cast<std::uintptr_t>(memory.data()) % kGuard) % kGuard;
}

/// What lies at `to` bytes into a line, from `from` bytes into one; and nothing beside it.
void check_copy(std::size_t bytes, std::size_t to, std::size_t from, std::size_t stream_from) {
  std::vector<std::uint8_t> source(bytes + 2 * kGuard), target(bytes + 4 * kGuard, 0xee);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::uint8_t>(i % 251);
  const std::size_t first = kGuard + line_begin(target) + to;
  const std::size_t start = line_begin(source) + from;
  copy_block(&target[first], &source[start], bytes, stream_from);
  const auto begin = target.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(bytes);
  const auto wanted = source.begin() + static_cast<std::ptrdiff_t>(start);
  EXPECT_TRUE(std::equal(begin, end, wanted)) << bytes << ' ' << to << ' ' << from;
  const auto untouched = [](std::uint8_t byte) { return byte == 0xee; };
  EXPECT_TRUE(std::all_of(target.begin(), begin, untouched)) << bytes << ' ' << to;
  EXPECT_TRUE(std::all_of(end, target.end(), untouched)) << bytes << ' ' << to;
}

TEST(CopyBlock, WritesItsRangeAndNoByteBesideIt) {
  for (const std::size_t stream_from : {std::size_t{256}, std::size_t{1} << 30}) {
    for (const std::size_t bytes : {256, 257, 319, 4096, 5001, 70'000}) {
      for (const std::size_t shift : {0, 1, 8, 40, 63}) {
        check_copy(bytes, shift, shift, stream_from);
        check_copy(bytes, shift, 0, stream_from);
      }
    }
  }
}

// Beyond where the C library moves strings, at the distances in a page at which Zen 3 does so
// slowly.
TEST(CopyRow, WritesItsRangeAndNoByteBesideItAtEveryDistanceInAPage) {
  constexpr std::size_t kPage = 4096, kRoom = 3 * kPage;
  std::vector<std::uint8_t> memory(2 * kRoom);
  for (const std::size_t bytes : {0, 1, 100, 2047, 2048, 5001, 8000}) {
    for (std::size_t distance = 0; distance < 40; ++distance) {
      for (std::size_t i = 0; i < kRoom; ++i) memory[i] = static_cast<std::uint8_t>(i % 251);
      std::fill(memory.begin() + kRoom, memory.end(), std::uint8_t{0xee});
      copy_row(&memory[kRoom + distance], memory.data(), bytes);
      std::vector<std::uint8_t> wanted(kRoom, 0xee);
      std::copy_n(memory.begin(), bytes, &wanted[distance]);
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), memory.begin() + kRoom))
          << bytes << ' ' << distance;
    }
  }
}

TEST(StreamToAll, WritesEveryRangeAndNoByteBesideIt) {
  for (const std::size_t bytes : {1, 40, 256, 5001, 70'000}) {
    for (const std::size_t shift : {0, 8, 63}) {
      std::vector<std::uint8_t> source(bytes + 2 * kGuard);
      for (std::size_t i = 0; i < source.size(); ++i)
        source[i] = static_cast<std::uint8_t>(i % 251);
      const std::uint8_t* const from = &source[line_begin(source) + shift];
      std::vector<std::vector<std::uint8_t>> memories(3);
      std::vector<void*> to;
      for (auto& memory : memories) {
        memory.assign(bytes + 4 * kGuard, 0xee);
        to.push_back(&memory[line_begin(memory) + kGuard + shift]);
      }
      stream_to_all(to, from, bytes);
      for (auto& memory : memories) {
        std::vector<std::uint8_t> wanted(memory.size(), 0xee);
        std::copy_n(from, bytes, &wanted[line_begin(memory) + kGuard + shift]);
        EXPECT_EQ(memory, wanted) << bytes << ' ' << shift;
      }
    }
  }
}

TEST(StreamingSize, IsOfTheLargestBlocksWhereCellsShareACacheAlone) {
  const std::size_t shared = streaming_size(1, Cpu::shared);
  EXPECT_EQ(streaming_size(1000, Cpu::shared), shared);
  EXPECT_EQ(streaming_size(1 << 20, Cpu::own), shared);
  EXPECT_GE(streaming_size(2, Cpu::own), shared);
  EXPECT_GE(streaming_size(2, Cpu::own), streaming_size(4, Cpu::own));
}

}  // namespace
}  // namespace kinjo::comm::detail
