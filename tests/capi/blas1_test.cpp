/// BLAS-1 for C against loops that read as the reference BLAS does. Numbers are small integers, so
/// that sums are exact in any order.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/kinjo.h>
#include <kinjo/blas1.hpp>

namespace kinjo::capi {
namespace {

constexpr std::ptrdiff_t kIncrements[] = {-3, -1, 0, 1, 2};

/// The functions of both types under one name each.
template <class T>
struct Functions;
template <>
struct Functions<double> {
  static constexpr auto dot = kinjo_ddot_64, dot_reproducible = kinjo_ddot_reproducible;
  static constexpr auto nrm2 = kinjo_dnrm2_64, nrm2_reproducible = kinjo_dnrm2_reproducible;
  static constexpr auto asum = kinjo_dasum_64, asum_reproducible = kinjo_dasum_reproducible;
  static constexpr auto sum = kinjo_dsum_64, sum_reproducible = kinjo_dsum_reproducible;
  static constexpr auto ssq = kinjo_dssq, ssq_reproducible = kinjo_dssq_reproducible;
  static constexpr auto iamax = kinjo_idamax_64;
  static constexpr auto axpy = kinjo_daxpy_64, axpy_reproducible = kinjo_daxpy_reproducible;
  static constexpr auto scal = kinjo_dscal_64;
  static constexpr auto copy = kinjo_dcopy_64;
};
template <>
struct Functions<float> {
  static constexpr auto dot = kinjo_sdot_64, dot_reproducible = kinjo_sdot_reproducible;
  static constexpr auto nrm2 = kinjo_snrm2_64, nrm2_reproducible = kinjo_snrm2_reproducible;
  static constexpr auto asum = kinjo_sasum_64, asum_reproducible = kinjo_sasum_reproducible;
  static constexpr auto sum = kinjo_ssum_64, sum_reproducible = kinjo_ssum_reproducible;
  static constexpr auto ssq = kinjo_sssq, ssq_reproducible = kinjo_sssq_reproducible;
  static constexpr auto iamax = kinjo_isamax_64;
  static constexpr auto axpy = kinjo_saxpy_64, axpy_reproducible = kinjo_saxpy_reproducible;
  static constexpr auto scal = kinjo_sscal_64;
  static constexpr auto copy = kinjo_scopy_64;
};

template <class T>
class CBlas1 : public testing::Test {
 protected:
  /// Where element i of n lies, as the reference BLAS counts.
  static std::size_t at(std::ptrdiff_t i, std::ptrdiff_t n, std::ptrdiff_t increment) {
    return static_cast<std::size_t>((increment < 0 ? i - n + 1 : i) * increment);
  }

  static std::vector<T> data(int seed) {
    std::vector<T> all(100);
    for (int i = 0; i < 100; ++i)
      all[static_cast<std::size_t>(i)] = static_cast<T>((i * 37 + seed) % 23 - 11);
    return all;
  }

