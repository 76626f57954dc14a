#include <kinjo/diagram.hpp>

#include <gtest/gtest.h>

#include "paths/diagram_samples.hpp"
#include "support/expect.hpp"

namespace kinjo::paths {
namespace {

using kinjo::test::error_of;
using test::Mask;
using test::Masks;
using test::Sample;

TEST(DiagramOperations, AreThoseOfFamilies) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 700; ++i) {
    const Sample a = test::random_sample(random, 9), b = test::random_sibling(random, a);
    Masks either, both, only_a, only_one;
    for (Mask mask = 0; mask < Mask{1} << a.items; ++mask) {
      const bool in_a = a.masks.contains(mask), in_b = b.masks.contains(mask);
      if (in_a || in_b) either.insert(mask);
      if (in_a && in_b) both.insert(mask);
      if (in_a && !in_b) only_a.insert(mask);
      if (in_a != in_b) only_one.insert(mask);
    }
    const Diagram x = a.diagram(), y = b.diagram();
    EXPECT_EQ(x | y, test::diagram_of(a.items, either));
    EXPECT_EQ(x & y, test::diagram_of(a.items, both));
    EXPECT_EQ(x - y, test::diagram_of(a.items, only_a));
    EXPECT_EQ(x ^ y, test::diagram_of(a.items, only_one));
    ASSERT_FALSE(HasFailure()) << "families " << i;
  }
}

TEST(DiagramOperations, RestrictToSetsWithAndWithoutItems) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 700; ++i) {
    const Sample sample = test::random_sample(random, 9);
    const Mask wanted = sample.items == 0 ? 0
                                          : static_cast<Mask>(random() & random()) &
                                                ((Mask{1} << sample.items) - 1);
    Masks with, without;
    for (const Mask mask : sample.masks) {
      if ((mask & wanted) == wanted) with.insert(mask);
      if ((mask & wanted) == 0) without.insert(mask);
    }
    const Diagram diagram = sample.diagram();
    EXPECT_EQ(diagram.including(test::set_of(wanted)), test::diagram_of(sample.items, with));
    EXPECT_EQ(diagram.excluding(test::set_of(wanted)), test::diagram_of(sample.items, without));
    ASSERT_FALSE(HasFailure()) << "family " << i;
  }
}

TEST(DiagramOperations, KeepTheFirstOnesNames) {
  const Diagram named = Diagram::power_set(2).with_names({"x", "y"});
  EXPECT_EQ((named & Diagram::power_set(2)).names(), named.names());
  EXPECT_TRUE((Diagram::power_set(2) | named).names().empty());
  EXPECT_EQ(named.including(Set{1}).names(), named.names());
}

TEST(DiagramOperations, RefuseFamiliesOverOtherItems) {
  EXPECT_EQ(error_of([] { (void)(Diagram::none(2) | Diagram::none(3)); }),
            "invalid_argument: one family has 2 items and the other 3: expected the same items");
  EXPECT_EQ(error_of([] { (void)Diagram::none(2).including(Set{2}); }),
            "invalid_argument: item 2: expected less than 2");
}

TEST(DiagramOperations, AreLinearWhereFamiliesShareNothing) {
  std::vector<Item> evens, odds;
  for (Item item = 0; item < 300; ++item) (item % 2 ? odds : evens).push_back(item);
  const Diagram all = Diagram::power_set(300);
  const Diagram a = all.excluding(odds), b = all.excluding(evens);
  EXPECT_EQ(a & b, Diagram::unit(300));
  const Diagram either = a | b;
  EXPECT_LE(either.nodes(), 2 * (a.nodes() + b.nodes()));
  EXPECT_EQ(either.count() + Count(1), a.count() + b.count());
}

}  // namespace
}  // namespace kinjo::paths
