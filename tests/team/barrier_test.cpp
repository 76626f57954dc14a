#include <kinjo/barrier.hpp>

#include <atomic>
#include <ostream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace kinjo {
namespace {

struct Case {
  std::size_t threads;
  unsigned spins;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.threads << " threads";
}

class EveryBarrier : public testing::TestWithParam<Case> {};

TEST_P(EveryBarrier, HoldsEveryThreadUntilTheLast) {
  const auto [threads, spins] = GetParam();
  constexpr int kRounds = 300;
  Barrier barrier(threads, spins);
  std::vector<int> written(threads, 0);  // plain memory: the barrier alone orders it
  std::atomic<int> wrong{0};
  std::vector<std::jthread> team;
  for (std::size_t t = 0; t < threads; ++t) {
    team.emplace_back([&, t, n = threads] {
      for (int round = 1; round <= kRounds; ++round) {
        written[t] = round;
        barrier.arrive_and_wait();
        for (std::size_t other = 0; other < n; ++other) wrong += written[other] != round;
        barrier.arrive_and_wait();
      }
    });
  }
  team.clear();
  EXPECT_EQ(wrong.load(), 0);
}

INSTANTIATE_TEST_SUITE_P(Threads, EveryBarrier,
                         testing::Values(Case{1, 100}, Case{2, 1000}, Case{3, 10}, Case{8, 0},
                                         Case{17, 50}),
                         [](const auto& test) {
                           return std::to_string(test.param.threads) + "threads" +
                                  std::to_string(test.param.spins) + "spins";
                         });

TEST(Barrier, RunsTheLastArrivalsFunctionOnceBeforeAnyoneLeaves) {
  Barrier barrier(4);
  int count = 0;
  std::atomic<int> seen{0};
  std::vector<std::jthread> team;
  for (int t = 0; t < 4; ++t) {
    team.emplace_back([&] {
      for (int round = 1; round <= 100; ++round) {
        barrier.arrive_and_wait([&] { ++count; });
        seen += count == round;
        barrier.arrive_and_wait();
      }
    });
  }
  team.clear();
  EXPECT_EQ(count, 100);
  EXPECT_EQ(seen.load(), 400);
}

TEST(Barrier, LetsNobodyWaitOnceItIsBroken) {
  Barrier barrier(2, 10);
  std::atomic<bool> thrown{false};
  std::jthread waiter([&] {
    try {
      barrier.arrive_and_wait();
    } catch (const BarrierBroken&) {
      thrown = true;
    }
  });
  barrier.break_it();
  waiter.join();
  EXPECT_TRUE(thrown.load());
  EXPECT_THROW(barrier.arrive_and_wait(), BarrierBroken);
}

TEST(Barrier, WorksAgainAfterRepair) {
  Barrier barrier(2, 10);
  barrier.break_it();
  EXPECT_THROW(barrier.arrive_and_wait(), BarrierBroken);
  barrier.repair();
  std::jthread other([&] { barrier.arrive_and_wait(); });
  EXPECT_NO_THROW(barrier.arrive_and_wait());
}

}  // namespace
}  // namespace kinjo
