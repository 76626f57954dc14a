#include "blas1/check.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "blas1/samples.hpp"

namespace kinjo::detail {
namespace {

using blas1::Mode;

template <class T>
class Check : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Check, Types);

TYPED_TEST(Check, AcceptsWhatTheLibraryComputes) {
  using T = TypeParam;
  for (const std::size_t n : {1, 17, 1000, 5000}) {
    const auto x = test::numbers<T>(n), y = test::numbers<T>(n, 7);
    const std::span<const T> a(x), b(y);
    for (const Mode mode : {Mode::fast, Mode::reproducible}) {
      EXPECT_EQ(check_sum(a, blas1::sum(a, mode), mode), std::nullopt);
      EXPECT_EQ(check_sum_of_squares(a, blas1::sum_of_squares(a, mode), mode), std::nullopt);
      EXPECT_EQ(check_asum(a, blas1::asum(a, mode), mode), std::nullopt);
      EXPECT_EQ(check_norm2(a, blas1::norm2(a, mode), mode), std::nullopt);
      EXPECT_EQ(check_dot(a, b, blas1::dot(a, b, mode), mode), std::nullopt);
      std::vector<T> after = y;
      blas1::axpy(T{0.7F}, a, after, mode);
      EXPECT_EQ(check_axpy<T>(0, T{0.7F}, a, b, after, mode), std::nullopt);
    }
    EXPECT_EQ(check_max_abs_index(a, *blas1::max_abs_index(a)), std::nullopt);
    std::vector<T> after = y;
    blas1::scale(T{0.7F}, after);
    EXPECT_EQ(check_scale<T>(0, T{0.7F}, b, after), std::nullopt);
    blas1::copy(a, after);
    EXPECT_EQ(check_copy<T>(0, a, after), std::nullopt);
  }
}

TYPED_TEST(Check, RefusesSumsThatAreOffByTwiceTheBound) {
  using T = TypeParam;
  const std::vector<T> ones(10000, T{1});
  const std::span<const T> x(ones);
  const T n{10000}, root{100};
  for (const Mode mode : {Mode::fast, Mode::reproducible}) {
    const double k = sum_error_factor<T>(x.size(), mode);
    const auto off = [&](T exact, double factor) {
      return static_cast<T>(exact * (1 + 2.5 * factor * kRoundoff<T>));
    };
    EXPECT_NE(check_sum(x, off(n, k), mode), std::nullopt);
    EXPECT_NE(check_asum(x, off(n, k), mode), std::nullopt);
    EXPECT_NE(check_sum_of_squares(x, off(n, k), mode), std::nullopt);
    EXPECT_NE(check_dot(x, x, off(n, k), mode), std::nullopt);
    EXPECT_NE(check_norm2(x, off(root, k / 2 + 1), mode), std::nullopt);
    EXPECT_NE(check_sum(x, std::numeric_limits<T>::quiet_NaN(), mode), std::nullopt);
    EXPECT_NE(check_norm2(x, std::numeric_limits<T>::infinity(), mode), std::nullopt);
  }
}

TYPED_TEST(Check, RefusesTheLastBitOfWhatIsWritten) {
  using T = TypeParam;
  const std::vector<T> x = {1, 2, 3}, before = {4, 5, 6};
  std::vector<T> after = {6, 9, 12};
  for (const Mode mode : {Mode::fast, Mode::reproducible}) {
    after[1] = 9;
    EXPECT_EQ(check_axpy<T>(0, 2, x, before, after, mode), std::nullopt);
    after[1] = std::nextafter(T{9}, T{10});
    EXPECT_NE(check_axpy<T>(0, 2, x, before, after, mode), std::nullopt);
  }
  after = {8, 10, 12};
  EXPECT_EQ(check_scale<T>(0, 2, before, after), std::nullopt);
  after[2] = -12;
  EXPECT_EQ(check_scale<T>(100, 2, before, after), "element 102 is -12, not 12");
  EXPECT_EQ(check_copy<T>(0, x, after), "element 0 is 8, not 1");
}

TYPED_TEST(Check, TakesOneRoundingOrTwoOfAFastAxpyAndTwoOfAReproducibleOne) {
  using T = TypeParam;
  // The product is 1 + 2ε + ε², which rounds to 1 + 2ε.
  const T rest = std::numeric_limits<T>::epsilon(), one = 1 + rest;
  const std::vector<T> x = {one}, before = {-(1 + 2 * rest)};
  const auto accepts = [&](T after, Mode mode) {
    return !check_axpy<T>(0, one, x, before, std::vector<T>{after}, mode);
  };
  EXPECT_TRUE(accepts(0, Mode::fast));
  EXPECT_TRUE(accepts(rest * rest, Mode::fast));
  EXPECT_FALSE(accepts(rest * rest / 2, Mode::fast));
  EXPECT_TRUE(accepts(0, Mode::reproducible));
  EXPECT_FALSE(accepts(rest * rest, Mode::reproducible));
}

TEST(CheckOfDoubles, SaysHowFarASumIsAway) {
  const std::vector<double> ones(3, 1.0);
  EXPECT_EQ(check_sum<double>(ones, 4, Mode::fast),
            "the sum 4 is 1 away from the exact value, more than 1.33e-15");
}

TEST(CheckOfDoubles, TellsZerosApartAndTakesNaNsForTheSame) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x = {0.0, nan}, wrong = {-0.0, nan};
  EXPECT_EQ(check_copy<double>(0, x, x), std::nullopt);
  EXPECT_EQ(check_copy<double>(0, x, wrong), "element 0 is -0, not 0");
}

TEST(CheckOfDoubles, WantsTheFirstLargestMagnitudeOrTheFirstNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x = {1, -3, 3}, y = {5, nan, 7, nan};
  EXPECT_EQ(check_max_abs_index<double>(x, 1), std::nullopt);
  EXPECT_EQ(check_max_abs_index<double>(x, 2), "the index of the largest magnitude is 2, not 1");
  EXPECT_EQ(check_max_abs_index<double>(y, 1), std::nullopt);
}

TEST(SumErrorFactor, IsThatOfTheHeader) {
  EXPECT_EQ(sum_error_factor<double>(1000, Mode::fast), 1001);
  EXPECT_EQ(sum_error_factor<double>(0, Mode::reproducible), 15);
  EXPECT_EQ(sum_error_factor<double>(512, Mode::reproducible), 15);
  EXPECT_EQ(sum_error_factor<double>(513, Mode::reproducible), 16);
  EXPECT_EQ(sum_error_factor<float>(1024, Mode::reproducible), 15);
  EXPECT_EQ(sum_error_factor<double>(512 << 10, Mode::reproducible), 25);
}

}  // namespace
}  // namespace kinjo::detail
