#include "measure/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "base/contract.hpp"
#include "base/cycle_clock.hpp"

namespace kinjo {

namespace {

struct Bounds {
  double low;
  double high;
};

/// Counts from one reading to another, which differ by far less than 2⁵³.
double counts(std::uint64_t from, std::uint64_t to) {
  return static_cast<double>(static_cast<std::int64_t>(to - from));
}

double nanoseconds(const BracketedReading& from, const BracketedReading& to) {
  return static_cast<double>(to.reference_ns - from.reference_ns);
}

Bounds bound(const BracketedReading& from, const BracketedReading& to, double step_ns) {
  const double t = nanoseconds(from, to);
  KINJO_ASSERT(t > step_ns);
  return {(counts(from.after, to.before) - 1) / (t + step_ns) * 1e9,
          (counts(from.before, to.after) + 1) / (t - step_ns) * 1e9};
}

double between_middles(const BracketedReading& from, const BracketedReading& to) {
  const double twice = counts(from.before, to.before) + counts(from.after, to.after);
  return twice / 2 / nanoseconds(from, to) * 1e9;
}

}  // namespace

Calibration calibrate(std::span<const BracketedReading> readings, double step_ns) {
  KINJO_ASSERT(readings.size() >= 2);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Bounds common{0, kInfinity};
  Bounds widest{kInfinity, 0};
  Calibration calibration;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    for (std::size_t j = i + 1; j < readings.size(); ++j) {
      const Bounds b = bound(readings[i], readings[j], step_ns);
      common = {std::max(common.low, b.low), std::min(common.high, b.high)};
      if (j > i + 1) continue;
      widest = {std::min(widest.low, b.low), std::max(widest.high, b.high)};
      calibration.samples_hz.push_back(between_middles(readings[i], readings[j]));
    }
  }
  calibration.steady = common.low <= common.high;
  const Bounds& bounds = calibration.steady ? common : widest;
  calibration.low_hz = bounds.low;
  calibration.high_hz = bounds.high;
  return calibration;
}

double error_ppm(const Calibration& calibration, double hz) {
  return std::max(calibration.high_hz - hz, hz - calibration.low_hz) / hz * 1e6;
}

BracketedReading read_bracketed(int tries) {
  BracketedReading best;
  for (int i = 0; i < tries; ++i) {
    timespec now{};
    const std::uint64_t before = detail::read_counter();
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    const std::uint64_t after = detail::read_counter();
    if (i > 0 && after - before >= best.after - best.before) continue;
    best = {before, std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec, after};
  }
  return best;
}

double reference_step_ns() {
  timespec step{};
  clock_getres(CLOCK_MONOTONIC_RAW, &step);
  return static_cast<double>(step.tv_sec) * 1e9 + static_cast<double>(step.tv_nsec);
}

}  // namespace kinjo
