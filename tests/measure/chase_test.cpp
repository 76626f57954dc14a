/// The chase's cycle: every line once and back to the beginning, in the order that was asked for,
/// reproducibly.
#include "measure/chase.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

constexpr std::size_t kMostStride = 128;

struct Case {
  ChaseOrder order;
  std::size_t lines;
  std::size_t stride_bytes = 64;
  std::size_t block_lines = 16;
  std::size_t more_bytes = 0;  ///< behind the last whole line
};

class Cycle {
 public:
  explicit Cycle(const Case& c, std::uint64_t seed = 1)
      : stride_bytes_(c.stride_bytes),
        memory_(c.lines * c.stride_bytes + c.more_bytes + kMostStride) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    start_ = memory_.data() + (kMostStride - address % kMostStride) % kMostStride;
    lines_ = link_chase(start_, c.lines * c.stride_bytes + c.more_bytes,
                        {.order = c.order,
                         .seed = seed,
                         .stride_bytes = c.stride_bytes,
                         .block_bytes = c.block_lines * c.stride_bytes});
  }
  std::size_t lines() const { return lines_; }
  void* start() { return start_; }

  /// The line that an address begins; it must be one.
  std::size_t index_of(const void* at) const {
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(at) - start_);
    EXPECT_EQ(offset % stride_bytes_, 0u);
    return offset / stride_bytes_;
  }

  /// The lines in the order of one round from line 0.
  std::vector<std::size_t> round() {
    std::vector<std::size_t> visited;
    void* at = start();
    for (std::size_t i = 0; i < lines_; ++i) {
      visited.push_back(index_of(at));
      at = chase(at, 1);
    }
    EXPECT_EQ(at, start()) << "a round ends where it began";
    return visited;
  }

 private:
  std::size_t stride_bytes_;
  std::size_t lines_ = 0;
  std::vector<char> memory_;
  char* start_ = nullptr;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (ChaseOrder order : {ChaseOrder::random, ChaseOrder::blocked}) {
    for (std::size_t lines : {1u, 2u, 3u, 15u, 16u, 17u, 32u, 33u, 100u, 1000u}) {
      cases.push_back({.order = order, .lines = lines});
      cases.push_back({.order = order, .lines = lines, .stride_bytes = 128});
      cases.push_back({.order = order, .lines = lines, .stride_bytes = 8, .block_lines = 1});
      cases.push_back({.order = order, .lines = lines, .block_lines = 7, .more_bytes = 63});
    }
  }
  return cases;
}

TEST(Chase, VisitsEveryWholeLineExactlyOnceBeforeItReturns) {
  for (const Case& c : all_cases()) {
    Cycle cycle(c);
    ASSERT_EQ(cycle.lines(), c.lines);
    const auto visited = cycle.round();
    const std::set<std::size_t> distinct(visited.begin(), visited.end());
    ASSERT_EQ(distinct.size(), c.lines) << c.lines << " lines of " << c.stride_bytes << " bytes";
    ASSERT_EQ(*distinct.rbegin(), c.lines - 1);
  }
}

TEST(Chase, TakesAsManyStepsAsItIsAskedFor) {
  Cycle cycle({.order = ChaseOrder::random, .lines = 97});
  const auto visited = cycle.round();
  for (std::size_t steps = 0; steps < 300; ++steps) {
    ASSERT_EQ(cycle.index_of(chase(cycle.start(), steps)), visited[steps % visited.size()]);
  }
}

TEST(Chase, BlockedFinishesABlockBeforeItEntersTheNext) {
  const Case c{.order = ChaseOrder::blocked, .lines = 100, .block_lines = 16};
  Cycle cycle(c);
  // The round from line 0 begins behind block 0's entry, so that block is seen at both ends.
  std::size_t changes = 0;
  const auto visited = cycle.round();
  for (std::size_t i = 0; i < visited.size(); ++i) {
    const std::size_t next = visited[(i + 1) % visited.size()];
    changes += visited[i] / 16 != next / 16;
  }
  EXPECT_EQ(changes, 7u) << "one way out of each of the seven blocks";
}

TEST(Chase, RandomCrossesBlocksNearlyAlways) {
  Cycle cycle({.order = ChaseOrder::random, .lines = 1600});
  const auto visited = cycle.round();
  std::size_t changes = 0;
  for (std::size_t i = 0; i + 1 < visited.size(); ++i) {
    changes += visited[i] / 16 != visited[i + 1] / 16;
  }
  // 99 of 100 lines lie in other blocks; 40 standard deviations are between that and half of them.
  EXPECT_GT(changes, visited.size() / 2);
}

TEST(Chase, MakesTheSameCycleOfTheSameSeedAndAnotherOfAnother) {
  for (ChaseOrder order : {ChaseOrder::random, ChaseOrder::blocked}) {
    const Case c{.order = order, .lines = 500};
    EXPECT_EQ(Cycle(c, 7).round(), Cycle(c, 7).round());
    EXPECT_NE(Cycle(c, 7).round(), Cycle(c, 8).round());
  }
}

TEST(Chase, KeepsItsOrderFromOneMachineToTheNext) {
  EXPECT_THAT(Cycle({.order = ChaseOrder::random, .lines = 8}, 1).round(),
              testing::ElementsAre(0, 6, 1, 7, 2, 4, 3, 5));
}

}  // namespace
}  // namespace kinjo
