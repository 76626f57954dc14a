/// Dense linear algebra of one thread, against its definition; its vector kernels at every level
/// that this CPU has.
#include "sdp/serial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sdp/dense_kernels.hpp"
#include "sdp/lanczos.hpp"
#include "sdp/solver_samples.hpp"
#include "simd/level.hpp"

namespace kinjo::sdp::detail {
namespace {

using test::Draw;

constexpr double kUntouched = -777;

/// Orders about those at which triangles are cut.
constexpr std::size_t kOrders[] = {1,  2,  3,  5,  8,   13,  31,  32, 33,
                                   63, 64, 65, 97, 128, 129, 200, 300};

/// A well-conditioned lower triangle in rows of ld; beyond it there is no number.
std::vector<double> lower(Draw& draw, std::size_t n, std::size_t ld) {
  std::vector<double> l(n * ld, std::nan(""));
  const double size = 1 / std::sqrt(static_cast<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) l[i * ld + j] = size * draw.number();
    l[i * ld + i] = 2 + draw.number();
  }
  return l;
}

/// Σ_j L_ij x_j, or Σ_j L_ji x_j.
double times(const std::vector<double>& l, std::size_t n, std::size_t ld, std::size_t i,
             const double* x, std::size_t step, bool transposed) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (transposed ? j >= i : j <= i)
      sum += (transposed ? l[j * ld + i] : l[i * ld + j]) * x[j * step];
  }
  return sum;
}

class SdpSerialLevel : public testing::TestWithParam<SimdLevel> {
 private:
  const kinjo::detail::ForcedLevel level_{GetParam()};
};

TEST_P(SdpSerialLevel, SolvesWithTrianglesForColumnsAndRowsAndVectors) {
  Draw draw(8);
  for (const std::size_t n : kOrders) {
    const std::size_t ld = n + 3;
    const auto l = lower(draw, n, ld);
    for (const std::size_t columns : {1, 7, 16, 37}) {
      const std::size_t ld_b = columns + 2;
      const auto b = draw.numbers(n * ld_b);
      auto forward = b, backward = b;
      solve_lower(n, columns, l.data(), ld, forward.data(), ld_b);
      solve_lower_transposed(n, columns, l.data(), ld, backward.data(), ld_b);
      std::vector<double> turned(columns * ld);
      for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t i = 0; i < n; ++i) turned[c * ld + i] = b[i * ld_b + c];
      }
      solve_rows(columns, n, l.data(), ld, turned.data(), ld);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t c = 0; c < columns; ++c) {
          const double expected = b[i * ld_b + c];
          ASSERT_NEAR(times(l, n, ld, i, &forward[c], ld_b, false), expected, 1e-12) << n;
          ASSERT_NEAR(times(l, n, ld, i, &backward[c], ld_b, true), expected, 1e-12) << n;
          ASSERT_NEAR(times(l, n, ld, i, &turned[c * ld], 1, false), expected, 1e-12) << n;
        }
        for (std::size_t c = columns; c < ld_b; ++c) {
          ASSERT_EQ(forward[i * ld_b + c], b[i * ld_b + c]);
          ASSERT_EQ(backward[i * ld_b + c], b[i * ld_b + c]);
        }
      }
    }
    const auto x = draw.numbers(n);
    auto forward = x, backward = x;
    solve_lower(n, l.data(), ld, forward.data());
    solve_lower_transposed(n, l.data(), ld, backward.data());
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_NEAR(times(l, n, ld, i, forward.data(), 1, false), x[i], 1e-12) << n;
      ASSERT_NEAR(times(l, n, ld, i, backward.data(), 1, true), x[i], 1e-12) << n;
    }
    std::vector<double> packed;
    for (std::size_t i = 0; i < n; ++i) {
      packed.insert(packed.end(), &l[i * ld], &l[i * ld] + i + 1);
    }
    auto both = x;
    solve_lower_transposed(n, l.data(), ld, forward.data());
    solve_packed(n, packed.data(), both.data());
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(both[i], forward[i], 1e-12) << n;
  }
}

