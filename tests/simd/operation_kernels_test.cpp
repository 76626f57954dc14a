/// The chains and the burst, on every level that this CPU has: as many operations as
/// asked for, on every lane. Their operands make all results exact.
#include "simd/operation_kernels.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "simd/level.hpp"

namespace kinjo::detail {
namespace {

constexpr std::size_t kCounts[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 40};

/// One step in plain C++; `fma` as the standard library rounds it, once.
double step(Operation operation, double x, double y, double z) {
  switch (operation) {
    case Operation::add:
      return x + y;
    case Operation::multiply:
      return x * y;
    case Operation::fma:
      return std::fma(x, y, z);
  }
  return x;
}

double repeated(Operation operation, double x, double y, double z, std::size_t n) {
  for (; n > 0; --n) x = step(operation, x, y, z);
  return x;
}

class OperationKernels : public testing::TestWithParam<SimdLevel> {
  const ForcedLevel level_{GetParam()};
};

constexpr Operation kOperations[] = {Operation::add, Operation::multiply, Operation::fma};

TEST_P(OperationKernels, ScalarChainsTakeAsManyStepsAsAsked) {
  for (Operation operation : kOperations) {
    for (std::size_t n : kCounts) {
      EXPECT_EQ(scalar_chain(operation, 3, 1.5, 0.25, n), repeated(operation, 3, 1.5, 0.25, n))
          << to_string(operation) << ' ' << n << " times";
    }
  }
}

TEST_P(OperationKernels, VectorChainsDoTheSameInEveryLane) {
  for (Operation operation : kOperations) {
    for (std::size_t n : kCounts) {
      std::vector<double> lanes(vector_lanes());
      for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = static_cast<double>(i) - 2;
      vector_chain(operation, lanes.data(), 0.5, 1, n);
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        EXPECT_EQ(lanes[i], repeated(operation, static_cast<double>(i) - 2, 0.5, 1, n))
            << to_string(operation) << ' ' << n << " times, lane " << i;
      }
    }
  }
}

TEST_P(OperationKernels, FusedChainsRoundOnceWhereTheInstructionSetFuses) {
  // x · x = 1 + 2⁻²⁹ + 2⁻⁶⁰, of which the last bit is lost unless the sum is rounded alone.
  const double x = 1 + std::ldexp(1.0, -30);
  const double rounded_once = std::ldexp(1.0, -60);
  const double z = -(1 + std::ldexp(1.0, -29));
  EXPECT_EQ(scalar_chain(Operation::fma, x, x, z, 1), has_fma() ? rounded_once : 0);
  std::vector<double> lanes(vector_lanes(), x);
  vector_chain(Operation::fma, lanes.data(), x, z, 1);
  EXPECT_EQ(lanes, std::vector<double>(vector_lanes(), has_fma() ? rounded_once : 0));
}

TEST_P(OperationKernels, TheBurstTakesEveryLaneOfEveryVectorThroughEveryStep) {
  // With y = 1 a lane of vector k ends at x + k + n·z, and the sum of all is exact.
  const auto lanes = static_cast<double>(vector_lanes());
  const auto vectors = static_cast<double>(burst_vectors());
  for (std::size_t n : {0u, 1u, 2u, 100u}) {
    const double each = 5 + static_cast<double>(n) * 3;
    EXPECT_EQ(burst(Arithmetic::fma, 5.0, 1.0, 3.0, n),
              lanes * (vectors * each + vectors * (vectors - 1) / 2))
        << n;
  }
}

TEST_P(OperationKernels, TheBurstMultipliesToo) {
  // With y = z = 1/2 the lane that begins at 1 + k is at 1 + k/2ⁿ after n steps.
  const auto lanes = static_cast<double>(vector_lanes());
  const auto vectors = static_cast<double>(burst_vectors());
  EXPECT_EQ(burst(Arithmetic::fma, 1.0, 0.5, 0.5, 4),
            lanes * (vectors + vectors * (vectors - 1) / 2 / 16));
}

template <class T>
void expect_burst(Arithmetic arithmetic, T y, T z, T (*step)(T v)) {
  const std::size_t lanes = vector_lanes() == 1 ? 1 : vector_lanes() * sizeof(double) / sizeof(T);
  T sum = 0;
  for (std::size_t k = 0; k < burst_vectors(); ++k) {
    T v = static_cast<T>(k) + 2;
    for (int n = 0; n < 3; ++n) v = step(v);
    sum += v * static_cast<T>(lanes);
  }
  EXPECT_EQ(burst(arithmetic, T{2}, y, z, 3), sum) << static_cast<int>(arithmetic);
}

TEST_P(OperationKernels, TheBurstDoesEachKindOfArithmeticInBothPrecisions) {
  const auto check = []<class T>(T) {
    expect_burst<T>(Arithmetic::add, 0, 3, [](T v) { return v + 3; });
    expect_burst<T>(Arithmetic::multiply, 2, 0, [](T v) { return v * 2; });
    expect_burst<T>(Arithmetic::fma, 2, 1, [](T v) { return v * 2 + 1; });
    expect_burst<T>(Arithmetic::multiply_add, 2, 1, [](T v) { return v * 2 + 1; });
  };
  check(double{});
  check(float{});
}

TEST_P(OperationKernels, ABurstOfFloatsHasTwiceTheLanesWhereThereAreVectors) {
  const double doubles = burst_flops<double>(Arithmetic::fma);
  EXPECT_EQ(doubles, 2.0 * static_cast<double>(burst_vectors() * vector_lanes()));
  EXPECT_EQ(burst_flops<float>(Arithmetic::fma), vector_lanes() == 1 ? doubles : 2 * doubles);
  EXPECT_EQ(burst_flops<double>(Arithmetic::add), doubles / 2);
  EXPECT_EQ(burst_flops<double>(Arithmetic::multiply_add), doubles);
}

INSTANTIATE_TEST_SUITE_P(Level, OperationKernels, testing::ValuesIn(simd_levels()),
                         [](const auto& suite) { return to_string(suite.param); });

TEST(IntegerChains, TakeAsManyStepsAsAsked) {
  for (std::size_t n : kCounts) {
    EXPECT_EQ(integer_chain(Operation::add, 7, 3, n), 7 + 3 * n);
    std::uint64_t power = 7;
    for (std::size_t i = 0; i < n; ++i) power *= 3;
    EXPECT_EQ(integer_chain(Operation::multiply, 7, 3, n), power);
  }
}

TEST(IntegerChains, WrapAround) {
  EXPECT_EQ(integer_chain(Operation::add, ~std::uint64_t{0}, 1, 1), 0u);
  EXPECT_EQ(integer_chain(Operation::multiply, std::uint64_t{1} << 63, 2, 1), 0u);
}

}  // namespace
}  // namespace kinjo::detail
