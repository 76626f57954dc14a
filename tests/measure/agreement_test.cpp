/// What messages between two CPUs say about their counters: on exchanges that were made up, then
/// between threads of this machine.
#include "measure/agreement.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "measure/together.hpp"

namespace kinjo {
namespace {

/// An exchange at time `at`, with messages that take `there` and `back`, between a counter and one
/// that is ahead of it by `offset`.
Exchange exchange(std::uint64_t at, std::uint64_t there, std::uint64_t back, std::int64_t offset) {
  return {at, at + there + static_cast<std::uint64_t>(offset), at + there + back};
}

TEST(OffsetBounds, HoldTheOffsetBetweenTheTimesOfTheMessages) {
  const std::vector<Exchange> one = {exchange(1000, 30, 50, 7)};
  EXPECT_EQ(bound_offset(one).low, 7 - 50);
  EXPECT_EQ(bound_offset(one).high, 7 + 30);
}

TEST(OffsetBounds, TakeTheFastestMessageOfEachDirection) {
  const std::vector<Exchange> many = {exchange(1000, 30, 5000, -200), exchange(9000, 800, 40, -200),
                                      exchange(20'000, 70, 70, -200)};
  EXPECT_EQ(bound_offset(many).low, -200 - 40);
  EXPECT_EQ(bound_offset(many).high, -200 + 30);
}

TEST(OffsetBounds, ContradictEachOtherWhereACounterMovedAgainstTheOther) {
  const std::vector<Exchange> moved = {exchange(1000, 30, 30, 0), exchange(9000, 30, 30, 500)};
  EXPECT_GT(bound_offset(moved).low, bound_offset(moved).high);
}

TEST(Agreement, IsSeenWhereEveryOffsetMayBeZero) {
  const std::vector<OffsetBounds> others = {{-40, 30}, {-10, 60}};
  const Agreement agreement = judge_offsets(others);
  EXPECT_TRUE(agreement.agrees);
  EXPECT_EQ(agreement.most_counts, 100) << "the second at +60, the first at -40";
}

TEST(Agreement, CountsTheFirstCpuTheOthersAreComparedWith) {
  const std::vector<OffsetBounds> ahead = {{100, 160}, {120, 150}};
  EXPECT_FALSE(judge_offsets(ahead).agrees);
  EXPECT_EQ(judge_offsets(ahead).most_counts, 160);
  const std::vector<OffsetBounds> behind = {{-160, -100}};
  EXPECT_FALSE(judge_offsets(behind).agrees);
  EXPECT_EQ(judge_offsets(behind).most_counts, 160);
}

TEST(Agreement, IsMissingBetweenCountersThatMoveAgainstEachOther) {
  const std::vector<OffsetBounds> others = {{470, -30}};
  EXPECT_FALSE(judge_offsets(others).agrees);
  EXPECT_EQ(judge_offsets(others).most_counts, 470);
}

class Exchanges : public testing::Test {
 protected:
  const Topology& machine_ = Topology::this_machine();
};

TEST_F(Exchanges, AreAsManyAsAskedForAndInOrder) {
  Team pair(Mapping(machine_, Policy::none(), 2));
  const auto exchanges = exchange_messages(pair, 150, 1000);
  ASSERT_EQ(exchanges.size(), 150u);
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    EXPECT_LE(exchanges[i].sent, exchanges[i].received);
    if (i > 0) {
      EXPECT_LE(exchanges[i - 1].received, exchanges[i].sent);
    }
  }
}

TEST_F(Exchanges, AreAHundredWhereThereIsNoTimeForMore) {
  Team pair(Mapping(machine_, Policy::none(), 2));
  EXPECT_EQ(exchange_messages(pair, 1000, 0).size(), 100u);
}

TEST_F(Exchanges, OfOneCpuWithItselfBoundItsOffsetAroundZero) {
  const int cpu = machine_.allowed_cpus().first();
  Team pair(Mapping(machine_, Policy::cpus({cpu}), 2, Oversubscribe::wrap));
  const OffsetBounds bounds = bound_offset(exchange_messages(pair, 100, 0));
  EXPECT_LE(bounds.low, 0);
  EXPECT_GE(bounds.high, 0);
}

}  // namespace
}  // namespace kinjo
