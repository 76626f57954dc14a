#include "measure/bootstrap.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <kinjo/error.hpp>

namespace kinjo {

namespace {

constexpr std::size_t kResamples = 2000;
constexpr std::uint64_t kSeed = 20060731;

/// A number below `limit`. The standard's own distributions differ between libraries; this does
/// not.
std::size_t below(std::mt19937_64& random, std::size_t limit) {
  return static_cast<std::size_t>(((random() >> 32) * limit) >> 32);
}

/// The median; the order of `values` is lost.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

Bounds bootstrap_median(std::span<const double> samples) {
  if (samples.empty()) throw Error(Errc::invalid_argument, "no samples to draw from");
  std::mt19937_64 random(kSeed);
  std::vector<double> drawn(samples.size());
  std::vector<double> medians(kResamples);
  for (double& median : medians) {
    for (double& value : drawn) value = samples[below(random, samples.size())];
    median = median_of(drawn);
  }
  std::sort(medians.begin(), medians.end());
  constexpr std::size_t kTail = kResamples / 40;  // 2.5 %
  return {medians[kTail], medians[kResamples - 1 - kTail]};
}

}  // namespace kinjo
