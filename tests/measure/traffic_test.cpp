/// What the threads of a team are made to move, counted; the figures' units and counts.
#include "measure/traffic.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>
#include <kinjo/memory.hpp>

namespace kinjo {
namespace {

constexpr ProbeOptions kQuick{.samples = 6, .budget_seconds = 0, .sample_seconds = 1e-5};

class TrafficTest : public testing::Test {
 protected:
  static constexpr std::size_t kPart = 4096;

  /// Each thread's part of the two buffers.
  TrafficPlan plan(Traffic traffic) {
    TrafficPlan plan{.traffic = traffic};
    for (std::size_t t = 0; t < team_.size(); ++t) {
      plan.parts.push_back({from() + t * kPart, to() + t * kPart, kPart});
    }
    return plan;
  }
  char* from() { return static_cast<char*>(from_.data()); }
  char* to() { return static_cast<char*>(to_.data()); }

  const Topology& machine_ = Topology::this_machine();
  Team team_{Mapping(machine_, Policy::compact(), machine_.allowed_cpus().count())};
  std::size_t bytes_ = team_.size() * kPart;
  Buffer from_ = alloc(bytes_);
  Buffer to_ = alloc(bytes_);
};

TEST_F(TrafficTest, CountsCopiedBytesTwice) {
  EXPECT_EQ(plan(Traffic::read).bytes(), bytes_);
  EXPECT_EQ(plan(Traffic::write).bytes(), bytes_);
  EXPECT_EQ(plan(Traffic::copy).bytes(), 2 * bytes_);
}

TEST_F(TrafficTest, CopiesEveryThreadsPart) {
  std::memset(from(), 0x5a, bytes_);
  run_traffic(team_, plan(Traffic::copy), 1);
  EXPECT_EQ(std::count(to(), to() + bytes_, 0x5a), static_cast<std::ptrdiff_t>(bytes_));
}

TEST_F(TrafficTest, WritesEveryThreadsPartAsOftenAsAsked) {
  run_traffic(team_, plan(Traffic::write), 3);
  for (std::size_t i = 0; i < bytes_; i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, to() + i, sizeof word);
    ASSERT_EQ(word, 3u) << "the third pass writes threes, at byte " << i;
  }
}

TEST_F(TrafficTest, ReadsAndChangesNothing) {
  std::memset(from(), 0x11, bytes_);
  EXPECT_GE(run_traffic(team_, plan(Traffic::read), 2), 0);
  EXPECT_EQ(std::count(from(), from() + bytes_, 0x11), static_cast<std::ptrdiff_t>(bytes_));
  EXPECT_EQ(std::count(to(), to() + bytes_, 0), static_cast<std::ptrdiff_t>(bytes_));
}

TEST_F(TrafficTest, BandwidthIsAFigureInGigabytesASecond) {
  for (Traffic traffic : {Traffic::read, Traffic::write, Traffic::copy}) {
    const Figure figure = measure_bandwidth(team_, plan(traffic), kQuick);
    EXPECT_EQ(figure.unit, "GB/s") << to_string(traffic);
    EXPECT_EQ(figure.summary.count, 6u) << to_string(traffic);
    EXPECT_GT(figure.summary.min, 0) << to_string(traffic);
  }
}

TEST_F(TrafficTest, LatencyIsAFigureInNanosecondsAndLeavesTheCycleWhole) {
  const std::size_t lines = link_chase(from(), bytes_);
  const Figure figure = measure_latency(team_, from(), lines, kQuick);
  EXPECT_EQ(figure.unit, "ns");
  EXPECT_EQ(figure.summary.count, 6u);
  EXPECT_GT(figure.summary.min, 0);
  EXPECT_EQ(chase(from(), lines), from());
}

using TrafficDeathTest = TrafficTest;
TEST_F(TrafficDeathTest, RefusesAPlanForAnotherNumberOfThreads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  TrafficPlan wrong = plan(Traffic::read);
  wrong.parts.push_back(wrong.parts.front());
  EXPECT_DEATH(run_traffic(team_, wrong, 1), "plan.parts.size\\(\\) == team.size\\(\\)");
}

}  // namespace
}  // namespace kinjo
