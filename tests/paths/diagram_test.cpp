#include <kinjo/diagram.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "paths/diagram_samples.hpp"
#include "support/expect.hpp"

namespace kinjo::paths {
namespace {

using kinjo::test::error_of;
using test::Mask;
using test::Masks;
using test::Sample;

/// Calls `check` for so many random families of up to 10 items, always the same ones.
template <class Check>
void for_samples(int count, Check&& check) {
  std::mt19937_64 random(7);
  for (int i = 0; i < count; ++i) {
    const Sample sample = test::random_sample(random, 10);
    SCOPED_TRACE(testing::Message() << "family " << i << " of " << sample.masks.size()
                                    << " sets over " << sample.items << " items");
    check(sample, sample.diagram(), random);
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::vector<double> random_weights(std::mt19937_64& random, std::size_t items) {
  std::vector<double> weights(items);
  // Small integers, so that sums are exact and ties occur.
  for (double& weight : weights) weight = static_cast<double>(random() % 13) - 6;
  return weights;
}

double weight_of(const Set& set, const std::vector<double>& weights) {
  double sum = 0;
  for (const Item item : set) sum += weights[item];
  return sum;
}

TEST(Diagram, OfNothingIsTheEmptyFamilyOverNoItems) {
  const Diagram diagram;
  EXPECT_EQ(diagram.items(), 0U);
  EXPECT_EQ(diagram.nodes(), 0U);
  EXPECT_TRUE(diagram.empty());
  EXPECT_EQ(diagram.count(), Count(0));
  EXPECT_TRUE(diagram.count_by_size().empty());
  EXPECT_FALSE(diagram.contains({}));
  EXPECT_EQ(diagram, Diagram::none(0));
  EXPECT_NE(diagram, Diagram::none(1));
}

TEST(Diagram, KnowsTheFamilyOfTheEmptySetAlone) {
  for (const std::size_t items : {0, 1, 12}) {
    const Diagram diagram = Diagram::unit(items);
    EXPECT_EQ(diagram.nodes(), 0U);
    EXPECT_FALSE(diagram.empty());
    EXPECT_EQ(diagram.count(), Count(1));
    EXPECT_EQ(diagram.count_by_size(), std::vector<Count>{Count(1)});
    EXPECT_TRUE(diagram.contains({}));
    EXPECT_EQ(test::masks_of(diagram), Masks{0});
    EXPECT_EQ(diagram.lightest(std::vector<double>(items, 1))->set, Set());
    EXPECT_EQ(diagram, test::diagram_of(items, {0}));
    EXPECT_NE(diagram, Diagram::none(items));
  }
}

// A limb takes 8 bytes for each node of two levels, and for ⊥ and ⊤.
TEST(Diagram, TakesNoMoreMemoryToCountThanItMay) {
  const Diagram diagram = Diagram::power_set(128);
  const std::uint64_t enough = diagram.bytes() + std::uint64_t{3 * 8 * 4};
  EXPECT_EQ(diagram.count(enough), diagram.count());
  EXPECT_EQ(error_of([&] { diagram.count(enough - 1); }),
            "out_of_memory: counting the sets of a diagram takes more memory than the limit of 1.3 "
            "KiB: 96 B besides the diagram's 1.2 KiB; expected a larger limit");
}

TEST(Diagram, OfOneItemIsOneNode) {
  const Diagram both = Diagram::power_set(1), one = test::diagram_of(1, {1});
  EXPECT_EQ(both.nodes(), 1U);
  EXPECT_EQ(both.root(), kFirstNode);
  EXPECT_EQ(both.node(kFirstNode).lo, kTop);
  EXPECT_EQ(both.node(kFirstNode).hi, kTop);
  EXPECT_EQ(one.node(kFirstNode).lo, kBottom);
  EXPECT_EQ(both.bytes(), 10U);
}

TEST(Diagram, CountsBeyondOneAndTwoLimbs) {
  for (const unsigned items : {63U, 64U, 65U, 127U, 128U, 129U, 700U}) {
    const Diagram all = Diagram::power_set(items);
    EXPECT_EQ(all.nodes(), items);
    std::vector<std::uint64_t> limbs(items / 64 + 1);
    limbs.back() = std::uint64_t{1} << items % 64;
    EXPECT_EQ(all.count(), Count(limbs));
    const std::vector<Count> sizes = all.count_by_size();
    ASSERT_EQ(sizes.size(), items + 1);
    Count sum;
    for (const Count& count : sizes) sum += count;
    EXPECT_EQ(sum, Count(limbs));
    EXPECT_EQ(sizes[2], Count(items * (items - 1) / 2));
  }
}

TEST(Diagram, CountsBySizeUntilItIsStopped) {
  const Diagram all = Diagram::power_set(2100);
  int asked = 0;
  EXPECT_TRUE(all.count_by_size(0, [&] { return ++asked < 2; }).empty());
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(all.count_by_size(0, [] { return true; }), all.count_by_size());
}

TEST(Diagram, HoldsWhatItWasMadeOf) {
  for_samples(2000, [](const Sample& sample, const Diagram& diagram, std::mt19937_64&) {
    EXPECT_EQ(diagram.count(), Count(sample.masks.size()));
    for (Mask mask = 0; mask < Mask{1} << sample.items; ++mask) {
      ASSERT_EQ(diagram.contains(test::set_of(mask)), sample.masks.contains(mask));
    }
    EXPECT_FALSE(diagram.contains(Set{static_cast<Item>(sample.items)}));
  });
}

TEST(Diagram, IsFoundInWhateverOrderAndHoweverOftenItemsAreSaid) {
  const Diagram diagram = Diagram::of(5, std::vector<Set>{{4, 1, 1}, {3}, {1, 4}});
  EXPECT_EQ(diagram.count(), Count(2));
  EXPECT_TRUE(diagram.contains(Set{4, 1, 4}));
  EXPECT_FALSE(diagram.contains(Set{4, 1, 3}));
}

TEST(Diagram, IsListedInTheOrderOfDictionariesWithEndsLast) {
  const Diagram all = Diagram::power_set(3);
  std::vector<Set> listed;
  for (const Set& set : all.members()) listed.push_back(set);
  EXPECT_EQ(listed, (std::vector<Set>{{0, 1, 2}, {0, 1}, {0, 2}, {0}, {1, 2}, {1}, {2}, {}}));
}

TEST(Diagram, ListsEachMemberOnceInOrder) {
  for_samples(2000, [](const Sample& sample, const Diagram& diagram, std::mt19937_64&) {
    EXPECT_EQ(test::masks_of(diagram), sample.masks);
    Set before;
    std::size_t listed = 0;
    const auto end = static_cast<Item>(sample.items);
    for (Set set : diagram.members()) {
      set.push_back(end);
      EXPECT_TRUE(listed++ == 0 || before < set);
      before = set;
    }
    EXPECT_EQ(listed, sample.masks.size());
  });
}

TEST(Diagram, IsWalkedAgainFromItsBeginning) {
  const Members members = Diagram::power_set(4).members();
  auto it = members.begin();
  ++it;
  EXPECT_EQ(*it, (Set{0, 1, 2}));
  EXPECT_EQ(*members.begin(), (Set{0, 1, 2, 3}));
  EXPECT_EQ(std::ranges::distance(members.begin(), members.end()), 16);
}

TEST(Diagram, CountsItsSetsBySize) {
  for_samples(2000, [](const Sample& sample, const Diagram& diagram, std::mt19937_64&) {
    std::vector<Count> expected;
    for (const Mask mask : sample.masks) {
      const std::size_t size = test::set_of(mask).size();
      if (expected.size() <= size) expected.resize(size + 1);
      expected[size] += Count(1);
    }
    EXPECT_EQ(diagram.count_by_size(), expected);
  });
}

TEST(Diagram, SumsProductsOfWeights) {
  for_samples(2000, [](const Sample& sample, const Diagram& diagram, std::mt19937_64& random) {
    const std::vector<double> weights = random_weights(random, sample.items);
    double expected = 0;
    for (const Mask mask : sample.masks) {
      double product = 1;
      for (const Item item : test::set_of(mask)) product *= weights[item];
      expected += product;
    }
    EXPECT_EQ(diagram.weighted_sum(weights), expected);  // integers below 2^53
  });
}

TEST(Diagram, FindsItsLightestAndItsHeaviestSet) {
  for_samples(2000, [](const Sample& sample, const Diagram& diagram, std::mt19937_64& random) {
    const std::vector<double> weights = random_weights(random, sample.items);
    std::optional<WeightedSet> lightest, heaviest;
    for (const Set& set : diagram.members()) {
      const double weight = weight_of(set, weights);
      if (!lightest || weight < lightest->weight) lightest = {set, weight};
      if (!heaviest || weight > heaviest->weight) heaviest = {set, weight};
    }
    const auto light = diagram.lightest(weights), heavy = diagram.heaviest(weights);
    ASSERT_EQ(light.has_value(), lightest.has_value());
    ASSERT_EQ(heavy.has_value(), heaviest.has_value());
    if (!lightest) return;
    EXPECT_EQ(light->set, lightest->set);
    EXPECT_EQ(light->weight, lightest->weight);
    EXPECT_EQ(heavy->set, heaviest->set);
    EXPECT_EQ(heavy->weight, heaviest->weight);
  });
}

TEST(Diagram, RefusesWeightsThatDoNotFit) {
  const Diagram diagram = Diagram::power_set(3);
  const std::vector<double> two(2), three = {1, std::nan(""), 3};
  EXPECT_EQ(error_of([&] { diagram.weighted_sum(two); }),
            "invalid_argument: 2 weights for 3 items: expected one for each");
  EXPECT_EQ(error_of([&] { diagram.lightest(three); }),
            "invalid_argument: item 1 has the weight nan: expected a finite number");
}

TEST(Diagram, RefusesItemsThatThereAreNot) {
  EXPECT_EQ(error_of([] {
              Diagram::of(3, std::vector<Set>{{0}, {3}});
            }),
            "invalid_argument: set 1 has item 3: expected less than 3");
  EXPECT_EQ(error_of([] { Diagram::none(kMostItems + 1); }),
            "invalid_argument: 4194305 items: expected at most 4194304");
}

TEST(Diagram, KeepsNamesThatDoNotMakeItAnother) {
  const Diagram plain = Diagram::power_set(2);
  const Diagram named = plain.with_names({"a b", "b c"});
  EXPECT_EQ(named.names(), (std::vector<std::string>{"a b", "b c"}));
  EXPECT_EQ(named, plain);
  EXPECT_TRUE(plain.names().empty());
  EXPECT_TRUE(named.with_names({}).names().empty());
  EXPECT_EQ(error_of([&] { plain.with_names({"a"}); }),
            "invalid_argument: 1 names for 2 items: expected one for each");
}

TEST(Diagram, IsWalkedNodeByNode) {
  for_samples(500, [](const Sample& sample, const Diagram& diagram, std::mt19937_64&) {
    std::uint64_t nodes = 0;
    for (Item item = 0; item < sample.items; ++item) nodes += diagram.width(item);
    EXPECT_EQ(nodes, diagram.nodes());
    for (NodeRef ref = kFirstNode; ref < kFirstNode + nodes; ++ref) {
      const Node node = diagram.node(ref);
      const auto below = [&](NodeRef child) {
        return child < kFirstNode || (child < ref && diagram.item(child) > diagram.item(ref));
      };
      ASSERT_TRUE(below(node.lo) && below(node.hi) && node.hi != kBottom);
    }
    EXPECT_TRUE(nodes == 0 || diagram.root() == nodes - 1 + kFirstNode);
  });
}

}  // namespace
}  // namespace kinjo::paths