  /// Calls `f(n, incx, incy)` for sizes from −1 on and all increments.
  template <class Check>
  static void for_each_case(Check&& check) {
    for (std::ptrdiff_t n = -1; n <= 30; ++n) {
      for (std::ptrdiff_t incx : kIncrements) {
        for (std::ptrdiff_t incy : kIncrements) {
          SCOPED_TRACE(testing::Message() << "n " << n << " incx " << incx << " incy " << incy);
          check(n, incx, incy);
        }
      }
    }
  }
};
using Types = testing::Types<double, float>;
TYPED_TEST_SUITE(CBlas1, Types, );

TYPED_TEST(CBlas1, SumsAsTheReferenceForEveryIncrement) {
  using F = Functions<TypeParam>;
  const auto x = this->data(1), y = this->data(5);
  this->for_each_case([&](std::ptrdiff_t n, std::ptrdiff_t incx, std::ptrdiff_t incy) {
    TypeParam dot = 0, squares = 0, sum = 0, magnitudes = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const TypeParam value = x[this->at(i, n, incx)];
      dot += value * y[this->at(i, n, incy)];
      squares += value * value;
      if (incx > 0) sum += value;
      if (incx > 0) magnitudes += std::abs(value);
    }
    EXPECT_EQ(F::dot(n, x.data(), incx, y.data(), incy), dot);
    EXPECT_EQ(F::dot_reproducible(n, x.data(), incx, y.data(), incy), dot);
    EXPECT_EQ(F::ssq(n, x.data(), incx), squares);
    EXPECT_EQ(F::ssq_reproducible(n, x.data(), incx), squares);
    EXPECT_EQ(F::nrm2(n, x.data(), incx), std::sqrt(squares));
    EXPECT_EQ(F::nrm2_reproducible(n, x.data(), incx), std::sqrt(squares));
    EXPECT_EQ(F::sum(n, x.data(), incx), sum);
    EXPECT_EQ(F::sum_reproducible(n, x.data(), incx), sum);
    EXPECT_EQ(F::asum(n, x.data(), incx), magnitudes);
    EXPECT_EQ(F::asum_reproducible(n, x.data(), incx), magnitudes);
  });
}

TYPED_TEST(CBlas1, FindsTheLargestMagnitudeAsTheReference) {
  using F = Functions<TypeParam>;
  const auto x = this->data(1);
  this->for_each_case([&](std::ptrdiff_t n, std::ptrdiff_t incx, std::ptrdiff_t) {
    std::ptrdiff_t best = 0;
    for (std::ptrdiff_t i = 1; i < n && incx > 0; ++i) {
      if (std::abs(x[this->at(i, n, incx)]) > std::abs(x[this->at(best, n, incx)])) best = i;
    }
    EXPECT_EQ(F::iamax(n, x.data(), incx), static_cast<std::size_t>(best));
  });
  const TypeParam odd[] = {7, -9, std::numeric_limits<TypeParam>::quiet_NaN(), 11};
  EXPECT_EQ(F::iamax(4, odd, 1), 2u);
}

TYPED_TEST(CBlas1, WritesAsTheReferenceForEveryIncrement) {
  using F = Functions<TypeParam>;
  const auto x = this->data(1), before = this->data(5);
  this->for_each_case([&](std::ptrdiff_t n, std::ptrdiff_t incx, std::ptrdiff_t incy) {
    auto sums = before, rounded = before, copies = before, scaled = before;
    auto expected_sums = before, expected_copies = before, expected_scaled = before;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const TypeParam value = x[this->at(i, n, incx)];
      expected_sums[this->at(i, n, incy)] += 3 * value;
      expected_copies[this->at(i, n, incy)] = value;
      if (incy > 0) expected_scaled[this->at(i, n, incy)] *= 5;
    }
    F::axpy(n, 3, x.data(), incx, sums.data(), incy);
    F::axpy_reproducible(n, 3, x.data(), incx, rounded.data(), incy);
    F::copy(n, x.data(), incx, copies.data(), incy);
    F::scal(n, 5, scaled.data(), incy);
    EXPECT_EQ(sums, expected_sums);
    EXPECT_EQ(rounded, expected_sums);
    EXPECT_EQ(copies, expected_copies);
    EXPECT_EQ(scaled, expected_scaled);
  });
}

TYPED_TEST(CBlas1, ReproducibleSumsHaveTheBitsOfTheCppFunctions) {
  using F = Functions<TypeParam>;
  std::vector<TypeParam> x(5000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<TypeParam>(std::sin(static_cast<double>(i)));
  }
  constexpr auto kMode = blas1::Mode::reproducible;
  const auto n = static_cast<std::ptrdiff_t>(x.size());
  EXPECT_EQ(F::dot_reproducible(n, x.data(), 1, x.data(), 1), blas1::dot(x, x, kMode));
  EXPECT_EQ(F::sum_reproducible(n, x.data(), 1), blas1::sum(x, kMode));
  EXPECT_EQ(F::asum_reproducible(n, x.data(), 1), blas1::asum(x, kMode));
  EXPECT_EQ(F::ssq_reproducible(n, x.data(), 1), blas1::sum_of_squares(x, kMode));
  EXPECT_EQ(F::nrm2_reproducible(n, x.data(), 1), blas1::norm2(x, kMode));
}

