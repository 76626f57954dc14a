#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "measure/bootstrap.hpp"

namespace kinjo {

namespace {

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/// P(X = k) for X binomial(n, 1/2); by logarithms, since 2⁻ⁿ is 0 in a double for large n.
double probability_below(std::size_t k, std::size_t n) {
  const auto log_factorial = [](std::size_t m) { return std::lgamma(static_cast<double>(m) + 1); };
  return std::exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) -
                  static_cast<double>(n) * std::log(2.0));
}

/// The largest k for which [x_k, x_(n−1−k)] still holds the median with 95 %: the number of samples
/// below the median is binomial(n, 1/2), and each tail P(X ≤ k) may be 2.5 %. 0 where none does.
std::size_t median_rank(std::size_t n) {
  double tail = probability_below(0, n);
  std::size_t k = 0;
  while (2 * (k + 1) < n) {
    tail += probability_below(k + 1, n);
    if (tail > 0.025) break;
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

namespace {

/// The logarithms of the ratios a_i / b_i.
std::vector<double> log_ratios(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) {
    throw Error(Errc::invalid_argument, "paired series must have as many samples as each other");
  }
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] > 0 && b[i] > 0)) {
      throw Error(Errc::invalid_argument,
                  fmt::format("pair {} is {} and {}: expected positive samples", i, a[i], b[i]));
    }
    ratios.push_back(std::log(a[i]) - std::log(b[i]));
  }
  return ratios;
}

}  // namespace

PairedComparison compare_paired(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> logs = log_ratios(a, b);
  Summary ratio = summarize(logs);
  const Bounds drawn = bootstrap_median(logs);
  ratio.low = std::min(ratio.low, drawn.low);
  ratio.high = std::max(ratio.high, drawn.high);
  for (double* log : {&ratio.min, &ratio.median, &ratio.max, &ratio.low, &ratio.high}) {
    *log = std::exp(*log);
  }
  return {ratio, ratio.count >= kLeastSamples && (ratio.low > 1 || ratio.high < 1)};
}

double median_ratio(std::span<const double> a, std::span<const double> b) {
  return std::exp(summarize(log_ratios(a, b)).median);
}

}  // namespace kinjo
