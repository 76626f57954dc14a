#include "graph/shares_by_speed.hpp"

#include <gtest/gtest.h>

namespace kinjo::graph::detail {
namespace {

/// Parts of `count` things after so many rounds in which thread t takes ticks[t] for each of its
/// own.
std::vector<std::size_t> parts_after(int rounds, std::size_t count,
                                     const std::vector<std::uint64_t>& ticks) {
  SharesBySpeed shares(ticks.size());
  const auto part = [&](std::size_t t) {
    const Range range = shares.of(t, count);
    return range.end - range.begin;
  };
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t t = 0; t < ticks.size(); ++t) shares.took(t, ticks[t] * part(t));
    shares.adapt();
  }
  std::vector<std::size_t> parts;
  for (std::size_t t = 0; t < ticks.size(); ++t) parts.push_back(part(t));
  return parts;
}

TEST(SharesBySpeed, AreEqualAtFirst) {
  EXPECT_EQ(parts_after(0, 1000, {1, 1, 1, 1}), (std::vector<std::size_t>{250, 250, 250, 250}));
}

TEST(SharesBySpeed, StayWhereTimesAreEqual) {
  EXPECT_EQ(parts_after(100, 1024, {7, 7}), (std::vector<std::size_t>{512, 512}));
}

TEST(SharesBySpeed, FollowTheSpeeds) {
  const std::vector<std::size_t> parts = parts_after(500, 10000, {1, 3, 2});
  EXPECT_NEAR(static_cast<double>(parts[0]), 10000 * 6.0 / 11, 40);
  EXPECT_NEAR(static_cast<double>(parts[1]), 10000 * 2.0 / 11, 40);
  EXPECT_NEAR(static_cast<double>(parts[2]), 10000 * 3.0 / 11, 40);
}

TEST(SharesBySpeed, AreMovedLittleByOneThatStoodStill) {
  SharesBySpeed shares(2);
  shares.took(0, 1000);
  shares.took(1, 1'000'000'000);
  shares.adapt();
  const Range first = shares.of(0, 1000);
  EXPECT_GT(first.end, 500u);
  EXPECT_LT(first.end, 525u);
}

TEST(SharesBySpeed, StayWhereNoClockRan) {
  SharesBySpeed shares(2);
  shares.adapt();
  EXPECT_EQ(shares.of(0, 10).end, 5u);
}

TEST(SharesBySpeed, CoverEverythingOnceHoweverFewThereAre) {
  SharesBySpeed shares(7);
  for (std::size_t t = 0; t < 7; ++t) shares.took(t, t + 1);
  for (int round = 0; round < 50; ++round) shares.adapt();
  for (std::size_t count = 0; count < 100; ++count) {
    std::size_t at = 0;
    for (std::size_t t = 0; t < 7; ++t) {
      const Range part = shares.of(t, count);
      EXPECT_EQ(part.begin, at);
      EXPECT_GE(part.end, part.begin);
      at = part.end;
    }
    EXPECT_EQ(at, count);
  }
}

}  // namespace
}  // namespace kinjo::graph::detail
