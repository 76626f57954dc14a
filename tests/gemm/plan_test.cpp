#include <gtest/gtest.h>
#include <kinjo/gemm_plan.hpp>

#include "simd/level.hpp"

namespace kinjo::gemm {
namespace {

Problem square(std::size_t n, std::size_t threads = 1) {
  Problem p;
  p.m = p.n = p.k = n;
  p.threads = threads;
  p.caches = {32768, 524288, 33554432};
  return p;
}

constexpr CacheSizes kLarge = {std::size_t{48} << 10, std::size_t{2} << 20, std::size_t{256} << 20};

TEST(Plan, ChosenOneHasBlocksAlsoForCachesOfNoSize) {
  Problem p = square(1000);
  p.caches = {0, 0, 0};
  const Plan plan = Plan::choose(p);
  for (const Loop& loop : plan.loops()) {
    if (loop.level == Level::registers) continue;
    EXPECT_GE(loop.block, 4u) << letter(loop.level);
  }
}

TEST(Plan, ChosenOneHasNoFaultForAnyShapeOrderAndTeam) {
  for (const SimdLevel level : simd_levels()) {
    const detail::ForcedLevel forced(level);
    for (const std::size_t m : {1, 5, 64, 129, 1000, 100000}) {
      for (const std::size_t n : {1, 64, 1000, 20000}) {
        for (const std::size_t k : {1, 64, 3000}) {
          for (unsigned orders = 0; orders < 8; ++orders) {
            for (const std::size_t threads : {1, 2, 7, 64}) {
              Problem p = square(1, threads);
              p.m = m;
              p.n = n;
              p.k = k;
              p.a = static_cast<Order>(orders & 1);
              p.b = static_cast<Order>(orders >> 1 & 1);
              p.c = static_cast<Order>(orders >> 2);
              p.nodes = threads > 2 ? 4 : 1;
              p.element_bytes = orders % 3 == 0 ? 4 : 8;
              if (orders % 2 == 1) p.caches = kLarge;
              const Plan plan = Plan::choose(p);
              ASSERT_EQ(plan.fault(p), std::nullopt) << plan.to_string();
              ASSERT_EQ(Plan::parse(plan.to_string(), p), plan);
            }
          }
        }
      }
    }
  }
}

TEST(Plan, SizesBeyondAllMemoryHaveAPlanToo) {
  const std::size_t huge = std::size_t{1} << 62, most = ~std::size_t{0} / 2;
  const std::size_t sizes[] = {0, 1, 2, huge, most};
  for (const std::size_t m : sizes) {
    for (const std::size_t n : sizes) {
      for (const std::size_t k : sizes) {
        for (const Order order : {Order::row_major, Order::column_major}) {
          Problem p = square(1, 8);
          p.m = m;
          p.n = n;
          p.k = k;
          p.c = order;
          const Plan plan = Plan::choose(p);
          ASSERT_EQ(plan.fault(p), std::nullopt) << plan.to_string();
        }
      }
    }
  }
  Problem apart = square(2);
  apart.ld_a = apart.ld_b = std::size_t{1} << 61;
  EXPECT_EQ(Plan::choose(apart).fault(apart), std::nullopt);
}

TEST(Plan, SmallProductsCopyNothing) {
  EXPECT_EQ(Plan::choose(square(60)).to_string(), "V(m)/V(n)");
  EXPECT_EQ(Plan::choose(square(60)).bytes_moved(square(60)).packed, 0);
}

TEST(Plan, ASectionTakesHalfOfASmallL2AndThreeQuartersOfALargerOne) {
  const auto section_bytes = [](std::size_t l2) {
    Problem p = square(4000);
    p.caches.l2 = l2;
    const Plan plan = Plan::choose(p);
    std::size_t inner = p.k, block = 0;
    for (const Loop& loop : plan.loops()) {
      if (loop.level == Level::cache) inner = loop.block;
      if (loop.level == Level::section) block = loop.block;
    }
    return static_cast<double>(block * inner * p.element_bytes);
  };
  for (const SimdLevel level : simd_levels()) {
    const detail::ForcedLevel forced(level);
    EXPECT_NEAR(section_bytes(512 << 10), 256 << 10, 64 << 10) << to_string(level);
    EXPECT_NEAR(section_bytes(1 << 20), 768 << 10, 64 << 10) << to_string(level);
    EXPECT_NEAR(section_bytes(2 << 20), 1 << 20, 64 << 10) << to_string(level);
  }
}

TEST(Plan, AFewSectionsLeaveTheOtherOperandWhereItLiesIfCachesAreLarge) {
  const auto shape = [](Problem p) { return Plan::choose(p).short_form(); };
  for (const SimdLevel level : simd_levels()) {
    const detail::ForcedLevel forced(level);
    Problem p = square(1000, 2);
    EXPECT_EQ(shape(p), "N/C/P//S") << to_string(level);
    p.caches = kLarge;
    EXPECT_EQ(shape(p), "P//S/C") << to_string(level);
    p.a = Order::column_major;  // lines of A no longer lie along k
    EXPECT_EQ(shape(p), "N/C/P//S") << to_string(level);
    p = square(4000, 2);
    p.caches = kLarge;
    EXPECT_EQ(shape(p), "P//S/C") << to_string(level);
    p.threads = 1;  // nobody waits for another to copy
    EXPECT_EQ(shape(p), "N/C/S") << to_string(level);
    p = square(5000, 2);
    p.caches = kLarge;
    EXPECT_EQ(shape(p), "N/C/P//S") << to_string(level);
  }
}

TEST(Plan, SizesJustAboveAPowerOfTwoMakeNoMoreRunsNorPanelsThanIt) {
  const auto block = [](std::size_t n, CacheSizes caches, Level level) {
    Problem p = square(n);
    p.caches = caches;
    for (const Loop& loop : Plan::choose(p).loops()) {
      if (loop.level == level) return loop.block;
    }
    return n;
  };
  for (const SimdLevel level : simd_levels()) {
    const detail::ForcedLevel forced(level);
    EXPECT_GE(block(513, kLarge, Level::cache), 513u) << to_string(level);
    EXPECT_GE(block(1025, kLarge, Level::cache), 513u) << to_string(level);
    EXPECT_LT(block(3000, kLarge, Level::cache), 400u) << to_string(level);
    EXPECT_GE(block(4097, square(1).caches, Level::node), 4097u) << to_string(level);
  }
}

TEST(Plan, OneSmallProductStartsOneTask) {
  EXPECT_EQ(Plan::choose(square(16, 8)).tasks(), 1u);
  EXPECT_EQ(Plan::choose(square(2000, 8)).tasks(), 8u);
}

TEST(Plan, OnSeveralNodesTasksShareTheDimensionThatCIsPlacedBy) {
  Problem p = square(4000, 8);
  p.nodes = 4;
  const Plan plan = Plan::choose(p);
  EXPECT_EQ(plan.short_form(), "N/C/P////////S");
  EXPECT_EQ(plan.loops()[0].dimension, Dimension::n);  // B is copied on each node
  EXPECT_EQ(plan.loops()[2].dimension, Dimension::m);  // rows of A and C are each task's own
}

TEST(Plan, StorageStepsCoverEachElementOnce) {
  const Problem p = square(100);
  const Plan plan = Plan::parse("R(m=30)/R(k=60)/R(n=100)/C", p);
  std::vector<int> seen(100 * 100 * 100);
  for (const StorageStep& s : plan.storage_steps(p)) {
    EXPECT_EQ(s.first_of_k, s.k.begin == 0);
    EXPECT_EQ(s.last_of_k, s.k.end == 100);
    for (std::size_t i = s.m.begin; i < s.m.end; ++i) {
      for (std::size_t j = s.n.begin; j < s.n.end; ++j) {
        for (std::size_t q = s.k.begin; q < s.k.end; ++q) ++seen[(i * 100 + j) * 100 + q];
      }
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 1000000);
  EXPECT_EQ(plan.in_memory().to_string(), Plan::parse("C", p).to_string());
}

TEST(Plan, WhatFitsMovesOnce) {
  const Problem p = square(100);
  const BytesMoved moved = Plan::parse("C/S", p).bytes_moved(p);
  EXPECT_EQ(moved.memory, 8 * 4 * 100 * 100);  // A, B, and C read and written
  EXPECT_EQ(moved.l3, moved.memory);
}

TEST(Plan, AProductOfNothingMovesNothing) {
  for (const Dimension none : {Dimension::m, Dimension::n, Dimension::k}) {
    Problem p = square(1000000);
    (none == Dimension::m ? p.m : none == Dimension::n ? p.n : p.k) = 0;
    const BytesMoved moved = Plan::choose(p).bytes_moved(p);
    EXPECT_EQ(moved.memory, 0) << letter(none);
    EXPECT_EQ(moved.l2, 0) << letter(none);
    EXPECT_EQ(moved.packed, 0) << letter(none);
  }
}

TEST(Plan, WhatDoesNotFitMovesOnceForEachTurnOutside) {
  // B's panel of 100 columns by 50 stays in L3, beside a block of A and one of C; for each panel
  // all of A comes from memory, for each block of k all of C.
  Problem p = square(1000);
  p.c = Order::column_major;
  p.caches.l3 = 8 * (100 * 50 + 100 * 50 + 100 * 100);
  const Plan plan = Plan::parse("N(n=100)/C(k=50)/S(m=100)/V(n)/V(m)", p);
  const double e = 8, n = 1000;
  EXPECT_EQ(plan.bytes_moved(p).memory,
            e * (10 * n * n           // A for each of 10 panels
                 + n * n              // B once
                 + 2 * 20 * n * n));  // C in and out for each of 20 blocks of k
  EXPECT_EQ(plan.bytes_moved(p).packed, e * (10 * n * n + n * n));
}

}  // namespace
}  // namespace kinjo::gemm
