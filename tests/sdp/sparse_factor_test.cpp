/// Sparse factors of random matrices, against the matrices.
#include "sdp/sparse_factor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sdp/solver_samples.hpp"

namespace kinjo::sdp::detail {
namespace {

using test::Draw;
using test::sdp_mapping;

/// A symmetric matrix by some places of its upper triangle, in no order, and in full.
struct Sample {
  std::size_t n;
  std::vector<Position> pattern;
  std::vector<double> values;
  std::vector<double> full;
};

/// Rows whose diagonal is left out of the pattern get it by `diagonal` later, if at all.
enum class Diagonal { of_all_rows, of_even_rows };

Sample sample(Draw& draw, std::size_t n, std::size_t entries, Diagonal diagonal) {
  Sample s{n, {}, {}, std::vector<double>(n * n)};
  for (std::size_t k = 0; k < entries; ++k) {
    const std::size_t i = draw.below(n), j = draw.below(n);
    if (i != j) s.full[i * n + j] = s.full[j * n + i] = draw.number();
  }
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 1;
    for (std::size_t j = 0; j < n; ++j) sum += std::abs(s.full[j * n + i]);
    s.full[i * n + i] = sum;
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i; j < n; ++j) {
      const bool left_out = i == j && i % 2 == 1 && diagonal == Diagonal::of_even_rows;
      if (s.full[i * n + j] == 0 || left_out) continue;
      s.pattern.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
      s.values.push_back(s.full[i * n + j]);
    }
  }
  return s;
}

std::vector<double> times(const Sample& s, const double* x) {
  std::vector<double> y(s.n);
  for (std::size_t i = 0; i < s.n; ++i) {
    for (std::size_t j = 0; j < s.n; ++j) y[i] += s.full[i * s.n + j] * x[j];
  }
  return y;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-12) << i;
}

struct Size {
  std::size_t order, entries;
};
const std::vector<Size> kSizes = {{1, 0},   {2, 3},     {5, 4},    {30, 0},
                                  {40, 60}, {100, 250}, {60, 4000}};

TEST(SdpSparseFactor, SolvesForOneRightHandSide) {
  Draw draw(1);
  for (const Size& size : kSizes) {
    const Sample s = sample(draw, size.order, size.entries, Diagonal::of_all_rows);
    SparseFactor factor(s.n, s.pattern);
    ASSERT_TRUE(factor.factorise(s.values));
    std::vector<double> x = draw.numbers(s.n);
    const std::vector<double> b = x;
    factor.solve(x.data());
    expect_near(times(s, x.data()), b);
  }
}

TEST(SdpSparseFactor, AddsADiagonalThatThePatternLacks) {
  Draw draw(2);
  for (const Size& size : kSizes) {
    const Sample s = sample(draw, size.order, size.entries, Diagonal::of_even_rows);
    std::vector<double> rest(s.n);
    for (std::size_t i = 1; i < s.n; i += 2) rest[i] = s.full[i * s.n + i];
    SparseFactor factor(s.n, s.pattern);
    ASSERT_TRUE(factor.factorise(s.values, rest));
    std::vector<double> x = draw.numbers(s.n);
    const std::vector<double> b = x;
    factor.solve(x.data());
    expect_near(times(s, x.data()), b);
    if (s.n > 1) {
      EXPECT_FALSE(factor.factorise(s.values)) << "without the diagonal it is not definite";
    }
  }
}

TEST(SdpSparseFactor, AddsTheDiagonalToWhatIsThere) {
  Draw draw(3);
  Sample s = sample(draw, 30, 50, Diagonal::of_all_rows);
  std::vector<double> extra = draw.numbers(s.n);
  for (double& v : extra) v += 2;
  SparseFactor factor(s.n, s.pattern);
  ASSERT_TRUE(factor.factorise(s.values, extra));
  for (std::size_t i = 0; i < s.n; ++i) s.full[i * s.n + i] += extra[i];
  std::vector<double> x = draw.numbers(s.n);
  const std::vector<double> b = x;
  factor.solve(x.data());
  expect_near(times(s, x.data()), b);
}

