/// The counter's frequency against a reference clock, with bounds that follow from the readings
/// alone.
///
/// A reading of the reference is taken between two of the counter, so that the instant t that it
/// names lies between them: the counter's value then was in [before, after + 1), being a whole
/// number. The reference too counts in whole steps: the instant was in [t, t + step). So two
/// readings 1 and 2 bound the frequency by
///
///     (before₂ − after₁ − 1) / (t₂ − t₁ + step)  <  f  <  (after₂ + 1 − before₁) / (t₂ − t₁ −
///     step)
///
/// and every pair of readings does. What the readings share bounds it best.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kinjo {

struct BracketedReading {
  std::uint64_t before = 0;
  std::int64_t reference_ns = 0;
  std::uint64_t after = 0;
};

struct Calibration {
  std::vector<double> samples_hz;  ///< of each reading and the next, from the middles
  double low_hz = 0;               ///< the frequency lies between these
  double high_hz = 0;
  /// Whether some frequency agrees with all readings. If none does, the two clocks drifted against
  /// each other, and the bounds are the widest of a reading and the next.
  bool steady = true;
};

/// Readings ascending in time, two at least, each later than the one before by more than
/// `step_ns`.
Calibration calibrate(std::span<const BracketedReading> readings, double step_ns);

/// How far `hz` can be from the frequency, in millionths of it.
double error_ppm(const Calibration& calibration, double hz);

/// Reads CLOCK_MONOTONIC_RAW between two readings of the counter: the closest of `tries`.
BracketedReading read_bracketed(int tries);

/// The step of CLOCK_MONOTONIC_RAW in ns.
double reference_step_ns();

}  // namespace kinjo
