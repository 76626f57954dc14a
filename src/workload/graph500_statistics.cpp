#include "workload/graph500_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/contract.hpp"

namespace kinjo {

namespace {

/// The value at a share of sorted ones.
double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

Graph500Statistics graph500_statistics(std::span<const double> values) {
  KINJO_ASSERT(!values.empty());
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto n = static_cast<double>(sorted.size());
  double sum = 0, squares = 0;
  for (const double x : sorted) sum += x;
  for (const double x : sorted) squares += (x - sum / n) * (x - sum / n);
  return {.min = sorted.front(),
          .first_quartile = quantile(sorted, 0.25),
          .median = quantile(sorted, 0.5),
          .third_quartile = quantile(sorted, 0.75),
          .max = sorted.back(),
          .mean = sum / n,
          .deviation = n > 1 ? std::sqrt(squares / (n - 1)) : 0};
}

HarmonicMean harmonic_mean(std::span<const double> rates) {
  std::vector<double> inverses;
  for (const double rate : rates) inverses.push_back(1 / rate);
  const Graph500Statistics s = graph500_statistics(inverses);
  const auto n = static_cast<double>(rates.size());
  return {1 / s.mean, n > 1 ? s.deviation / (s.mean * s.mean * std::sqrt(n - 1)) : 0};
}

}  // namespace kinjo