TEST_P(SdpSerialLevel, FactorisesTheLowerTriangleAndLeavesTheRest) {
  Draw draw(9);
  for (const std::size_t n : kOrders) {
    const std::size_t ld = n + 5;
    const auto dense = test::definite(draw, n);
    std::vector<double> a(n * ld, kUntouched);
    for (std::size_t i = 0; i < n; ++i) std::copy_n(&dense[i * n], i + 1, &a[i * ld]);
    ASSERT_TRUE(factorise(n, a.data(), ld)) << n;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k <= j; ++k) sum += a[i * ld + k] * a[j * ld + k];
        ASSERT_NEAR(sum, dense[i * n + j], 1e-12) << n;
      }
      for (std::size_t j = i + 1; j < ld; ++j) ASSERT_EQ(a[i * ld + j], kUntouched);
    }
    for (const double pivot : {-1.0, 0.0, std::nan("")}) {
      for (std::size_t at = 0; at < n; at += 1 + n / 5) {
        std::vector<double> broken = dense;
        broken[at * n + at] = pivot;
        EXPECT_FALSE(factorise(n, broken.data(), n)) << at << " of " << n;
      }
    }
  }
}

TEST_P(SdpSerialLevel, SubtractsASquareFromTheLowerTriangle) {
  Draw draw(10);
  for (const std::size_t n : {1, 7, 64, 65, 150}) {
    for (const std::size_t inner : {0, 1, 40}) {
      const std::size_t ld_p = inner + 1, ld = n + 1;
      const auto p = draw.numbers(n * ld_p), a = draw.numbers(n * ld);
      auto found = a;
      subtract_square(n, inner, p.data(), ld_p, found.data(), ld);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < ld; ++j) {
          double expected = a[i * ld + j];
          for (std::size_t k = 0; j <= i && k < inner; ++k) {
            expected -= p[i * ld_p + k] * p[j * ld_p + k];
          }
          ASSERT_NEAR(found[i * ld + j], expected, 1e-13);
        }
      }
    }
  }
}

/// Whatever stands beside them: what a thread has for its part of the rows or columns is the same.
TEST_P(SdpSerialLevel, ProductsWithVectorsAreTheSameBitsInAnyParts) {
  Draw draw(11);
  for (const std::size_t n : {1, 3, 8, 17, 50, 131}) {
    const std::size_t columns = n + 4, ld = columns + 3;
    const auto a = draw.numbers(n * ld), x = draw.numbers(columns), y = draw.numbers(columns);
    std::vector<double> rows(n, 0.5), parts = rows, added = y, added_parts = y;
    const DenseKernels& kernel = dense_kernels();
    kernel.multiply_rows(n, columns, -2, a.data(), ld, x.data(), rows.data());
    kernel.add_rows(n, columns, -2, a.data(), ld, x.data(), added.data());
    const std::size_t cut = n / 3, column_cut = columns / 3;
    kernel.multiply_rows(cut, columns, -2, a.data(), ld, x.data(), parts.data());
    kernel.multiply_rows(n - cut, columns, -2, &a[cut * ld], ld, x.data(), &parts[cut]);
    kernel.add_rows(n, column_cut, -2, a.data(), ld, x.data(), added_parts.data());
    kernel.add_rows(n, columns - column_cut, -2, &a[column_cut], ld, x.data(),
                    &added_parts[column_cut]);
    EXPECT_EQ(rows, parts);
    EXPECT_EQ(added, added_parts);
    for (std::size_t r = 0; r < n; ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < columns; ++c) sum += a[r * ld + c] * x[c];
      EXPECT_NEAR(rows[r], 0.5 - 2 * sum, 1e-12);
    }
    for (std::size_t c = 0; c < columns; ++c) {
      double sum = 0;
      for (std::size_t r = 0; r < n; ++r) sum += a[r * ld + c] * x[r];
      EXPECT_NEAR(added[c], y[c] - 2 * sum, 1e-12);
    }
  }
}

TEST_P(SdpSerialLevel, MultipliesBySymmetricMatricesOfWhichTheUpperTriangleIsRead) {
  Draw draw(12);
  for (const std::size_t n : kOrders) {
    const auto a = test::symmetric(draw, n), x = draw.numbers(n);
    auto upper = a;
    for (std::size_t i = 0; i < n; ++i) std::fill_n(&upper[i * n], i, std::nan(""));
    std::vector<double> y(n, std::nan(""));
    dense_kernels().multiply_symmetric(n, upper.data(), n, x.data(), y.data());
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
      ASSERT_NEAR(y[i], sum, 1e-12) << n;
    }
  }
}