TYPED_TEST(CBlas1, BothModesOfAxpyHaveTheBitsOfTheCppFunctions) {
  using F = Functions<TypeParam>;
  std::vector<TypeParam> x(5000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<TypeParam>(std::sin(static_cast<double>(i)));
  }
  const std::vector<TypeParam> before(x.rbegin(), x.rend());
  const auto a = static_cast<TypeParam>(1.1);
  const auto n = static_cast<std::ptrdiff_t>(x.size());
  auto here = before, there = before;
  F::axpy(n, a, x.data(), 1, here.data(), 1);
  blas1::axpy(a, x, there);
  EXPECT_EQ(here, there);
  here = there = before;
  F::axpy_reproducible(n, a, x.data(), 1, here.data(), 1);
  blas1::axpy(a, x, there, blas1::Mode::reproducible);
  EXPECT_EQ(here, there);
}

/// What a call leaves as the last failure of a thread that had none.
template <class Call>
std::string failure_of(Call&& call) {
  std::string text;
  std::thread([&] {
    call();
    text = std::string(kinjo_status_name(kinjo_last_status())) + ": " + kinjo_last_error();
  }).join();
  return text;
}

TYPED_TEST(CBlas1, NeedsNoAddressOfNoElements) {
  using F = Functions<TypeParam>;
  EXPECT_EQ(failure_of([] {
              EXPECT_EQ(F::dot(0, nullptr, 1, nullptr, 1), 0);
              EXPECT_EQ(F::nrm2(-5, nullptr, 1), 0);
              EXPECT_EQ(F::iamax(0, nullptr, 1), 0u);
              F::axpy(0, 1, nullptr, 1, nullptr, 1);
              F::copy(-1, nullptr, 1, nullptr, 0);
              F::scal(0, 1, nullptr, 1);
            }),
            "ok: ");
}

TYPED_TEST(CBlas1, RefusesElementsAtNull) {
  using F = Functions<TypeParam>;
  TypeParam v[2] = {1, 2};
  const std::string no_x = "invalid_argument: x is NULL", no_y = "invalid_argument: y is NULL";
  EXPECT_EQ(failure_of([&] { EXPECT_TRUE(std::isnan(F::dot(2, nullptr, 1, v, 1))); }), no_x);
  EXPECT_EQ(failure_of([&] { EXPECT_TRUE(std::isnan(F::dot(2, v, 1, nullptr, 1))); }), no_y);
  EXPECT_EQ(failure_of([] { EXPECT_TRUE(std::isnan(F::sum(2, nullptr, 1))); }), no_x);
  EXPECT_EQ(failure_of([] { EXPECT_TRUE(std::isnan(F::nrm2_reproducible(2, nullptr, 1))); }), no_x);
  EXPECT_EQ(failure_of([] { EXPECT_EQ(F::iamax(2, nullptr, 1), SIZE_MAX); }), no_x);
  EXPECT_EQ(failure_of([&] { F::axpy(2, 1, v, 1, nullptr, 1); }), no_y);
  EXPECT_EQ(failure_of([&] { F::axpy_reproducible(2, 1, nullptr, 1, v, 1); }), no_x);
  EXPECT_EQ(failure_of([&] { F::copy(2, nullptr, 1, v, 0); }), no_x);
  EXPECT_EQ(failure_of([] { F::scal(2, 1, nullptr, 1); }), no_x);
  EXPECT_EQ(v[0], 1);
  EXPECT_EQ(v[1], 2);
}

TYPED_TEST(CBlas1, RefusesAnOutputThatOverlapsItsInput) {
  using F = Functions<TypeParam>;
  TypeParam v[] = {1, 2, 3, 4};
  EXPECT_EQ(
      failure_of([&] { F::axpy(3, 1, v, 1, v + 1, 1); }),
      "invalid_argument: axpy: x and y overlap: they must be the same elements or share none");
  EXPECT_EQ(
      failure_of([&] { F::copy(3, v, -1, v, 1); }),
      "invalid_argument: copy: x and y overlap: they must be the same elements or share none");
  EXPECT_EQ(std::vector<TypeParam>(v, v + 4), (std::vector<TypeParam>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace kinjo::capi
