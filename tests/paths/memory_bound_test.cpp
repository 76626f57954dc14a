#include "paths/memory_bound.hpp"

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo::paths::detail {
namespace {

constexpr std::uint64_t kMuch = std::uint64_t{1} << 30;

TEST(MemoryBound, IsWhatWasGiven) {
  MemoryBound bound(12345);
  EXPECT_EQ(bound.where(0), 12345);
  EXPECT_EQ(bound.where(kMuch), 12345);
}

TEST(MemoryBound, IsWhatIsAvailableBesidesWhatIsHeld) {
  MemoryBound bound(0);
  const std::uint64_t found = bound.where(kMuch);
  EXPECT_GT(found, kMuch);
  // What a machine has is not more than this.
  EXPECT_LT(found, std::uint64_t{1} << 50);
  EXPECT_EQ(bound.where(2 * kMuch), found);  // it is asked once
}

TEST(MemoryBound, IsKnownAlsoOfALittleToWhomAsks) {
  if (available_memory_bytes() == 0) GTEST_SKIP() << "the system does not say what it has";
  MemoryBound bound(0);
  EXPECT_LT(bound.known(0), bound.where(kLittleMemory));
  EXPECT_EQ(bound.where(kLittleMemory + 1), bound.known(0));
  EXPECT_EQ(MemoryBound(7).known(0), 7u);
}

TEST(MemoryBound, IsNoneWhileLittleIsHeld) {
  MemoryBound bound(0);
  EXPECT_EQ(bound.where(1000), ~std::uint64_t{0});
}

TEST(CheckGraph, RefusesEdgesWhoseEndsHaveNoNumbersHoweverMuchMemoryThereIs) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0}, kMost = (std::uint64_t{1} << 31) - 1;
  EXPECT_NO_THROW(check_graph(1000, kMost, kAll));
  EXPECT_EQ(test::error_of([] { check_graph(1000, kMost + 1, kAll); }),
            "not_supported: the graph has 2147483648 edges: expected at most 2147483647");
}

}  // namespace
}  // namespace kinjo::paths::detail
