#include <random>

#include <gtest/gtest.h>
#include <kinjo/sdp_generators.hpp>

#include "sdp/reference/least_squares.hpp"
#include "simd/level.hpp"

namespace kinjo::sdp::detail::reference {
namespace {

template <class Real>
std::vector<Real> random_values(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<Real> values(count);
  for (Real& v : values) v = Real(value(random)) + Real(value(random) * 1e-17);
  return values;
}

double difference(DoubleDouble a, DoubleDouble b) { return std::abs(to_double(a - b)); }

TEST(SdpReferenceProduct, IsExactToTwiceTheDigitsAtEveryLevelAndSize) {
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    for (const std::size_t rows : {1, 3, 7, 8, 9, 16, 21}) {
      for (const std::size_t columns_count : {1, 3, 4, 5, 9}) {
        const std::size_t inner = 13;
        const auto a = random_values<DoubleDouble>(rows * inner, 1);
        const auto b = random_values<DoubleDouble>(inner * columns_count, 2);
        auto c = random_values<DoubleDouble>(rows * columns_count, 3);
        const auto before = c;
        subtract_product({rows, columns_count, inner}, columns(a.data(), rows),
                         transposed(columns(b.data(), columns_count)), columns(c.data(), rows));
        for (std::size_t j = 0; j < columns_count; ++j) {
          for (std::size_t i = 0; i < rows; ++i) {
            DoubleDouble sum = before[j * rows + i];
            for (std::size_t p = 0; p < inner; ++p) {
              sum -= a[p * rows + i] * b[p * columns_count + j];
            }
            EXPECT_LT(difference(sum, c[j * rows + i]), 1e-29) << rows << " rows, row " << i;
          }
        }
      }
    }
  }
}

TEST(SdpReferenceProduct, TakesBothTrianglesOfSparseMatricesAtEveryLevel) {
  const std::size_t n = 4;
  const auto u = random_values<DoubleDouble>(n * n, 6);
  const Entry entries[] = {{0, 0, 0, 0.1}, {0, 1, 3, -0.7}, {0, 2, 2, 3}};
  const DoubleDouble expected = u[0] * 0.1 + (u[3 * n + 1] + u[n + 3]) * -0.7 + u[2 * n + 2] * 3;
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    const auto found = inner_product(entries, columns(u.data(), n));
    EXPECT_LT(difference(found, expected), 1e-31);
  }
}

/// A Aᵀ + I
std::vector<DoubleDouble> definite(std::size_t n) {
  const auto a = random_values<DoubleDouble>(n * n, 4);
  std::vector<DoubleDouble> c(n * n);
  for (std::size_t i = 0; i < n; ++i) c[i * n + i] = DoubleDouble(1);
  add_product({n, n, n}, columns(a.data(), n), transposed(columns(a.data(), n)),
              columns(c.data(), n));
  return c;
}

TEST(SdpReferenceFactor, TimesItsTransposeIsTheMatrixAndItsInverseInverts) {
  for (const std::size_t n : {1, 5, 16, 17, 40}) {
    Blocks<DoubleDouble> a(std::vector<Block>{{static_cast<std::uint32_t>(n)}});
    std::ranges::copy(definite(n), a.block(0));
    const auto l = lower_factor(a);
    ASSERT_TRUE(l);
    const auto again = product(*l, transposed(*l)), one = product(inverse_of_lower(*l), *l);
    for (std::size_t i = 0; i < n * n; ++i) {
      EXPECT_LT(difference(again.block(0)[i], a.block(0)[i]), 1e-27);
      EXPECT_LT(difference(one.block(0)[i], DoubleDouble(i % (n + 1) == 0 ? 1 : 0)), 1e-27);
    }
    a.block(0)[n * n - 1] = DoubleDouble(-1);
    EXPECT_FALSE(lower_factor(a));
  }
}

