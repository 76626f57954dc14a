/// Every kernel at every level that this CPU has, against one number at a time.
#include "sdp/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sdp/solver_samples.hpp"
#include "simd/level.hpp"

namespace kinjo::sdp::detail {
namespace {

using test::Draw;

constexpr double kUntouched = -777;

class SdpKernels : public testing::TestWithParam<SimdLevel> {
 private:
  const kinjo::detail::ForcedLevel level_{GetParam()};
};

/// Sums of up to a few hundred products of numbers below 1, whatever was fused.
void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], 1e-13 * (1 + std::abs(expected[i]))) << "at " << i;
  }
}

std::vector<Position> random_positions(Draw& draw, std::size_t n, std::size_t count) {
  std::vector<Position> positions(count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto [low, high] = std::minmax({draw.below(n), k % 3 == 0 ? 0 : draw.below(n)});
    positions[k] = {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high)};
    if (k % 5 == 0) positions[k].row = positions[k].column;
  }
  return positions;
}

TEST_P(SdpKernels, CombineAddsBothProductsOffTheDiagonalAndOneOnIt) {
  Draw draw(1);
  for (const std::size_t n : {1, 2, 7, 8, 9}) {
    for (std::size_t rank = 1; rank <= 6; ++rank) {
      for (const std::size_t count : {0, 1, 2, 7, 8, 9, 30}) {
        const auto x = draw.numbers(n * rank * kLanes), v = draw.numbers(n * rank * kLanes);
        const auto positions = random_positions(draw, n, count);
        std::vector<double> found((count + 1) * kLanes, kUntouched), expected = found;
        kernels().combine(x.data(), v.data(), rank, positions.data(), count, found.data());
        kReferenceKernels.combine(x.data(), v.data(), rank, positions.data(), count,
                                  expected.data());
        expect_near(found, expected);
      }
    }
  }
}

TEST_P(SdpKernels, CombineIsTheFormulaOfTheHeader) {
  Draw draw(2);
  const std::size_t n = 5, rank = 3;
  const auto x = draw.numbers(n * rank * kLanes), v = draw.numbers(n * rank * kLanes);
  const Position positions[] = {{1, 4}, {2, 2}};
  std::vector<double> found(2 * kLanes), expected(2 * kLanes);
  kernels().combine(x.data(), v.data(), rank, positions, 2, found.data());
  const auto at = [&](const std::vector<double>& a, std::size_t row, std::size_t q,
                      std::size_t lane) { return a[(row * rank + q) * kLanes + lane]; };
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t q = 0; q < rank; ++q) {
      expected[lane] +=
          at(x, 1, q, lane) * at(v, 4, q, lane) + at(x, 4, q, lane) * at(v, 1, q, lane);
      expected[kLanes + lane] += at(x, 2, q, lane) * at(v, 2, q, lane);
    }
  }
  expect_near(found, expected);
}

TEST_P(SdpKernels, SymmetriseAddsTheTransposeOffTheDiagonal) {
  Draw draw(3);
  for (const std::size_t n : {1, 2, 3, 8, 17}) {
    for (const std::size_t count : {0, 1, 7, 8, 9, 40}) {
      const auto u = draw.numbers(n * n * kLanes);
      const auto positions = random_positions(draw, n, count);
      std::vector<double> found((count + 1) * kLanes, kUntouched), expected = found;
      kernels().symmetrise(u.data(), n, positions.data(), count, found.data());
      for (std::size_t k = 0; k < count; ++k) {
        const auto [s, t] = positions[k];
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          double& sum = expected[k * kLanes + lane] = u[(s * n + t) * kLanes + lane];
          if (s != t) sum += u[(t * n + s) * kLanes + lane];
        }
      }
      EXPECT_EQ(found, expected);
      std::vector<double> plain((count + 1) * kLanes, kUntouched);
      kReferenceKernels.symmetrise(u.data(), n, positions.data(), count, plain.data());
      EXPECT_EQ(found, plain);
    }
  }
}

