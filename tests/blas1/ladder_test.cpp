/// Every rung of the ladder computes the same, on every level that this CPU has.
#include "blas1/ladder.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "blas1/check.hpp"
#include "blas1/samples.hpp"
#include "simd/level.hpp"

namespace kinjo::detail {
namespace {

class Ladder : public testing::TestWithParam<SimdLevel> {
  const ForcedLevel level_{GetParam()};
};

std::optional<std::string> fault_of(LadderKernel kernel, const LadderRung& rung, std::size_t n) {
  const auto x = test::numbers<double>(n), before = test::numbers<double>(n, 7);
  std::vector<double> y = before;
  const double result = rung.call(x.data(), y.data(), n);
  switch (kernel) {
    case LadderKernel::sum:
      return check_sum<double>(x, result, blas1::Mode::fast);
    case LadderKernel::sum_of_squares:
      return check_sum_of_squares<double>(x, result, blas1::Mode::fast);
    case LadderKernel::dot:
      return check_dot<double>(x, before, result, blas1::Mode::fast);
    case LadderKernel::axpy:
      break;
  }
  return check_axpy<double>(0, 0x1p-40, x, before, y, blas1::Mode::fast);
}

TEST_P(Ladder, ComputesTheSameOnEveryRungForEveryLength) {
  for (const LadderKernel kernel : kLadderKernels) {
    for (const LadderRung& rung : ladder_rungs(kernel)) {
      for (std::size_t n = 0; n <= 140; ++n) {
        EXPECT_EQ(fault_of(kernel, rung, n), std::nullopt)
            << to_string(kernel) << ", " << rung.name << ", " << n << " elements";
      }
    }
  }
}

TEST_P(Ladder, ClimbsFromThePlainLoopToTheLibrary) {
  std::vector<std::string> names;
  for (const LadderRung& rung : ladder_rungs(LadderKernel::sum)) names.emplace_back(rung.name);
  if (GetParam() == SimdLevel::scalar) {
    EXPECT_THAT(names, testing::ElementsAre("plain", "library"));
    return;
  }
  EXPECT_THAT(names,
              testing::ElementsAre("plain", "1 vector", "2 vectors", "3 vectors", "4 vectors",
                                   "5 vectors", "6 vectors", "8 vectors", "library"));
}

TEST_P(Ladder, SaysHowManyRunningSumsEachRungHas) {
  for (const LadderRung& rung : ladder_rungs(LadderKernel::dot)) {
    const std::string name = rung.name;
    const std::size_t sums = name == "plain" ? 1 : name == "library" ? 0 : std::stoul(name);
    EXPECT_EQ(rung.sums, sums) << name;
  }
  for (const LadderRung& rung : ladder_rungs(LadderKernel::axpy)) EXPECT_EQ(rung.sums, 0u);
}

INSTANTIATE_TEST_SUITE_P(Level, Ladder, testing::ValuesIn(simd_levels()),
                         [](const auto& suite) { return to_string(suite.param); });

}  // namespace
}  // namespace kinjo::detail
