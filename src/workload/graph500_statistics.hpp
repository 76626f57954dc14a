/// What Graph500's output says of many searches.
#pragma once

#include <span>

namespace kinjo {

/// Quartiles lie between the neighbouring order statistics, in proportion.
struct Graph500Statistics {
  double min = 0;
  double first_quartile = 0;
  double median = 0;
  double third_quartile = 0;
  double max = 0;
  double mean = 0;
  double deviation = 0;  ///< √(Σ (x − mean)² / (n − 1)); 0 for one
};

/// Of at least one value.
Graph500Statistics graph500_statistics(std::span<const double> values);

/// The harmonic mean of rates, n / Σ 1/x, and its standard deviation: that of the inverses over
/// their mean squared and √(n − 1) (N. Norris, The standard errors of the geometric and harmonic
/// means, 1940; Graph500 specification).
struct HarmonicMean {
  double mean = 0;
  double deviation = 0;
};
HarmonicMean harmonic_mean(std::span<const double> rates);

}  // namespace kinjo