TEST_P(SdpSerialLevel, GathersAndScattersSixteenRows) {
  Draw draw(13);
  for (const std::size_t n : {1, 2, 7, 8, 9, 16, 37}) {
    const std::size_t ld = n + 1;
    const auto from = draw.numbers(kSides * ld);
    std::vector<double> turned(n * kSides + 1, kUntouched), back(kSides * ld, kUntouched);
    dense_kernels().gather(n, from.data(), ld, turned.data());
    dense_kernels().scatter(n, turned.data(), back.data(), ld);
    EXPECT_EQ(turned.back(), kUntouched);
    for (std::size_t r = 0; r < kSides; ++r) {
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(turned[i * kSides + r], from[r * ld + i]);
        EXPECT_EQ(back[r * ld + i], from[r * ld + i]);
      }
      EXPECT_EQ(back[r * ld + n], kUntouched);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Level, SdpSerialLevel, testing::ValuesIn(simd_levels()),
                         [](const auto& suite) -> std::string { return to_string(suite.param); });

TEST(SdpSerial, DoesNothingForMatricesOfOrderNought) {
  double nothing = 5;
  EXPECT_TRUE(factorise(0, &nothing, 1));
  EXPECT_TRUE(eigenvalues(0, &nothing, &nothing));
  solve_lower(0, 0, &nothing, 1, &nothing, 1);
  solve_lower_transposed(0, 0, &nothing, 1, &nothing, 1);
  solve_rows(0, 0, &nothing, 1, &nothing, 1);
  solve_lower(0, &nothing, 1, &nothing);
  solve_lower_transposed(0, &nothing, 1, &nothing);
  solve_packed(0, &nothing, &nothing);
  subtract_square(0, 0, &nothing, 1, &nothing, 1);
  dense_kernels().multiply_symmetric(0, &nothing, 1, &nothing, &nothing);
  EXPECT_EQ(nothing, 5);
}

/// tridiag(−1, 2, −1) has the eigenvalues 2 − 2 cos(kπ/(n + 1)).
double eigenvalue_of_chain(std::size_t n, std::size_t k) {
  return 2 - 2 * std::cos(static_cast<double>(k) * std::numbers::pi / static_cast<double>(n + 1));
}

TEST(SdpSerial, FindsEigenvaluesOfAChain) {
  const std::size_t n = 12;
  std::vector<double> a(n * n), values(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i * n + i] = 2;
    if (i + 1 < n) a[i * n + i + 1] = a[(i + 1) * n + i] = -1;
  }
  ASSERT_TRUE(eigenvalues(n, a.data(), values.data()));
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(values[k], eigenvalue_of_chain(n, k + 1), 1e-14);
  const LeastPair least =
      least_tridiagonal(std::vector<double>(n, 2), std::vector<double>(n - 1, -1));
  EXPECT_NEAR(least.value, eigenvalue_of_chain(n, 1), 1e-14);
  const double pi = std::numbers::pi,
               angle = static_cast<double>(n) * pi / static_cast<double>(n + 1);
  EXPECT_NEAR(std::abs(least.last), std::sqrt(2.0 / static_cast<double>(n + 1)) * std::sin(angle),
              1e-13);
}

/// A x = λ x is what the characteristic polynomial says: the sums of λ and λ² are those of A.
TEST(SdpSerial, FindsEigenvaluesThatHaveTheTraceAndTheNorm) {
  Draw draw(14);
  for (const std::size_t n : {1, 2, 3, 4, 10, 24, 60}) {
    auto a = test::symmetric(draw, n);
    double trace = 0, square = 0;
    for (std::size_t i = 0; i < n; ++i) trace += a[i * n + i];
    for (const double v : a) square += v * v;
    std::vector<double> values(n);
    ASSERT_TRUE(eigenvalues(n, a.data(), values.data()));
    EXPECT_TRUE(std::ranges::is_sorted(values));
    for (const double v : values) {
      trace -= v;
      square -= v * v;
    }
    EXPECT_NEAR(trace, 0, 1e-12);
    EXPECT_NEAR(square, 0, 1e-11);
  }
}

