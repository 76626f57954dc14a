#include "measure/kernel_limit.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/partitioned_array.hpp>

namespace kinjo {
namespace {

TEST(KernelLimit, IsTheGreaterOneOfMovesAndArithmetic) {
  EXPECT_EQ((KernelLimit{.moves = 3, .arithmetic = 2}.seconds()), 3);
  EXPECT_EQ((KernelLimit{.moves = 1, .arithmetic = 2}.seconds()), 2);
}

TEST(KernelLimit, SaysWhatSetsIt) {
  const struct {
    const char* what;
    KernelLimit limit;
    BoundBy bound;
  } cases[] = {
      {"arithmetic that takes longer", {.moves = 1, .arithmetic = 2}, BoundBy::arithmetic},
      {"loads alone", {.moves = 2, .arithmetic = 1}, BoundBy::loads},
      {"stores that take longer than loads",
       {.moves = 3, .loads = 1, .stores = 2, .arithmetic = 1},
       BoundBy::stores},
      {"loads that take longer than stores",
       {.moves = 3, .loads = 2, .stores = 1, .arithmetic = 1},
       BoundBy::loads},
      {"data beyond the caches",
       {.moves = 2, .arithmetic = 1, .beyond_caches = true},
       BoundBy::memory},
      {"arithmetic even on data beyond the caches",
       {.moves = 1, .arithmetic = 2, .beyond_caches = true},
       BoundBy::arithmetic},
  };
  for (const auto& c : cases) EXPECT_EQ(c.limit.bound_by(), c.bound) << c.what;
}

TEST(BoundBy, HasNames) {
  std::string names;
  for (BoundBy bound : {BoundBy::loads, BoundBy::stores, BoundBy::arithmetic, BoundBy::memory}) {
    names += std::string(to_string(bound)) + ' ';
  }
  EXPECT_EQ(names, "loads stores arithmetic memory ");
}

class Probe : public testing::TestWithParam<std::size_t> {
 protected:
  KernelLimit look(const KernelCost& cost, bool beyond_caches, int looks = 2) {
    std::vector<KernelMemory> parts;
    for (std::size_t t = 0; t < team_.size(); ++t) {
      const Range r = x_.partition().piece(t, 0);
      parts.push_back({&x_[r.begin], &y_[r.begin], r.size() * sizeof(double)});
    }
    KernelLimitProbe probe(team_, cost, sizeof(double), parts, beyond_caches);
    for (int i = 0; i < looks; ++i) probe.look(1e-5);
    return probe.limit();
  }

  Team team_{Mapping(Topology::this_machine(), Policy::none(), GetParam())};
  PartitionedArray<double> x_{team_, 2048};
  PartitionedArray<double> y_{team_, 2048};
};

TEST_P(Probe, TimesTheArithmeticOnlyOfKernelsThatComputeAny) {
  EXPECT_GT(look({.flops = 1, .arithmetic = detail::Arithmetic::add}, false).arithmetic, 0);
  EXPECT_EQ(look({}, false).arithmetic, 0);
}

TEST_P(Probe, TimesLoadsAndStoresAloneWhereEitherMayBeTheLimit) {
  const KernelLimit reads = look({}, false);
  EXPECT_GT(reads.moves, 0);
  EXPECT_EQ(reads.loads, 0);
  EXPECT_EQ(reads.stores, 0);
  for (int loads : {1, 2}) {
    const KernelLimit writes = look({.loads = loads, .stores = 1}, false);
    EXPECT_GT(writes.moves, 0);
    EXPECT_GT(writes.loads, 0);
    EXPECT_GT(writes.stores, 0);
  }
  EXPECT_EQ(look({.stores = 1}, true).stores, 0);
}

TEST_P(Probe, NeverForgetsTheFastestLook) {
  const KernelCost cost{.flops = 2, .loads = 2, .arithmetic = detail::Arithmetic::fma};
  std::vector<KernelMemory> parts;
  for (std::size_t t = 0; t < team_.size(); ++t) {
    const Range r = x_.partition().piece(t, 0);
    parts.push_back({&x_[r.begin], &y_[r.begin], r.size() * sizeof(double)});
  }
  KernelLimitProbe probe(team_, cost, sizeof(double), parts, false);
  probe.look(1e-6);
  for (int i = 0; i < 5; ++i) {
    const KernelLimit before = probe.limit();
    probe.look(1e-6);
    EXPECT_LE(probe.limit().moves, before.moves);
    EXPECT_LE(probe.limit().arithmetic, before.arithmetic);
  }
}

TEST_P(Probe, LeavesNumbersBelowOneAndWhatItOnlyReads) {
  for (double& v : x_.all()) v = 0.625;
  for (double& v : y_.all()) v = -0.875;
  look({.flops = 1, .stores = 1, .in_place = true}, false);
  for (const double v : x_.all()) ASSERT_EQ(v, 0.625);
  for (const double v : y_.all()) ASSERT_EQ(v, 0.75);  // of the stores alone
}

INSTANTIATE_TEST_SUITE_P(Threads, Probe, testing::Values(1, 2));

}  // namespace
}  // namespace kinjo
