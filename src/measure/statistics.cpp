#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>

#include <kinjo/error.hpp>

namespace kinjo {

namespace {

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/// The largest k for which [x_k, x_(n−1−k)] still holds the median with 95 %: the number of samples
/// below the median is binomial(n, 1/2), and each tail P(X ≤ k) may be 2.5 %. 0 where none does.
std::size_t median_rank(std::size_t n) {
  double term = std::pow(0.5, static_cast<double>(n));
  double tail = term;
  std::size_t k = 0;
  while (2 * (k + 1) < n) {
    term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    if (tail + term > 0.025) break;
    tail += term;
    ++k;
  }
  return k;
}

}  // namespace

Summary summarize(std::span<const double> samples) {
  if (samples.empty()) throw Error(Errc::invalid_argument, "no samples to summarize");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t rank = median_rank(sorted.size());
  return {.count = sorted.size(),
          .min = sorted.front(),
          .median = median_of_sorted(sorted),
          .max = sorted.back(),
          .low = sorted[rank],
          .high = sorted[sorted.size() - 1 - rank]};
}

PairedComparison compare_paired(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) {
    throw Error(Errc::invalid_argument, "paired series must have as many samples as each other");
  }
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
  const Summary ratio = summarize(ratios);
  const bool differs = ratio.count >= kLeastSamples && (ratio.low > 1 || ratio.high < 1);
  return {ratio, differs};
}

}  // namespace kinjo
