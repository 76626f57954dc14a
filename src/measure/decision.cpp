#include "measure/decision.hpp"

#include "measure/statistics.hpp"

namespace kinjo {

double median_gain(std::span<const double> baseline, std::span<const double> other, Better better) {
  return better == Better::higher ? median_ratio(other, baseline) : median_ratio(baseline, other);
}

std::optional<std::size_t> choose_candidate(std::span<const std::vector<double>> samples,
                                            std::size_t baseline, Better better) {
  std::optional<std::size_t> best;
  double best_ratio = 0;
  for (std::size_t c = 0; c < samples.size(); ++c) {
    if (c == baseline || samples[c].empty()) continue;
    const double ratio = median_gain(samples[baseline], samples[c], better);
    if (best && ratio <= best_ratio) continue;
    best = c;
    best_ratio = ratio;
  }
  return best;
}

Verdict decide(std::span<const double> baseline, std::span<const double> candidate, Better better,
               double least_gain) {
  const PairedComparison comparison = better == Better::higher
                                          ? compare_paired(candidate, baseline)
                                          : compare_paired(baseline, candidate);
  const Summary& ratio = comparison.ratio;
  const double least = 1 + least_gain;
  return {.better = better,
          .pairs = ratio.count,
          .gain = ratio.median,
          .low = ratio.low,
          .high = ratio.high,
          .least_gain = least_gain,
          .differs = comparison.differs && (ratio.median >= least || ratio.median <= 1 / least)};
}

}  // namespace kinjo
