/// From repeated work to a `Figure`.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "measure/probe_options.hpp"
#include "measure/profile.hpp"

namespace kinjo {

/// Does the work so many times and returns the seconds that it took.
using TimedWork = std::function<double(std::size_t repetitions)>;

/// Seconds of the clock that samples are timed with (CLOCK_MONOTONIC), from some moment on.
double now_seconds() noexcept;

/// What one reading of that clock may be wrong by: the smallest step that it is seen to make, which
/// holds both its resolution and its cost.
double clock_step_seconds();

/// How long a sample must be at least: `options.sample_seconds` and ten thousand steps of the
/// clock.
double least_sample_seconds(const ProbeOptions& options);

/// The least number of repetitions, roughly, for which the work takes `seconds`: at least that, and
/// at most about twice as long unless a single one takes longer. At most 2⁴⁰, for work that takes
/// no time at all.
std::size_t calibrate_repetitions(const TimedWork& work, double seconds);

/// The figure that samples make. Where the bounds of the median lie more than 10 % of it apart, it
/// carries a warning.
Figure figure_of(std::span<const double> samples, const std::string& unit);

/// The figure of `sample`'s values: one call that is not counted, then `options.samples` and as
/// many more as the budget leaves time for. It carries a warning too if others used the CPUs
/// meanwhile, as far as the system's ticks can tell in so short a time.
Figure take_samples(const ProbeOptions& options, const std::string& unit,
                    const std::function<double()>& sample);

/// Calibrates the work so that a sample takes `least_sample_seconds`, then takes samples of
/// `value(seconds of one repetition)`.
Figure measure(const ProbeOptions& options, const std::string& unit, const TimedWork& work,
               const std::function<double(double seconds)>& value);

}  // namespace kinjo
