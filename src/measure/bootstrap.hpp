/// The bootstrap: how much a median could differ if the same experiment were done again.
#pragma once

#include <span>

namespace kinjo {

struct Bounds {
  double low = 0;
  double high = 0;
};

/// The percentile bootstrap of the median with 95 % confidence (Efron 1979): 2000 times as many
/// samples as there are, drawn from them with replacement; the 2.5 % and 97.5 % points of those
/// medians. The draws are the same in every run, so equal samples have equal bounds.
///
/// With few samples it promises too much: from 7 samples it holds the median in 87.5 % of cases,
/// not
/// 95. `compare_paired` therefore never takes bounds closer than those of order statistics.
/// Throws `Error` if there are no samples.
Bounds bootstrap_median(std::span<const double> samples);

}  // namespace kinjo