/// Ranges of 0, 1, 2 … terms, places from `shift` on.
TEST_P(SdpKernels, DotsAddTermsOfEveryRangeAndOfNone) {
  Draw draw(4);
  for (const std::size_t count : {0, 1, 2, 7, 8, 9, 25}) {
    for (const std::size_t shift : {0, 5}) {
      const std::size_t places = 11;
      std::vector<std::size_t> begins = {3};  // the first range need not begin at 0
      for (std::size_t j = 0; j < count; ++j) begins.push_back(begins.back() + (j + 7) % 9);
      std::vector<std::uint32_t> place(begins.back());
      for (auto& p : place) p = static_cast<std::uint32_t>(shift + draw.below(places));
      const auto values = draw.numbers(begins.back()), sums = draw.numbers(places * kLanes);
      std::vector<double> found((count + 1) * kLanes, kUntouched), expected = found;
      kernels().dots(begins.data(), count, place.data(), values.data(), sums.data(), shift,
                     found.data());
      kReferenceKernels.dots(begins.data(), count, place.data(), values.data(), sums.data(), shift,
                             expected.data());
      expect_near(found, expected);
    }
  }
}

/// `forward` or `backward`.
using Solve = void (*KernelSet::*)(const FactorView&, double*);

/// A lower triangle by columns, the diagonal first, of some density.
struct Triangle {
  std::vector<int> begins = {0}, rows;
  std::vector<double> values;

  Triangle(Draw& draw, std::size_t n, std::size_t every) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = j; i < n; ++i) {
        if (i != j && draw.below(every) != 0) continue;
        rows.push_back(static_cast<int>(i));
        values.push_back(i == j ? 2 + draw.number() : draw.number() / 4);
      }
      begins.push_back(static_cast<int>(rows.size()));
    }
  }
  FactorView view() const { return {begins.size() - 1, begins.data(), rows.data(), values.data()}; }
  /// L B for what `forward` undoes, Lᵀ B for `backward`.
  std::vector<double> times(const std::vector<double>& b, Solve solve) const {
    std::vector<double> product(b.size());
    for (std::size_t j = 0; j + 1 < begins.size(); ++j) {
      for (int e = begins[j]; e < begins[j + 1]; ++e) {
        std::size_t to = static_cast<std::size_t>(rows[e]), from = j;
        if (solve == &KernelSet::backward) std::swap(to, from);
        for (std::size_t s = 0; s < kSides; ++s) {
          product[to * kSides + s] += values[e] * b[from * kSides + s];
        }
      }
    }
    return product;
  }
};

TEST_P(SdpKernels, ForwardAndBackwardSolveWithAFactorOfAnyDensity) {
  Draw draw(5);
  for (const std::size_t n : {1, 2, 3, 8, 17, 40}) {
    for (const std::size_t every : {1, 2, 5, 1000}) {
      const Triangle triangle(draw, n, every);
      const auto b = draw.numbers(n * kSides);
      for (const Solve solve : {&KernelSet::forward, &KernelSet::backward}) {
        std::vector<double> found = b, plain = b;
        (kernels().*solve)(triangle.view(), found.data());
        (kReferenceKernels.*solve)(triangle.view(), plain.data());
        expect_near(found, plain);
        expect_near(triangle.times(found, solve), b);
      }
    }
  }
}

TEST_P(SdpKernels, DoNothingForAFactorOfOrderNought) {
  const int begins[] = {0};
  const FactorView empty{0, begins, nullptr, nullptr};
  kernels().forward(empty, nullptr);
  kernels().backward(empty, nullptr);
}

INSTANTIATE_TEST_SUITE_P(Level, SdpKernels, testing::ValuesIn(simd_levels()),
                         [](const auto& suite) -> std::string { return to_string(suite.param); });

}  // namespace
}  // namespace kinjo::sdp::detail