/// y = L⁻¹ P x has the length of A⁻¹'s norm of x, and Pᵀ L⁻ᵀ y is A⁻¹ x.
TEST(SdpSparseFactor, SolvesByHalves) {
  Draw draw(4);
  for (const Size& size : kSizes) {
    const Sample s = sample(draw, size.order, size.entries, Diagonal::of_all_rows);
    SparseFactor factor(s.n, s.pattern);
    ASSERT_TRUE(factor.factorise(s.values));
    const std::vector<double> b = draw.numbers(s.n);
    std::vector<double> half(s.n), whole(s.n), solved = b;
    factor.forward(b.data(), half.data());
    factor.backward(half.data(), whole.data());
    factor.solve(solved.data());
    expect_near(whole, solved);
    double square = 0, product = 0;
    for (std::size_t i = 0; i < s.n; ++i) {
      square += half[i] * half[i];
      product += b[i] * solved[i];
    }
    EXPECT_NEAR(square, product, 1e-12 * (1 + product));
  }
}

TEST(SdpSparseFactor, SolvesForManyColumnsOverACrew) {
  Draw draw(5);
  const Sample s = sample(draw, 90, 200, Diagonal::of_all_rows);
  SparseFactor factor(s.n, s.pattern);
  ASSERT_TRUE(factor.factorise(s.values));
  for (const std::size_t threads : {1, 2, 3}) {
    Team team(sdp_mapping(threads));
    for (const std::size_t columns : {0, 1, 15, 16, 17, 100}) {
      const std::size_t ld = s.n + 4;
      const std::vector<double> b = draw.numbers(columns * ld);
      std::vector<double> x = b;
      factor.solve(Crew(team), x.data(), columns, ld);
      for (std::size_t c = 0; c < columns; ++c) {
        const std::vector<double> column(b.begin() + static_cast<std::ptrdiff_t>(c * ld),
                                         b.begin() + static_cast<std::ptrdiff_t>(c * ld + s.n));
        expect_near(times(s, x.data() + c * ld), column);
        for (std::size_t i = s.n; i < ld; ++i) ASSERT_EQ(x[c * ld + i], b[c * ld + i]);
      }
    }
  }
}

TEST(SdpSparseFactor, SaysWhenAMatrixIsNotDefiniteAndCanBeUsedAgain) {
  Draw draw(6);
  const Sample s = sample(draw, 50, 120, Diagonal::of_all_rows);
  SparseFactor factor(s.n, s.pattern);
  for (std::size_t k = 0; k < s.pattern.size(); ++k) {
    if (s.pattern[k].row != s.pattern[k].column) continue;
    std::vector<double> broken = s.values;
    broken[k] = -1;
    ASSERT_FALSE(factor.factorise(broken)) << "row " << s.pattern[k].row;
  }
  EXPECT_FALSE(factor.factorise(std::vector<double>(s.values.size(), 0.0)));
  ASSERT_TRUE(factor.factorise(s.values));
  std::vector<double> x = draw.numbers(s.n);
  const std::vector<double> b = x;
  factor.solve(x.data());
  expect_near(times(s, x.data()), b);
}

/// An arrow needs no fill-in if its point is eliminated last: minimum degree finds that.
TEST(SdpSparseFactor, OrdersAnArrowWithoutFillIn) {
  const std::uint32_t n = 50;
  std::vector<Position> pattern;
  for (std::uint32_t i = 1; i < n; ++i) pattern.push_back({0, i});
  SparseFactor factor(n, pattern);
  EXPECT_EQ(factor.entries(), 2 * n - 1u);
  EXPECT_GE(factor.operations(), 2.0 * n);
  const double operations = factor.operations();
  ASSERT_TRUE(
      factor.factorise(std::vector<double>(pattern.size(), 0.1), std::vector<double>(n, 1)));
  EXPECT_EQ(factor.entries(), 2 * n - 1u) << "what is counted does not change by factorising";
  EXPECT_EQ(factor.operations(), operations);
  std::vector<Position> all;
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i <= j; ++i) all.push_back({i, j});
  }
  const SparseFactor dense(n, all);
  EXPECT_EQ(dense.entries(), n * (n + 1) / 2u);
  EXPECT_GT(dense.operations(), n * n * n / 3.0);
}

TEST(SdpSparseFactor, MovesToAnotherOwner) {
  Draw draw(7);
  const Sample s = sample(draw, 10, 10, Diagonal::of_all_rows);
  SparseFactor first(s.n, s.pattern);
  SparseFactor second = std::move(first);
  ASSERT_TRUE(second.factorise(s.values));
  std::vector<double> x = draw.numbers(s.n);
  const std::vector<double> b = x;
  second.solve(x.data());
  expect_near(times(s, x.data()), b);
}

}  // namespace
}  // namespace kinjo::sdp::detail
