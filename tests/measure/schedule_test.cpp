#include "measure/schedule.hpp"

#include <gtest/gtest.h>

namespace kinjo {
namespace {

/// A clock that the test moves.
struct Clock {
  double seconds = 0;
  Schedule::Now now() {
    return [this] { return seconds; };
  }
};

TEST(Schedule, GivesWhatOptionsSayWhileTimeSuffices) {
  Clock clock;
  Schedule schedule(10, 100, {.samples = 7, .budget_seconds = 0.1}, clock.now());
  for (int i = 0; i < 10; ++i) {
    const ProbeOptions options = schedule.next();
    EXPECT_EQ(options.samples, 7u);
    EXPECT_EQ(options.budget_seconds, 0.1);
    clock.seconds += 1;
  }
}

TEST(Schedule, SharesWhatIsLeftOfAShortTime) {
  Clock clock;
  Schedule schedule(4, 1, {.samples = 7, .budget_seconds = 0.5}, clock.now());
  EXPECT_EQ(schedule.next().budget_seconds, 0.25);
  clock.seconds += 0.4;
  EXPECT_DOUBLE_EQ(schedule.next().budget_seconds, 0.2);
}

TEST(Schedule, AsksForFewerSamplesWhenTheyTakeTooLong) {
  Clock clock;
  Schedule schedule(5, 20, {.samples = 7}, clock.now());
  EXPECT_EQ(schedule.next().samples, 7u);  // nothing is known yet
  clock.seconds += 8;                      // one second for each of 7 samples and the uncounted one
  EXPECT_EQ(schedule.next().samples, 2u);  // 3 s for each of 4 figures
}

TEST(Schedule, AsksForOneSampleOfEachFigureWhenTheTimeIsOver) {
  Clock clock;
  Schedule schedule(5, 1, {.samples = 7}, clock.now());
  schedule.next();
  clock.seconds += 50;
  for (int i = 1; i < 7; ++i) {  // also beyond the number that was said
    const ProbeOptions options = schedule.next();
    EXPECT_EQ(options.samples, 1u);
    EXPECT_EQ(options.budget_seconds, 0);
  }
}

TEST(Schedule, CountsFiguresThatAreSampledTogether) {
  Clock clock;
  Schedule schedule(3, 6, {.samples = 7, .budget_seconds = 100}, clock.now());
  EXPECT_EQ(schedule.next(2).budget_seconds, 4);
  EXPECT_EQ(schedule.done(), 0u);
  schedule.next();
  EXPECT_EQ(schedule.done(), 2u);
  EXPECT_EQ(schedule.total(), 3u);
}

}  // namespace
}  // namespace kinjo