TEST(SdpSerial, FindsEigenvaluesOfMatricesThatFallApart) {
  std::vector<double> zeros(25), values(5, 1);
  ASSERT_TRUE(eigenvalues(5, zeros.data(), values.data()));
  EXPECT_EQ(values, std::vector<double>(5, 0.0));
  std::vector<double> a = {3, 0, 0, 0, -1, 2, 0, 2, -1};  // 3 beside [−1 2; 2 −1]
  values.resize(3);
  ASSERT_TRUE(eigenvalues(3, a.data(), values.data()));
  EXPECT_NEAR(values[0], -3, 1e-14);
  EXPECT_NEAR(values[1], 1, 1e-14);
  EXPECT_NEAR(values[2], 3, 1e-14);
}

/// What rounding leaves of the zeros is no eigenvalue to wait for.
TEST(SdpSerial, FindsEigenvaluesOfMatricesOfLowRank) {
  Draw draw(15);
  for (const std::size_t n : {20, 60, 130}) {
    for (int sample = 0; sample < 20; ++sample) {
      const auto v = test::symmetric(draw, n);
      std::vector<double> a(n * n), values(n);
      double square = 0;
      for (std::size_t i = 0; i < n; ++i) square += v[i] * v[i];
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) a[i * n + j] = v[i] * v[j] - v[n + i] * v[n + j];
      }
      ASSERT_TRUE(eigenvalues(n, a.data(), values.data())) << n << ", sample " << sample;
      EXPECT_LT(values[0], 0);
      EXPECT_GT(values[n - 1], 0);
      for (std::size_t i = 1; i + 1 < n; ++i) EXPECT_NEAR(values[i], 0, 1e-13 * square);
    }
  }
}

TEST(SdpSerial, SaysThatAMatrixThatIsNotFiniteHasNoEigenvalues) {
  for (const double wrong : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    std::vector<double> a(16, 1), values(4);
    a[5] = wrong;
    EXPECT_FALSE(eigenvalues(4, a.data(), values.data()));
    const LeastPair least =
        least_tridiagonal(std::vector<double>{1, wrong, 1}, std::vector<double>{1, 1});
    EXPECT_EQ(least.value, -1e300);
  }
}

/// Symmetric matrices, moved and stretched so that the least eigenvalue is what a case says. What
/// lies above −1/2 need only be seen to do so: no step is shortened by it.
TEST(SdpLanczos, FindsALowerBoundNearTheLeastEigenvalue) {
  Draw draw(9);
  for (const std::size_t n : {1, 2, 3, 5, 20, 59, 60, 61, 150}) {
    for (const double target : {-1e6, -30.0, -1.0, -0.51, -0.4, 0.0, 2.0}) {
      std::vector<double> a = test::symmetric(draw, n), copy = a, values(n);
      ASSERT_TRUE(eigenvalues(n, copy.data(), values.data()));
      const double spread = std::max(1e-3, values.back() - values.front());
      const double scale = (1 + std::abs(target)) / spread;
      for (double& v : a) v *= scale;
      for (std::size_t i = 0; i < n; ++i) a[i * n + i] += target - scale * values.front();
      const double found = least_eigenvalue(n, [&](const double* v, double* w) {
        dense_kernels().multiply_symmetric(n, a.data(), n, v, w);
      });
      SCOPED_TRACE(testing::Message() << "order " << n << ", least " << target);
      if (target < -0.55) {
        EXPECT_LE(found, target + 1e-9 * std::abs(target));
        EXPECT_GE(found, target + 0.021 * target);
      } else {
        EXPECT_GT(found, -0.56);
      }
    }
  }
}

TEST(SdpLanczos, IsExactForMultiplesOfTheIdentity) {
  for (const double factor : {-3.0, 0.0, 1.0}) {
    const double found = least_eigenvalue(10, [&](const double* v, double* w) {
      for (std::size_t i = 0; i < 10; ++i) w[i] = factor * v[i];
    });
    EXPECT_NEAR(found, factor, 1e-12);
  }
}

}  // namespace
}  // namespace kinjo::sdp::detail
