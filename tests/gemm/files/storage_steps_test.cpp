#include "gemm/files/storage_steps.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo::gemm {
namespace {

using test::error_of;

Problem problem(std::size_t m, std::size_t n, std::size_t k) {
  Problem p;
  p.m = m;
  p.n = n;
  p.k = k;
  return p;
}

StorageChoice cut(std::size_t mc, std::size_t nc, std::size_t kc, Dimension outer) {
  StorageChoice s;
  s.mc = mc;
  s.nc = nc;
  s.kc = kc;
  s.outer = outer;
  return s;
}

TEST(Remaining, AreTheNumbersWithoutThoseThatAreGone) {
  const struct {
    std::vector<Range> gone;
    std::vector<std::size_t> left;  ///< of five
  } cases[] = {
      {{}, {0, 1, 2, 3, 4}},         {{{0, 2}}, {2, 3, 4}},       {{{1, 2}, {3, 4}}, {0, 2, 4}},
      {{{0, 1}, {4, 9}}, {1, 2, 3}}, {{{2, 5}}, {0, 1}},          {{{0, 5}}, {}},
      {{{0, 1}, {1, 3}}, {3, 4}},    {{{6, 7}}, {0, 1, 2, 3, 4}},
  };
  for (const auto& c : cases) {
    const Remaining r(5, c.gone);
    ASSERT_EQ(r.count(), c.left.size());
    for (std::size_t i = 0; i < r.count(); ++i) EXPECT_EQ(r.at(i), c.left[i]);
    for (std::size_t number = 0; number <= 5; ++number) {
      EXPECT_EQ(r.below(number),
                std::ranges::count_if(c.left, [&](std::size_t left) { return left < number; }));
    }
  }
}

TEST(StorageSteps, AreThoseOfThePlan) {
  for (const Dimension outer : {Dimension::m, Dimension::n}) {
    for (const auto& p :
         {problem(10, 20, 30), problem(7, 1, 5), problem(0, 0, 0), problem(4, 5, 0)}) {
      for (const auto& s : {cut(3, 7, 30, outer), cut(10, 6, 9, outer), cut(4, 20, 11, outer)}) {
        Plan plan;
        plan.add({Level::storage, s.outer, s.outer == Dimension::m ? s.mc : s.nc});
        plan.add(s.outer == Dimension::m ? Loop{Level::storage, Dimension::n, s.nc}
                                         : Loop{Level::storage, Dimension::m, s.mc});
        plan.add({Level::storage, Dimension::k, s.kc});
        const auto expected = plan.storage_steps(p);
        const StorageSteps steps(s, p);
        ASSERT_EQ(steps.count(), expected.size());
        std::size_t panel = 0;
        for (std::size_t i = 0; i < steps.count(); ++i) {
          const StorageStep step = steps.step(i);
          EXPECT_EQ(step.m, expected[i].m);
          EXPECT_EQ(step.n, expected[i].n);
          EXPECT_EQ(step.k, expected[i].k);
          EXPECT_EQ(step.first_of_k, expected[i].first_of_k);
          EXPECT_EQ(step.last_of_k, expected[i].last_of_k);
          EXPECT_EQ(steps.panel(i), panel);
          panel += step.last_of_k;
        }
        EXPECT_EQ(steps.panels(), panel);
      }
    }
  }
}

TEST(StorageSteps, ThatCannotBeCountedAreRefused) {
  const std::size_t large = std::size_t{1} << 40;
  EXPECT_EQ(error_of([&] { StorageSteps(cut(1, 1, 1, Dimension::m), problem(large, 2, large)); }),
            "bad_input: 1099511627776 × 2 panels of 1099511627776 steps each are more than can be "
            "counted: expected larger blocks of R");
}

/// What a step needs of an operand.
UnitOrder::Unit unit_of(const StorageStep& step, bool is_a, bool is_long, std::size_t k) {
  return {is_a ? step.m : step.n, is_long ? Range{0, k} : step.k};
}
bool same(const UnitOrder::Unit& x, const UnitOrder::Unit& y) {
  return x.along == y.along && x.inner == y.inner;
}

/// Each step finds its unit, each fetch is there with the first step that uses it, and what is
/// fetched is no more than what must be.
void check_order(const StorageSteps& steps, Dimension along, bool is_long, std::size_t slots) {
  const UnitOrder order(steps, along, is_long, slots);
  // A panel that is finished between others may count as the first that needs a unit.
  const bool is_whole = steps.panels_left().ranges().size() <= 1;
  std::size_t changes = 0;
  std::vector<UnitOrder::Unit> distinct;
  for (std::size_t i = 0; i < steps.count(); ++i) {
    const std::size_t fetch = order.of_step(i);
    const auto needed = unit_of(steps.step(i), along == Dimension::m, is_long, steps.inner().size);
    ASSERT_LT(fetch, order.fetches());
    ASSERT_TRUE(same(order.unit(fetch), needed)) << i;
    EXPECT_LE(order.first_step(fetch), i);
    changes += i == 0 || fetch != order.of_step(i - 1);
    if (std::ranges::none_of(distinct, [&](const auto& unit) { return same(unit, needed); })) {
      distinct.push_back(needed);
      if (is_whole) {
        EXPECT_EQ(order.first_step(fetch), i);
      }
    }
  }
  if (is_whole) {
    EXPECT_EQ(order.fetches(), distinct.size() <= slots ? distinct.size() : changes);
  } else {
    EXPECT_GE(order.fetches(), distinct.size());
  }
}

TEST(UnitOrder, BringsEachStepItsUnitAndNoneTwiceWhereAllHaveSlots) {
  const std::vector<std::vector<Range>> finished = {{},        {{0, 1}},         {{0, 5}},
                                                    {{0, 11}}, {{0, 1}, {2, 3}}, {{0, 7}, {8, 9}}};
  const Problem p = problem(10, 20, 30);
  for (const auto& s : {cut(3, 7, 30, Dimension::m), cut(3, 7, 12, Dimension::n),
                        cut(10, 2, 9, Dimension::m), cut(1, 20, 30, Dimension::n)}) {
    for (const auto& panels : finished) {
      const StorageSteps steps(s, p, panels);
      for (const Dimension along : {Dimension::m, Dimension::n}) {
        for (const bool is_long : {false, true}) {
          for (const std::size_t slots : {1, 2, 100}) check_order(steps, along, is_long, slots);
        }
      }
    }
  }
}

}  // namespace
}  // namespace kinjo::gemm
