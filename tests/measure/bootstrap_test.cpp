#include "measure/bootstrap.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;

TEST(Bootstrap, HasTheSameBoundsEveryTimeAndInWhateverOrder) {
  std::vector<double> samples = {5, 1, 4, 2, 3, 9, 7, 8, 6};
  const Bounds first = bootstrap_median(samples);
  EXPECT_EQ(bootstrap_median(samples).low, first.low);
  EXPECT_EQ(bootstrap_median(samples).high, first.high);
  EXPECT_LT(first.low, 5);
  EXPECT_GT(first.high, 5);
}

TEST(Bootstrap, OfEqualSamplesIsTheirValue) {
  const Bounds bounds = bootstrap_median(std::vector<double>(7, 3.0));
  EXPECT_EQ(bounds.low, 3);
  EXPECT_EQ(bounds.high, 3);
}

/// P(X ≥ k) for X binomial(n, p).
double at_least(std::size_t k, std::size_t n, double p) {
  std::vector<double> ways(n + 1, 0);
  ways[0] = 1;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j > 0; --j) ways[j] = ways[j] * (1 - p) + ways[j - 1] * p;
    ways[0] *= 1 - p;
  }
  double sum = 0;
  for (std::size_t j = k; j <= n; ++j) sum += ways[j];
  return sum;
}

TEST(Bootstrap, AgreesWithTheClosedFormOfTheMediansDistribution) {
  // Efron 1979: of an odd number of samples, the resampled median is at most the k-th of them if
  // more than half of the draws are, which is binomial.
  for (std::size_t n : {7u, 9u, 11u, 15u, 21u, 31u, 51u}) {
    std::vector<double> ranks(n);
    for (std::size_t i = 0; i < n; ++i) ranks[i] = static_cast<double>(i + 1);
    const Bounds bounds = bootstrap_median(ranks);
    const auto cumulative = [&](double k) {
      return at_least(n / 2 + 1, n, k / static_cast<double>(n));
    };
    // 2000 draws know a share of 2.5 % to within 1.4 % (four standard errors).
    EXPECT_GT(cumulative(bounds.low), 0.025 - 0.014) << n;
    EXPECT_LT(cumulative(bounds.low - 1), 0.025 + 0.014) << n;
    EXPECT_GT(cumulative(bounds.high), 0.975 - 0.014) << n;
    EXPECT_LT(cumulative(bounds.high - 1), 0.975 + 0.014) << n;
  }
}

TEST(Bootstrap, HoldsTheTrueMedianInAbout95OutOf100OfManySamples) {
  constexpr int kTrials = 400;
  std::mt19937 random(20240917);
  std::lognormal_distribution<double> distribution(0, 1);
  int held = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> samples(60);
    for (double& sample : samples) sample = distribution(random);
    const Bounds bounds = bootstrap_median(samples);
    held += bounds.low <= 1 && 1 <= bounds.high;
  }
  EXPECT_GE(held, (0.95 - 0.033) * kTrials);  // three standard errors
}

TEST(Bootstrap, RefusesNoSamples) {
  EXPECT_EQ(error_of([] { bootstrap_median({}); }), "invalid_argument: no samples to draw from");
}

}  // namespace
}  // namespace kinjo
