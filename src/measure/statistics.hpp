/// What a set of samples says, and whether two of them differ.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kinjo {

/// Samples of one quantity. `low` and `high` bound the median with at least 95 % confidence, from
/// order statistics (no assumption on the distribution); with fewer than six samples no such bounds
/// exist, and they are the extremes.
struct Summary {
  std::size_t count = 0;
  double min = 0;
  double median = 0;
  double max = 0;
  double low = 0;
  double high = 0;
};

/// Throws `Error` if there are no samples.
Summary summarize(std::span<const double> samples);

/// Fewest samples that bound a median with 95 % confidence.
inline constexpr std::size_t kLeastSamples = 6;

/// Two series that were measured in turn, sample by sample: the ratios a_i / b_i. What slows a
/// machine down slows both of a pair, so the ratios do not see it. They are handled as logarithms:
/// twice as fast and half as fast are equally far from 1.
struct PairedComparison {
  /// `low` and `high` bound the median ratio with 95 % confidence by the bootstrap over the pairs,
  /// nowhere closer than the order statistics of `Summary`, which hold for few pairs too.
  Summary ratio;
  /// The bounds exclude 1, and there are enough samples for bounds.
  bool differs = false;
};

/// Throws `Error` if the series differ in length, are empty, or hold what is not positive.
PairedComparison compare_paired(std::span<const double> a, std::span<const double> b);

/// The median of the ratios a_i / b_i alone. Throws as `compare_paired` does.
double median_ratio(std::span<const double> a, std::span<const double> b);

}  // namespace kinjo
