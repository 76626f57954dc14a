/// How often work is repeated, how many samples are taken, and what makes a figure doubtful.
#include "measure/sampling.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

/// Work that takes so long by its own account, and counts its calls.
struct Work {
  double overhead;
  double each;
  std::vector<std::size_t> calls;
  TimedWork timed() {
    return [this](std::size_t repetitions) {
      calls.push_back(repetitions);
      return overhead + each * static_cast<double>(repetitions);
    };
  }
};

TEST(Calibration, RepeatsUntilASampleIsAsLongAsAskedAndNotMuchLonger) {
  for (double each : {1e-9, 3e-8, 1e-6, 4.9e-4}) {
    Work work{.overhead = 1e-7, .each = each};
    const auto repetitions = static_cast<double>(calibrate_repetitions(work.timed(), 1e-3));
    EXPECT_GE(work.overhead + each * repetitions, 1e-3) << each;
    EXPECT_LE(each * repetitions, 2e-3) << each;
    EXPECT_LE(work.calls.size(), 12u) << each;
  }
}

TEST(Calibration, IsContentWithOneRepetitionOfLongWork) {
  Work work{.overhead = 0, .each = 0.5};
  EXPECT_EQ(calibrate_repetitions(work.timed(), 1e-3), 1u);
  EXPECT_THAT(work.calls, testing::Each(1));
}

TEST(Calibration, IsNotMisledByALookWhileOthersHadTheCpu) {
  Work work{.overhead = 1e-7, .each = 1e-6};
  const TimedWork disturbed = [&, timed = work.timed()](std::size_t repetitions) {
    return timed(repetitions) + (work.calls.size() % 3 == 1 ? 4e-3 : 0);
  };
  EXPECT_GE(calibrate_repetitions(disturbed, 1e-3), 900u);
}

TEST(Calibration, EndsForWorkThatTakesNoTime) {
  Work work{.overhead = 0, .each = 0};
  EXPECT_EQ(calibrate_repetitions(work.timed(), 1e-3), std::size_t{1} << 40);
}

TEST(Calibration, IsNotMisledByAClockThatStandsStillForShortWork) {
  // A clock in steps of 4 ms.
  const TimedWork work = [](std::size_t repetitions) {
    return static_cast<double>(repetitions / 4000) * 4e-3;
  };
  const std::size_t repetitions = calibrate_repetitions(work, 0.4);
  EXPECT_GE(repetitions, 400'000u);
  EXPECT_LE(repetitions, 800'000u);
}

TEST(Samples, AreAsManyAsAskedForWhereThereIsNoTimeForMore) {
  double value = 0;
  const Figure figure =
      take_samples({.samples = 9, .budget_seconds = 0}, "ns", [&] { return ++value; });
  EXPECT_EQ(figure.summary.count, 9u);
  EXPECT_EQ(figure.unit, "ns");
  EXPECT_EQ(figure.summary.min, 2) << "the first value is not counted";
  EXPECT_EQ(figure.summary.median, 6);
  EXPECT_EQ(figure.summary.max, 10);
}

TEST(Samples, GoOnUntilTheBudgetIsSpent) {
  const double start = now_seconds();
  const Figure figure =
      take_samples({.samples = 2, .budget_seconds = 0.02}, "ns", [] { return 1.0; });
  EXPECT_GE(now_seconds() - start, 0.02);
  EXPECT_GT(figure.summary.count, 2u);
}

TEST(Samples, WarnWhereTheMediansBoundsLieFarApart) {
  const auto figure_of = [](double step) {
    double value = 100;
    return take_samples({.samples = 6, .budget_seconds = 0}, "GB/s", [&] { return value += step; });
  };
  EXPECT_EQ(figure_of(1).warning, "");
  EXPECT_EQ(figure_of(10).warning, "the bounds of the median lie more than 10 % of it apart");
}

TEST(Measure, HandsSecondsOfOneRepetitionToTheUnitsArithmetic) {
  Work work{.overhead = 0, .each = 2e-6};
  const Figure figure = measure({.samples = 6, .budget_seconds = 0, .sample_seconds = 1e-3}, "GB/s",
                                work.timed(), [](double seconds) { return 4000 / seconds / 1e9; });
  EXPECT_NEAR(figure.summary.median, 2, 1e-9);
  EXPECT_GE(work.calls.back(), 500u);
}

TEST(ClockStep, IsPositiveAndFarBelowASecond) {
  EXPECT_GT(clock_step_seconds(), 0);
  EXPECT_LT(clock_step_seconds(), 0.1);
}

}  // namespace
}  // namespace kinjo
