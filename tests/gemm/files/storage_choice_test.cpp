#include "gemm/files/storage_choice.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <kinjo/gemm.hpp>

#include "base/text.hpp"
#include "support/expect.hpp"

namespace kinjo::gemm {
namespace {

using test::error_of;

constexpr std::size_t kMebi = 1 << 20;

Problem problem(std::size_t m, std::size_t k, std::size_t n, std::size_t threads = 2) {
  Problem p;
  p.m = m;
  p.k = k;
  p.n = n;
  p.threads = threads;
  p.caches = {};
  return p;
}

/// Bytes that the steps of a plan read if the last unit of A and of B is all that stays.
double read_by_steps(const StorageChoice& s, const Problem& p) {
  double bytes = 0;
  Range am, ak, bk, bn;
  const auto same = [](Range x, Range y) { return x.begin == y.begin && x.end == y.end; };
  const Range all{0, p.k};
  for (const StorageStep& step : s.plan(p).storage_steps(p)) {
    const Range a_inner = s.a.is_long ? all : step.k, b_inner = s.b.is_long ? all : step.k;
    if (!same(am, step.m) || !same(ak, a_inner)) {
      bytes += static_cast<double>(step.m.size() * a_inner.size() * p.element_bytes);
    }
    if (!same(bn, step.n) || !same(bk, b_inner)) {
      bytes += static_cast<double>(step.n.size() * b_inner.size() * p.element_bytes);
    }
    am = step.m, ak = a_inner, bn = step.n, bk = b_inner;
  }
  return bytes;
}

TEST(StorageChoice, FitsEveryBudgetFromTheLeastOn) {
  for (const auto& p :
       {problem(8192, 8192, 8192), problem(100000, 64, 64), problem(64, 100000, 64),
        problem(1, 1, 1), problem(5000, 3000, 7001), problem(300, 300, 100000),
        problem(10000000, 300, 64, 1), problem(64, 300, 10000000), problem(3000000, 8, 3000000),
        problem(300, 250, 200), problem(1000, 700, 900), problem(130, 129, 5000)}) {
    const std::size_t least = least_storage(p);
    EXPECT_THROW(choose_storage(p, {}, least - 1), Error);
    for (const std::size_t budget : {least, least + kMebi / 4, 3 * least / 2, 2 * least,
                                     least + 10 * kMebi, least + 300 * kMebi}) {
      const StorageChoice s = choose_storage(p, {}, budget);
      EXPECT_LE(s.memory_bytes, budget);
      EXPECT_EQ(s.plan(p).fault(p), std::nullopt) << s.plan(p).to_string();
      EXPECT_LE(s.mc, p.m);
      EXPECT_LE(s.nc, p.n);
      EXPECT_LE(s.kc, p.k);
    }
  }
}

TEST(StorageChoice, APlanFitsTheBudgetForWhichItWasChosen) {
  // A run that goes on takes the plan that was recorded.
  for (const auto& p : {problem(2048, 2048, 2048), problem(8192, 8192, 8192),
                        problem(100000, 64, 64), problem(64, 100000, 64), problem(1, 1, 1),
                        problem(5000, 3000, 7001), problem(300, 300, 100000)}) {
    const std::size_t least = least_storage(p);
    for (std::size_t budget = least; budget < least + 300 * kMebi; budget += 7 * kMebi / 2) {
      const StorageChoice s = choose_storage(p, {}, budget);
      const Plan plan = s.plan(p);
      EXPECT_LE(least_storage(p, plan), budget) << plan.to_string();
      EXPECT_EQ(choose_storage(p, plan, budget).copies_bytes, s.copies_bytes) << plan.to_string();
    }
  }
}

TEST(StorageChoice, WhatDoesNotFitIsToldWithTheLeastThatDoes) {
  const Problem p = problem(700, 600, 500);
  const std::size_t least = least_storage(p);
  EXPECT_EQ(error_of([&] { choose_storage(p, {}, 4096); }),
            "out_of_memory: no panels fit 4 KiB: expected at least " + detail::format_bytes(least));
}

TEST(StorageChoice, MoreMemoryNeverCostsMore) {
  const Problem p = problem(4096, 4096, 4096);
  double before = 1e300;
  for (std::size_t budget = 16; budget <= 600; budget *= 2) {
    const double cost = choose_storage(p, {}, budget * kMebi).cost(p);
    EXPECT_LE(cost, before) << budget;
    before = cost;
  }
}

TEST(StorageChoice, SectionsAreInPartsWhereThatLeavesRoomForWholeLines) {
  const Problem p = problem(4096, 4096, 4096);
  const StorageChoice s = choose_storage(p, {}, 27 * kMebi);
  EXPECT_EQ(choose_storage(p, {}, 600 * kMebi).parts, 1U);
  EXPECT_GT(s.parts, 1U);
  EXPECT_EQ(s.nc, p.n);
  Problem step = p;
  step.m = s.mc, step.k = s.kc;
  EXPECT_LT(s.copies_bytes, copies_bytes(step, Plan::choose(step)));
  // As a plan that is given it is the same.
  const StorageChoice again = choose_storage(p, s.plan(p), 27 * kMebi);
  EXPECT_EQ(again.plan(p, s.plan(p)).to_string(), s.plan(p).to_string());
}

TEST(StorageChoice, CopiesAreThoseOfAStep) {
  const Problem p = problem(4096, 4096, 4096);
  const StorageChoice s = choose_storage(p, {}, 36 * kMebi);
  // A copy for all rows of A would leave no room for whole lines of B.
  EXPECT_EQ(s.nc, p.n);
  EXPECT_LT(s.copies_bytes, copies_bytes(p, Plan::choose(p)) / 2);
  const Plan given = Plan::parse("N(m=4096)/C(k=256)/P(n)//S(n=120)", p);
  const StorageChoice by_given = choose_storage(p, given, 36 * kMebi);
  Problem step = p;
  step.m = by_given.mc, step.n = by_given.nc, step.k = by_given.kc;
  EXPECT_EQ(by_given.copies_bytes, copies_bytes(step, given));
}

TEST(StorageChoice, MatricesThatFitAreReadOnce) {
  const Problem p = problem(2000, 2000, 2000);
  const StorageChoice s = choose_storage(p, {}, 1000 * kMebi);
  EXPECT_EQ(s.read_bytes, 2.0 * 2000 * 2000 * 8);
  EXPECT_EQ(s.written_bytes, 2000.0 * 2000 * 8);
}

TEST(StorageChoice, ReadsWhatItsStepsNeedWhereUnitsAreWholeLines) {
  const Problem p = problem(4096, 4096, 4096);
  int tried = 0;
  for (const std::size_t budget : {48, 64, 100, 200, 400}) {
    const StorageChoice s = choose_storage(p, {}, budget * kMebi);
    if (s.a.is_kept || s.b.is_kept || s.nc < p.n || !s.a.is_long) continue;
    EXPECT_EQ(s.read_bytes, read_by_steps(s, p)) << budget;
    ++tried;
  }
  EXPECT_GT(tried, 1);
}

TEST(StorageChoice, AQuarterOfTheDataIsEnoughForADiskToKeepUp) {
  // At 2 GB/s and 80 GFLOP/s a thread: the work takes at least as long as the transfers.
  for (const std::size_t n : {8192, 16384, 32768}) {
    const Problem p = problem(n, n, n);
    const StorageChoice s = choose_storage(p, {}, 3 * n * n * 8 / 4 - 80 * kMebi);
    EXPECT_LT(s.moved() / 2e9, 2.0 * static_cast<double>(n * n) * static_cast<double>(n) / 160e9)
        << n;
    EXPECT_LT((s.first_bytes + s.last_bytes) / s.moved(), 0.06) << n;
  }
}

TEST(StorageChoice, PanelsAndTheUnitsThatComeTakeTurnsWhereThatSavesMemory) {
  const Problem p = problem(8192, 8192, 8192);
  const StorageChoice s = choose_storage(p, {}, 350 * kMebi);
  const std::size_t panels = s.memory_bytes - s.copies_bytes;
  EXPECT_TRUE(s.takes_turns);
  EXPECT_EQ(s.read_bytes, 6.0 * 512 * kMebi);  // A once, B for each of five panels
  const double long_units = 3.0 * static_cast<double>(s.mc * p.k * p.element_bytes);
  const double steps = 2.0 * static_cast<double>(s.kc * p.n * p.element_bytes);
  EXPECT_GE(static_cast<double>(panels), long_units + steps);
  EXPECT_LE(static_cast<double>(panels), long_units + steps + 4 * kMebi);
  // Units of A are ten times as large as panels of C: one more of them would cost more.
  const Problem deep = problem(4096, 40960, 4096);
  EXPECT_FALSE(
      choose_storage(deep, Plan::parse("R(m=256)/R(k=256)/N/P//S", deep), 600 * kMebi).takes_turns);
}

TEST(StorageChoice, GivenStorageLoopsAreKept) {
  const Problem p = problem(1000, 1000, 1000);
  const Plan plan = Plan::parse("R(n=300)/R(m=200)/R(k=100)/N/P//S", p);
  const StorageChoice s = choose_storage(p, plan, 100 * kMebi);
  EXPECT_EQ(s.outer, Dimension::n);
  EXPECT_EQ(s.plan(p, plan).to_string(), plan.to_string());
  const Plan inside_k = Plan::parse("R(k=100)/R(m=200)/N(n=400)/P//S(m=100)", p);
  EXPECT_EQ(
      error_of([&] { choose_storage(p, inside_k, 100 * kMebi); }),
      "bad_input: plan 'R(k=100)/R(m=200)/N(n=400)/P(n)//S(m=100)/V(m)/V(n)': R(k=100): expected "
      "no R inside of R(k): a panel of C is written once, when it is finished");
}

TEST(StorageChoice, SlotsOfMoreBytesThanANumberCountsFitNoBudget) {
  constexpr std::size_t kLines = 2'247'410'340'364'225;  // times 8208 bytes: 2^64 and 7184 more
  EXPECT_GT(slot_shape({128, kLines, 2, 8}, kLines, 1).bytes, std::size_t{1} << 59);
  Problem p;
  p.m = p.n = 2;
  p.k = kLines;
  const Plan plan = Plan::parse("R(n=1)/R(m=1)/R(k=4096)/C(k=64)", p);
  const StorageChoice choice = choose_storage(p, plan, std::size_t{1} << 30);
  EXPECT_FALSE(choice.b.is_long);
  EXPECT_GT(choice.memory_bytes, std::size_t{4096} * 8208);
}

TEST(StorageChoice, SlotsKeepAddressesCongruentToTheFile) {
  const FileLayout layout{128, 100, 1001, 8};
  const SlotShape shape = slot_shape(layout, 10, 200);
  EXPECT_FALSE(shape.is_one_run);
  EXPECT_EQ(shape.leading % kDirectBlock, layout.line_bytes() % kDirectBlock);
  EXPECT_GE(shape.leading, 200 * 8 + 2 * kDirectBlock);
  const SlotShape whole = slot_shape(layout, 10, 1001);
  EXPECT_TRUE(whole.is_one_run);
  EXPECT_EQ(whole.leading, layout.line_bytes());
}

}  // namespace
}  // namespace kinjo::gemm
