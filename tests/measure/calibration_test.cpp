/// The calibration's arithmetic on readings that were made up, with a frequency that is known.
#include "measure/calibration.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace kinjo {
namespace {

constexpr double kHz = 2.5e9;
constexpr double kStepNs = 1;

/// What a counter of `kHz`, beginning at `start`, and a clock of whole nanoseconds say around the
/// instant `ns`, with the counter read so many counts before and after.
BracketedReading reading(double ns, std::uint64_t early, std::uint64_t late,
                         std::uint64_t start = 1000) {
  const auto exact = static_cast<std::uint64_t>(std::llround(ns * kHz / 1e9));
  return {start + exact - early, static_cast<std::int64_t>(ns), start + exact + late};
}

TEST(Calibration, BoundsTheFrequencyThatTheReadingsWereMadeWith) {
  const std::vector<BracketedReading> readings = {reading(1e6, 20, 70), reading(11e6, 90, 10),
                                                  reading(21e6, 40, 40), reading(31e6, 15, 35)};
  const Calibration c = calibrate(readings, kStepNs);
  EXPECT_TRUE(c.steady);
  EXPECT_EQ(c.samples_hz.size(), 3u);
  EXPECT_LE(c.low_hz, kHz);
  EXPECT_GE(c.high_hz, kHz);
}

TEST(Calibration, BoundsFollowFromTheBracketsAndTheSteps) {
  const std::vector<BracketedReading> readings = {reading(0, 20, 30), reading(1e6, 40, 50)};
  const Calibration c = calibrate(readings, kStepNs);
  // 10⁶ ns are 2500000 counts.
  EXPECT_DOUBLE_EQ(c.low_hz, (2500000.0 - 40 - 30 - 1) / (1e6 + 1) * 1e9);
  EXPECT_DOUBLE_EQ(c.high_hz, (2500000.0 + 50 + 20 + 1) / (1e6 - 1) * 1e9);
  EXPECT_DOUBLE_EQ(c.samples_hz[0], 2.5e9);
}

TEST(Calibration, ErrorIsTheDistanceToTheFartherBound) {
  const Calibration c{.low_hz = 0.999'999e9, .high_hz = 1.000'003e9};
  EXPECT_NEAR(error_ppm(c, 1e9), 3, 1e-6);
  EXPECT_NEAR(error_ppm(c, 1.000'003e9), 4, 1e-4);
}

TEST(Calibration, ALongerTimeNarrowsTheBounds) {
  const auto error_over = [](double ns) {
    const std::vector<BracketedReading> readings = {reading(0, 50, 50), reading(ns, 50, 50)};
    const Calibration c = calibrate(readings, kStepNs);
    return error_ppm(c, c.samples_hz[0]);
  };
  // (100 counts of brackets + 1) / 2.5 counts a ns + 1 ns of the clock, over the time.
  EXPECT_NEAR(error_over(1e6), 41.4, 0.1);
  EXPECT_NEAR(error_over(1e8), 0.414, 0.001);
}

TEST(Calibration, OneWideBracketDoesNotWidenTheBounds) {
  const std::vector<BracketedReading> narrow = {reading(0, 20, 20), reading(2e7, 20, 20)};
  const std::vector<BracketedReading> with_wide = {reading(0, 20, 20), reading(1e7, 90'000, 20),
                                                   reading(2e7, 20, 20)};
  EXPECT_EQ(calibrate(with_wide, kStepNs).low_hz, calibrate(narrow, kStepNs).low_hz);
  EXPECT_EQ(calibrate(with_wide, kStepNs).high_hz, calibrate(narrow, kStepNs).high_hz);
}

TEST(Calibration, SeesClocksThatDriftAndThenClaimsNoMoreThanTheWidestPair) {
  // The counter slows down by a tenth half-way.
  const std::vector<BracketedReading> readings = {
      {1000, 0, 1050}, {2'501'000, 1'000'000, 2'501'050}, {4'751'000, 2'000'000, 4'751'050}};
  const Calibration c = calibrate(readings, kStepNs);
  EXPECT_FALSE(c.steady);
  EXPECT_LE(c.low_hz, 2.25e9);
  EXPECT_GE(c.high_hz, 2.5e9);
}

TEST(Calibration, HoldsAcrossTheCountersEnd) {
  const std::uint64_t start = ~std::uint64_t{0} - 1'000'000;
  const std::vector<BracketedReading> readings = {reading(0, 20, 20, start),
                                                  reading(1e6, 20, 20, start)};
  EXPECT_DOUBLE_EQ(calibrate(readings, kStepNs).samples_hz[0], kHz);
}

TEST(Calibration, AcceptsACounterSlowerThanTheBrackets) {
  // 25 MHz: one count is 40 ns, and both readings around the clock's are the same.
  const std::vector<BracketedReading> readings = {{100, 0, 100}, {250'100, 10'000'000, 250'100}};
  const Calibration c = calibrate(readings, kStepNs);
  EXPECT_LT(c.low_hz, 25e6);
  EXPECT_GT(c.high_hz, 25e6);
  EXPECT_NEAR(error_ppm(c, 25e6), 4.1, 0.01);
}

TEST(Readings, BracketTheClock) {
  const BracketedReading one = read_bracketed(10), two = read_bracketed(10);
  EXPECT_LE(one.before, one.after);
  EXPECT_LE(one.reference_ns, two.reference_ns);
  EXPECT_LE(one.after, two.before);
  EXPECT_GT(reference_step_ns(), 0);
}

}  // namespace
}  // namespace kinjo
