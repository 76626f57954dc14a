#include "gemm/dealing.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace kinjo::gemm {
namespace {

TEST(Parts, AreDealtInTheirOrderAndThenAreGone) {
  Parts parts;
  EXPECT_EQ(parts.take(1, 2), 0u);
  EXPECT_EQ(parts.take(1, 2), 1u);
  EXPECT_EQ(parts.take(1, 2), std::nullopt);
  EXPECT_EQ(parts.take(1, 2), std::nullopt);
}

TEST(Parts, AreThereAgainInTheNextRoundHoweverManyWereTaken) {
  Parts parts;
  EXPECT_EQ(parts.take(1, 5), 0u);
  EXPECT_EQ(parts.take(2, 1), 0u);
  EXPECT_EQ(parts.take(2, 1), std::nullopt);
  EXPECT_EQ(parts.take(3, 0), std::nullopt);
  EXPECT_EQ(parts.take(4, 1), 0u);
}

TEST(Parts, EachGoesToOneOfTheThreadsThatTake) {
  constexpr std::size_t kCount = 1000;
  Parts parts;
  std::vector<std::atomic<int>> times(kCount);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        while (const auto part = parts.take(1, kCount)) ++times[*part];
      });
    }
  }
  EXPECT_TRUE(std::ranges::all_of(times, [](const auto& n) { return n == 1; }));
}

}  // namespace
}  // namespace kinjo::gemm