TEST(SdpReferenceFactor, SolvesSystemsInHalfTheMemory) {
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    // With one panel, with several, and with a last one of one column.
    for (const std::size_t n : {1, 5, 16, 17, 40, 129, 257}) {
      const auto a = definite(n);
      LowerPanels<DoubleDouble> half(n);
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = j; i < n; ++i) half(i, j) = a[j * n + i];
      }
      auto l = half;
      ASSERT_TRUE(factorise_in_place(l, [](std::size_t, DoubleDouble v) { return root(v); }));
      const auto b = random_values<DoubleDouble>(n, 7);
      auto x = b, rest = b, again = b;
      solve_factorised(l, x.data());
      subtract_product({n, 1, n}, columns(a.data(), n), columns<const DoubleDouble>(x.data(), n),
                       columns(rest.data(), n));
      subtract_symmetric(half, x.data(), again.data());
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_LT(std::abs(to_double(rest[i])), 1e-26) << n;
        EXPECT_LT(std::abs(to_double(again[i])), 1e-26) << n;
      }
    }
  }
}

TEST(SdpReferenceFactor, RefusesWhatIsNotDefinite) {
  LowerPanels<double> half(2);
  half(0, 0) = half(1, 1) = 1;
  half(1, 0) = 2;
  EXPECT_FALSE(factorise_in_place(half, [](std::size_t, double v) { return v > 0 ? v : 0; }));
}

/// A point that is feasible on neither side.
Frame<DoubleDouble> frame_of(const Problem& problem) {
  Frame<DoubleDouble> frame;
  frame.at = {random_values<DoubleDouble>(problem.constraints(), 5),
              Blocks<DoubleDouble>(problem.blocks(), 2), Blocks<DoubleDouble>(problem.blocks(), 3)};
  for (std::size_t b = 0; b < frame.at.X.size(); ++b) {
    if (frame.at.X.is_diagonal(b)) continue;
    const auto more = definite(frame.at.X.order(b));
    for (std::size_t i = 0; i < more.size(); ++i) frame.at.X.block(b)[i] += more[i];
  }
  frame.rest = residuals(problem, frame.at);
  frame.x_lower = *lower_factor(frame.at.X);
  frame.y_lower = *lower_factor(frame.at.Y);
  frame.x_inverse_lower = inverse_of_lower(frame.x_lower);
  frame.y_inverse_lower = inverse_of_lower(frame.y_lower);
  return frame;
}

double greatest_difference(std::span<const DoubleDouble> a, std::span<const DoubleDouble> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, difference(a[i], b[i]));
  return most;
}

TEST(SdpReferenceDirection, IsTheSameBySchurComplementAndByLeastSquares) {
  for (const char* rule : {"maxcut:3x4", "theta:9,12", "control:3", "random:8,6"}) {
    SCOPED_TRACE(rule);
    const Problem problem = problem_by_rule(rule);
    const Frame<DoubleDouble> frame = frame_of(problem);
    SchurNewton<DoubleDouble> schur(problem);
    LeastSquaresNewton<DoubleDouble> least_squares(problem);
    for (Newton<DoubleDouble>* newton :
         std::initializer_list<Newton<DoubleDouble>*>{&schur, &least_squares}) {
      newton->form(frame);
      ASSERT_TRUE(newton->factorise());
    }
    const auto predictor = schur.direction(0, nullptr);
    const auto one = schur.direction(0.5, &predictor);
    const auto other = least_squares.direction(0.5, &predictor);
    EXPECT_LT(greatest_difference(one.x, other.x), 1e-22);
    EXPECT_LT(greatest_difference(one.X.values(), other.X.values()), 1e-22);
    EXPECT_LT(greatest_difference(one.Y.values(), other.Y.values()), 1e-22);
  }
}

TEST(SdpReferenceDirection, LeadsToFeasiblePointsInOneStep) {
  const Problem problem = problem_by_rule("random:8,6");
  Frame<DoubleDouble> frame = frame_of(problem);
  LeastSquaresNewton<DoubleDouble> newton(problem);
  newton.form(frame);
  ASSERT_TRUE(newton.factorise());
  const auto d = newton.direction(1, nullptr);
  for (std::size_t i = 0; i < d.x.size(); ++i) frame.at.x[i] += d.x[i];
  add_scaled(frame.at.X, DoubleDouble(1), d.X);
  add_scaled(frame.at.Y, DoubleDouble(1), d.Y);
  const auto rest = residuals(problem, frame.at);
  EXPECT_LT(to_double(frobenius_norm(rest.primal)), 1e-26);
  for (const DoubleDouble& r : rest.dual) EXPECT_LT(std::abs(to_double(r)), 1e-24);
}

}  // namespace
}  // namespace kinjo::sdp::detail::reference
