#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;

/// 0, 1, … n − 1: a sample's value is its rank.
std::vector<double> ranks(std::size_t n) {
  std::vector<double> samples(n);
  for (std::size_t i = 0; i < n; ++i) samples[i] = static_cast<double>(i);
  return samples;
}

/// 2ⁿ P(X ≤ k) for X binomial(n, 1/2), exactly; n up to 120 fits.
__extension__ using Integer = unsigned __int128;
Integer ways_up_to(std::size_t k, std::size_t n) {
  Integer binomial = 1, sum = 1;
  for (std::size_t i = 1; i <= k; ++i) {
    binomial = binomial * (n - i + 1) / i;
    sum += binomial;
  }
  return sum;
}

TEST(Summary, HoldsExtremesAndMedianOfUnsortedSamples) {
  struct Case {
    std::vector<double> samples;
    double min, median, max;
  };
  for (const Case& c :
       {Case{{4}, 4, 4, 4}, {{3, 1}, 1, 2, 3}, {{9, -1, 5}, -1, 5, 9}, {{4, 1, 3, 2}, 1, 2.5, 4}}) {
    const Summary summary = summarize(c.samples);
    EXPECT_EQ(summary.count, c.samples.size());
    EXPECT_EQ(summary.min, c.min);
    EXPECT_EQ(summary.median, c.median);
    EXPECT_EQ(summary.max, c.max);
  }
}

TEST(Summary, DoesNotDependOnTheOrderOfSamples) {
  std::vector<double> samples = ranks(13);
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(samples.begin(), samples.end(), random);
    EXPECT_EQ(summarize(samples).low, 2);
    EXPECT_EQ(summarize(samples).high, 10);
  }
}

TEST(Summary, HasTheBoundsOfPublishedTablesForTheMedian) {
  // Ranks (from 1) of the 95 % interval, e.g. Hollander and Wolfe's tables of the sign test.
  struct Case {
    std::size_t n, low, high;
  };
  for (const Case& c : {Case{6, 1, 6},
                        {8, 1, 8},
                        {9, 2, 8},
                        {10, 2, 9},
                        {15, 4, 12},
                        {20, 6, 15},
                        {25, 8, 18},
                        {30, 10, 21},
                        {40, 14, 27},
                        {50, 18, 33},
                        {100, 40, 61}}) {
    const Summary summary = summarize(ranks(c.n));
    EXPECT_EQ(summary.low, static_cast<double>(c.low - 1)) << c.n;
    EXPECT_EQ(summary.high, static_cast<double>(c.high - 1)) << c.n;
  }
}

TEST(Summary, HasTheTightestBoundsOfThatConfidenceByExactIntegers) {
  for (std::size_t n = kLeastSamples; n <= 118; ++n) {
    const Summary summary = summarize(ranks(n));
    const auto k = static_cast<std::size_t>(summary.low);
    const Integer all = Integer{1} << n;
    EXPECT_EQ(summary.high, static_cast<double>(n - 1 - k)) << n;
    EXPECT_LE(ways_up_to(k, n), all / 40) << n << ": each tail may be 2.5 %";
    if (2 * (k + 1) < n) {
      EXPECT_GT(ways_up_to(k + 1, n), all / 40) << n << ": the bounds could be closer";
    }
  }
}

TEST(Summary, KeepsItsBoundsForThousandsOfSamples) {
  for (std::size_t n : {1000u, 1074u, 1076u, 2000u, 10000u}) {
    const double normal = static_cast<double>(n) / 2 - 1.96 * std::sqrt(static_cast<double>(n)) / 2;
    EXPECT_NEAR(summarize(ranks(n)).low, normal, 1.5) << n;
  }
}

TEST(Summary, HasTheExtremesAsBoundsOfFewSamples) {
  for (std::size_t n = 1; n < kLeastSamples; ++n) {
    const Summary summary = summarize(ranks(n));
    EXPECT_EQ(summary.low, summary.min);
    EXPECT_EQ(summary.high, summary.max);
  }
}

TEST(Summary, HoldsTheTrueMedianIn95OutOf100) {
  constexpr int kTrials = 4000;
  std::mt19937 random(20240917);
  // Skewed and heavy-tailed, as times are; its median is 1.
  std::lognormal_distribution<double> distribution(0, 1);
  for (std::size_t n = kLeastSamples; n <= 40; ++n) {
    int held = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> samples(n);
      for (double& sample : samples) sample = distribution(random);
      const Summary summary = summarize(samples);
      held += summary.low <= 1 && 1 <= summary.high;
    }
    // Three standard errors of a share of 0.95 are 0.01.
    EXPECT_GE(held, (0.95 - 0.01) * kTrials) << n;
  }
}

TEST(Summary, RefusesNoSamples) {
  EXPECT_EQ(error_of([] { summarize({}); }), "invalid_argument: no samples to summarize");
}

TEST(PairedComparison, LooksAtRatiosOfPairsAndNotAtTheSeries) {
  // Drift dwarfs the difference, which only pairs show.
  const std::vector<double> drift = {1, 50, 3, 1000, 7, 200};
  std::vector<double> faster;
  for (double d : drift) faster.push_back(1.01 * d);
  const PairedComparison comparison = compare_paired(faster, drift);
  EXPECT_TRUE(comparison.differs);
  EXPECT_NEAR(comparison.ratio.median, 1.01, 1e-12);
  EXPECT_TRUE(compare_paired(drift, faster).differs) << "less differs as well";
}

TEST(PairedComparison, DiffersOnlyIfTheBoundsExcludeOne) {
  struct Case {
    std::vector<double> ratios;
    bool differs;
  };
  for (const Case& c : {
           Case{{1.1, 1.1, 1.1, 1.1, 1.1, 1.1}, true}, Case{{0.9, 0.9, 0.9, 0.9, 0.9, 0.9}, true},
           Case{{1, 1, 1, 1, 1, 1}, false},
           Case{{1.1, 1.1, 1.1, 1.1, 1.1, 0.99}, false},  // six: one exception is too many
           Case{{2, 2, 2, 2, 2, 2, 2, 0.5}, false},       // eight: likewise
           Case{{2, 2, 2, 2, 2, 2, 2, 2, 0.5}, true},     // nine: one is allowed
           Case{{2, 2, 2, 2, 2, 2, 2, 0.5, 0.5}, false},  // and two are not
           Case{{5, 5, 5, 5, 5}, false},                  // too few for any claim
       }) {
    const std::vector<double> ones(c.ratios.size(), 1.0);
    EXPECT_EQ(compare_paired(c.ratios, ones).differs, c.differs) << c.ratios.size();
  }
}

TEST(PairedComparison, RefusesSeriesThatAreNoPairs) {
  const std::vector<double> two = {1, 2}, three = {1, 2, 3};
  EXPECT_EQ(error_of([&] { compare_paired(two, three); }),
            "invalid_argument: paired series must have as many samples as each other");
  EXPECT_EQ(error_of([] { compare_paired({}, {}); }), "invalid_argument: no samples to summarize");
}

}  // namespace
}  // namespace kinjo
