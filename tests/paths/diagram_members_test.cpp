#include <kinjo/diagram_members.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "paths/diagram_samples.hpp"
#include "support/expect.hpp"

namespace kinjo::paths {
namespace {

using kinjo::test::error_of;

/// Σ (seen − expected)² / expected over all sets, each being as likely.
double chi_square(const std::map<Set, int>& seen, std::size_t sets, int draws) {
  const double expected = static_cast<double>(draws) / static_cast<double>(sets);
  double sum = (static_cast<double>(sets) - static_cast<double>(seen.size())) * expected;
  for (const auto& [set, times] : seen) sum += (times - expected) * (times - expected) / expected;
  return sum;
}

TEST(Sampler, DrawsEachSetAsOftenAsAnyOther) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20; ++i) {
    const test::Sample sample = test::random_sample(random, 7);
    if (sample.masks.size() < 2) continue;
    const Diagram diagram = sample.diagram();
    Sampler sampler(diagram, 17);
    std::map<Set, int> seen;
    const int draws = static_cast<int>(sample.masks.size()) * 200;
    for (int d = 0; d < draws; ++d) ++seen[sampler.next()];
    for (const auto& [set, times] : seen) EXPECT_TRUE(sample.has(set));
    // A normal distribution of sets − 1 and variance twice that, four standard deviations off.
    const double degrees = static_cast<double>(sample.masks.size()) - 1;
    EXPECT_LT(chi_square(seen, sample.masks.size(), draws),
              degrees + 4 * std::sqrt(2 * degrees) + 8);
  }
}

TEST(Sampler, IsRightWhereCountsExceedEveryDouble) {
  // 2^1999 sets with item 0, and one without it.
  std::vector<Item> all(2000);
  for (Item item = 0; item < all.size(); ++item) all[item] = item;
  const Diagram with = Diagram::power_set(2000).including(std::vector<Item>{0});
  Sampler sampler(with | Diagram::unit(2000), 5);
  std::vector<int> times(2000);
  for (int d = 0; d < 1000; ++d) {
    for (const Item item : sampler.next()) ++times[item];
  }
  EXPECT_EQ(times[0], 1000);
  const auto [least, greatest] = std::minmax_element(times.begin() + 1, times.end());
  EXPECT_GT(*least, 420);  // five standard deviations
  EXPECT_LT(*greatest, 580);
}

// 8 bytes for each node, and 16 for those of two levels: two nodes, and ⊥ and ⊤.
TEST(Sampler, TakesNoMoreMemoryThanItMay) {
  const Diagram diagram = Diagram::power_set(1000);
  const std::uint64_t enough = diagram.bytes() + 8 * 1002 + 16 * 4;
  EXPECT_EQ(Sampler(diagram, 1, enough).next(), Sampler(diagram, 1).next());
  EXPECT_EQ(error_of([&] { Sampler(diagram, 1, enough - 1); }),
            "out_of_memory: drawing sets takes more memory than the limit of 17.7 KiB: 7.9 KiB "
            "besides the diagram's 9.8 KiB; expected a larger limit");
}

TEST(Sampler, GivesTheSameSetsForTheSameSeed) {
  const Diagram diagram = Diagram::power_set(40);
  Sampler a(diagram, 9), b(diagram, 9), other(diagram, 10);
  std::vector<Set> of_a, of_b, of_other;
  for (int d = 0; d < 10; ++d) {
    of_a.push_back(a.next());
    of_b.push_back(b.next());
    of_other.push_back(other.next());
  }
  EXPECT_EQ(of_a, of_b);
  EXPECT_NE(of_a, of_other);
  EXPECT_EQ(a.draw(3), of_a[3]);
}

TEST(Sampler, DrawsTheOnlySet) {
  EXPECT_EQ(Sampler(Diagram::unit(0)).next(), Set());
  EXPECT_EQ(Sampler(test::diagram_of(3, {5})).next(), (Set{0, 2}));
}

TEST(Sampler, RefusesAFamilyOfNoSet) {
  EXPECT_EQ(error_of([] { Sampler sampler(Diagram::none(4)); }),
            "invalid_argument: cannot draw a set: the family has none");
}

TEST(ByWeight, ListsEachMemberOnceFromTheLightestOn) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 600; ++i) {
    const test::Sample sample = test::random_sample(random, 9);
    std::vector<double> weights(sample.items);
    for (double& weight : weights) weight = static_cast<double>(random() % 21) - 10;
    ByWeight by_weight(sample.diagram(), weights);
    test::Masks seen;
    double before = -1e9;
    while (const auto next = by_weight.next()) {
      double weight = 0;
      for (const Item item : next->set) weight += weights[item];
      EXPECT_EQ(next->weight, weight);
      EXPECT_GE(weight, before);
      before = weight;
      EXPECT_TRUE(seen.insert(test::mask_of(next->set)).second);
    }
    EXPECT_EQ(seen, sample.masks);
    EXPECT_FALSE(by_weight.next().has_value());
  }
}

TEST(ByWeight, BeginsWithTheLightestOfVeryMany) {
  std::vector<double> weights(500, 1);
  weights[123] = 0.5;
  ByWeight by_weight(Diagram::power_set(500), weights);
  EXPECT_EQ(by_weight.next()->set, Set());
  EXPECT_EQ(by_weight.next()->set, Set{123});
  EXPECT_EQ(by_weight.next()->weight, 1);
}

TEST(ByWeight, EndsWhereItsMemoryDoes) {
  const Diagram all = Diagram::power_set(30);
  const std::vector<double> weights(30, 1);
  constexpr std::uint64_t kLimit = 1 << 20;
  ByWeight by_weight(all, weights, kLimit);
  std::size_t found = 0;
  const auto list_on = [&] {
    while (by_weight.next()) ++found;
  };
  const std::string error = error_of(list_on);
  EXPECT_TRUE(
      error.starts_with("out_of_memory: listing sets by weight takes more memory than the "
                        "limit of 1 MiB: "))
      << error;
  EXPECT_GT(found, 200U);
  EXPECT_LT(found, 20'000U);
  EXPECT_EQ(error_of(list_on), error);  // and none was lost
  EXPECT_EQ(error_of([&] { ByWeight(all, weights, 300); }),
            "out_of_memory: listing sets by weight takes more memory than the limit of 300 B: "
            "240 B besides the diagram's 300 B; expected a larger limit");
}

TEST(ByWeight, RefusesWeightsThatDoNotFit) {
  EXPECT_EQ(error_of([] { ByWeight by_weight(Diagram::unit(2), std::vector<double>(3)); }),
            "invalid_argument: 3 weights for 2 items: expected one for each");
}

}  // namespace
}  // namespace kinjo::paths
