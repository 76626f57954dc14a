#include <kinjo/blas1.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "blas1/samples.hpp"
#include "simd/level.hpp"
#include "support/expect.hpp"

namespace kinjo::blas1 {
namespace {

using kinjo::detail::ForcedLevel;
using test::bits_of;
using test::CompensatedSum;
using test::error_of;
using test::numbers;

constexpr Mode kModes[] = {Mode::fast, Mode::reproducible};

TEST(Blas1, TakesAnythingContiguous) {
  const std::vector<double> vector{1, 2, 3};
  const std::array<float, 2> array{4, 5};
  const double plain[] = {1, -2};
  EXPECT_EQ(sum(vector), 6);
  EXPECT_EQ(sum(std::span(vector).subspan(1)), 5);
  EXPECT_EQ(sum(array), 9.0f);
  EXPECT_EQ(asum(plain), 3);
  EXPECT_EQ(dot(vector, vector), 14);
  EXPECT_EQ(norm2(std::array{3.0, 4.0}), 5);
  std::vector<double> y{1, 1, 1};
  axpy(2, vector, y);
  EXPECT_EQ(y, (std::vector<double>{3, 5, 7}));
  scale(-1, y);
  EXPECT_EQ(y, (std::vector<double>{-3, -5, -7}));
  EXPECT_EQ(max_abs_index(y), 2u);
  copy(vector, y);
  EXPECT_EQ(y, vector);
}

TEST(Blas1, KeepsTheSignOfAFactorThatIsMinusZero) {
  for (SimdLevel level : simd_levels()) {
    const ForcedLevel forced(level);
    for (const std::size_t n : {1u, 2u, 5u, 40u}) {
      const std::vector<double> ones(n, 1);
      std::vector<double> x(n, 1), y(n, -0.0);
      std::vector<float> f(n, 1);
      scale(-0.0, x);
      scale(-0.0f, f);
      axpy(-0.0, ones, y);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_TRUE(std::signbit(x[i]) && std::signbit(f[i]) && std::signbit(y[i]))
            << to_string(level) << ", element " << i << " of " << n;
      }
    }
  }
}

TEST(Blas1, OfNoElementsIsZeroOrNothing) {
  const std::vector<double> none;
  std::vector<double> out;
  for (Mode mode : kModes) {
    EXPECT_EQ(bits_of(sum(none, mode)), bits_of(0.0));
    EXPECT_EQ(sum_of_squares(none, mode), 0);
    EXPECT_EQ(asum(none, mode), 0);
    EXPECT_EQ(norm2(none, mode), 0);
    EXPECT_EQ(dot(none, none, mode), 0);
    EXPECT_EQ(sum(View<const float>(nullptr, 0, -3), mode), 0);
  }
  axpy(1, none, out);
  scale(1, out);
  copy(none, out);
  EXPECT_EQ(max_abs_index(none), std::nullopt);
}

TEST(Blas1, RefusesDifferentSizes) {
  std::vector<double> three(3), four(4);
  EXPECT_EQ(error_of([&] { dot(three, four); }),
            "invalid_argument: dot: x has 3 elements and y has 4: expected as many");
  EXPECT_EQ(error_of([&] { axpy(1, four, three); }),
            "invalid_argument: axpy: x has 4 elements and y has 3: expected as many");
  EXPECT_EQ(error_of([&] { copy(three, four); }),
            "invalid_argument: copy: x has 3 elements and y has 4: expected as many");
}

// ---- Strides ----------------------------------------------------------------------------------

TEST(Blas1Strides, ReadFromTheHighestAddressIfNegative) {
  const double x[] = {1, 2, 3, 4, 5, 6};
  const double y[] = {1, 10, 100};
  EXPECT_EQ(dot(View<const double>(x, 3, 2), y), 1 + 30 + 500);
  EXPECT_EQ(dot(View<const double>(x, 3, -2), y), 5 + 30 + 100);
  EXPECT_EQ(max_abs_index(View<const double>(x, 3, -2)), 0u);
}

TEST(Blas1Strides, RepeatOneElementIfZero) {
  const double x[] = {3};
  const double y[] = {1, 10, 100};
  EXPECT_EQ(sum(View<const double>(x, 5, 0)), 15);
  EXPECT_EQ(dot(View<const double>(x, 3, 0), y), 333);
  double z[] = {0, 0, 0};
  axpy(1, View<const double>(x, 3, 0), z);
  EXPECT_EQ(z[2], 3);
}

TEST(Blas1Strides, AreRefusedIfAnOutputsElementsAreOne) {
  double x[] = {1, 2, 3}, y[] = {1, 2, 3};
  const View<double> repeated(y, 3, 0);
  EXPECT_EQ(error_of([&] { axpy(1, x, repeated); }),
            "invalid_argument: axpy: y is written and has stride 0: its 3 elements are one");
  EXPECT_EQ(error_of([&] { copy(x, repeated); }),
            "invalid_argument: copy: y is written and has stride 0: its 3 elements are one");
  EXPECT_EQ(error_of([&] { scale(2, repeated); }),
            "invalid_argument: scale: x is written and has stride 0: its 3 elements are one");
  scale(2, View<double>(y, 1, 0));  // one element is one
  EXPECT_EQ(y[0], 2);
}

TEST(Blas1Strides, AreRefusedIfVectorsOverlapWithoutBeingTheSame) {
  std::vector<double> v(10, 1);
  const std::string refused = "overlap: they must be the same elements or share none";
  EXPECT_EQ(error_of([&] { axpy(1, View<const double>(v.data(), 5), View<double>(&v[1], 5)); }),
            "invalid_argument: axpy: x and y " + refused);
  EXPECT_EQ(error_of([&] { copy(View<const double>(&v[4], 5), View<double>(v.data(), 5)); }),
            "invalid_argument: copy: x and y " + refused);
  EXPECT_EQ(error_of([&] { axpy(1, View<const double>(v.data(), 5, 2), View<double>(&v[2], 5)); }),
            "invalid_argument: axpy: x and y " + refused);
  // The same elements in the opposite order.
  EXPECT_EQ(error_of([&] { copy(View<const double>(v.data(), 5, -1), View<double>(v.data(), 5)); }),
            "invalid_argument: copy: x and y " + refused);
  EXPECT_EQ(v, std::vector<double>(10, 1));
}

TEST(Blas1Strides, MayInterleaveAndVectorsMayBeTheSame) {
  std::vector<double> v{1, 2, 3, 4, 5, 6};
  axpy(10, View<const double>(v.data(), 3, 2), View<double>(&v[1], 3, 2));
  EXPECT_EQ(v, (std::vector<double>{1, 12, 3, 34, 5, 56}));
  axpy(1, v, v);
  EXPECT_EQ(v, (std::vector<double>{2, 24, 6, 68, 10, 112}));
  axpy(1, View<const double>(v.data(), 3, -2), View<double>(v.data(), 3, -2));
  EXPECT_EQ(v, (std::vector<double>{4, 24, 12, 68, 20, 112}));
  copy(View<const double>(v.data(), 3), View<double>(&v[3], 3, -1));
  EXPECT_EQ(v, (std::vector<double>{4, 24, 12, 12, 24, 4}));
}

TEST(Blas1Strides, OfASingleElementDoNotMatter) {
  for (std::ptrdiff_t stride_x : {-2, 0, 1, 3}) {
    for (std::ptrdiff_t stride_y : {-2, 0, 1, 3}) {
      double v = 5;
      axpy(2, View<const double>(&v, 1, stride_x), View<double>(&v, 1, stride_y));
      EXPECT_EQ(v, 15) << stride_x << ' ' << stride_y;
      copy(View<const double>(&v, 1, stride_x), View<double>(&v, 1, stride_y));
      EXPECT_EQ(v, 15) << stride_x << ' ' << stride_y;
    }
  }
}

// ---- Accuracy and reproducibility --------------------------------------------------------------

/// The k of include/kinjo/blas1.hpp.
template <class T>
double error_units(std::size_t n, Mode mode) {
  if (mode == Mode::fast) return static_cast<double>(n) + 1;
  const double blocks = static_cast<double>(n) / (4096 / sizeof(T));
  return 15 + std::max(0.0, std::ceil(std::log2(blocks)));
}

template <class T>
void expect_within(const CompensatedSum& exact, T value, std::size_t n, Mode mode) {
  EXPECT_LE(exact.distance(value), error_units<T>(n, mode) * test::kRoundoff<T> * exact.magnitude())
      << value << " for " << n << " terms, mode " << static_cast<int>(mode);
}

template <class T>
void check_errors(std::size_t n) {
  const auto x = numbers<T>(n), y = numbers<T>(n, n);
  CompensatedSum sums, magnitudes, squares, products;
  for (std::size_t i = 0; i < n; ++i) {
    sums.add(x[i]);
    magnitudes.add(std::abs(x[i]));
    squares.add_product(x[i], x[i]);
    products.add_product(x[i], y[i]);
  }
  for (Mode mode : kModes) {
    expect_within<T>(sums, sum(x, mode), n, mode);
    expect_within<T>(magnitudes, asum(x, mode), n, mode);
    expect_within<T>(squares, sum_of_squares(x, mode), n, mode);
    expect_within<T>(products, dot(x, y, mode), n, mode);
  }
}

TEST(Blas1, IsWithinTheStatedErrorOfACompensatedSum) {
  for (SimdLevel level : simd_levels()) {
    const ForcedLevel forced(level);
    for (std::size_t n : {1, 17, 511, 512, 513, 1025, 40000, 1000003}) {
      check_errors<double>(n);
      check_errors<float>(n);
    }
  }
}

TEST(Blas1, ReproducibleErrorsStaySmallWhereFastOnesNeedNot) {
  // 2²⁴ times the same float: one sum of them stops growing.
  constexpr std::size_t kMany = std::size_t{1} << 25;
  const float one = 1;
  const ForcedLevel scalar(SimdLevel::scalar);
  EXPECT_EQ(sum(View<const float>(&one, kMany, 0), Mode::reproducible), static_cast<float>(kMany));
}

/// Everything whose bits must not depend on anything but the elements, as bits.
template <class T>
std::vector<std::uint64_t> reproducible_results(View<const T> x, View<const T> y) {
  constexpr Mode kMode = Mode::reproducible;
  std::vector<std::uint64_t> all;
  for (T value : {sum(x, kMode), sum_of_squares(x, kMode), asum(x, kMode), norm2(x, kMode),
                  dot(x, y, kMode)}) {
    all.push_back(bits_of(value));
  }
  std::vector<T> z(x.size, T{1});
  axpy(static_cast<T>(1.1), x, z, kMode);
  axpy(static_cast<T>(-0.7), y, z, kMode);
  scale(static_cast<T>(0.3), z);
  for (T value : z) all.push_back(bits_of(value));
  all.push_back(*max_abs_index(x));
  return all;
}

template <class T>
void check_reproducible(std::size_t n) {
  const auto x = numbers<T>(n), y = numbers<T>(n, n);
  std::vector<std::uint64_t> expected;
  for (SimdLevel level : simd_levels()) {
    const ForcedLevel forced(level);
    const auto results = reproducible_results<T>(x, y);
    if (expected.empty()) expected = results;
    ASSERT_EQ(results, expected) << n << " elements at level " << to_string(level);
    // Elsewhere in memory, and strided.
    std::vector<T> moved(n + 1), spread(3 * n), reversed(x.rbegin(), x.rend());
    std::ranges::copy(x, moved.begin() + 1);
    for (std::size_t i = 0; i < n; ++i) spread[3 * i] = y[i];
    ASSERT_EQ(reproducible_results<T>({moved.data() + 1, n}, {spread.data(), n, 3}), expected);
    ASSERT_EQ(reproducible_results<T>({reversed.data(), n, -1}, y), expected);
  }
}

TEST(Blas1, ReproducibleResultsHaveTheSameBitsAtEveryLevelAlignmentAndStride) {
  for (std::size_t n : {1, 2, 16, 63, 64, 65, 511, 512, 513, 1000, 1024, 1025, 5000, 100003}) {
    check_reproducible<double>(n);
    check_reproducible<float>(n);
  }
}

template <class T>
void check_fast_axpy(std::size_t n) {
  const auto x = numbers<T>(n), before = numbers<T>(n, n);
  const T a = static_cast<T>(1.1);
  std::vector<T> y = before, spread(3 * n), rounded = before;
  axpy(a, x, y);
  axpy(a, x, rounded, Mode::reproducible);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(bits_of(y[i]), bits_of(test::fast_axpy(a, x[i], before[i]))) << i << " of " << n;
    ASSERT_EQ(bits_of(rounded[i]), bits_of(test::rounded_twice(a, x[i], before[i]))) << i;
    spread[3 * i] = before[i];
  }
  axpy(a, x, View<T>(spread.data(), n, 3));
  for (std::size_t i = 0; i < n; ++i) y[i] = spread[3 * i];
  ASSERT_EQ(kinjo::detail::check_axpy<T>(0, a, x, before, y, Mode::fast), std::nullopt);
}

TEST(Blas1, FastAxpyRoundsOnceWhereTheLevelFusesAndOnceOrTwiceWithStrides) {
  for (SimdLevel level : simd_levels()) {
    const ForcedLevel forced(level);
    for (std::size_t n : {1, 3, 17, 100, 1000, 5001}) {
      check_fast_axpy<double>(n);
      check_fast_axpy<float>(n);
    }
  }
}

TEST(Blas1, ReproducibleResultsHaveTheBitsThatAreWrittenHere) {
  // On every machine; they come from a program of twenty lines in another language, written after
  // docs/blas1.md.
  std::vector<double> x(3000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i * 2654435761u % 1000003) / 1024 - 300;
    x[i] *= 1 + 0x1p-30 * static_cast<double>(i % 7);
  }
  for (SimdLevel level : simd_levels()) {
    const ForcedLevel forced(level);
    EXPECT_EQ(sum(x, Mode::reproducible), 0x1.15b9bceca114fp+19);
    EXPECT_EQ(sum_of_squares(x, Mode::reproducible), 0x1.4a6841d3ab68ep+28);
    EXPECT_EQ(norm2(x, Mode::reproducible), 0x1.22d56f2cca6a0p+14);
  }
}

// ---- norm2 --------------------------------------------------------------------------------------

template <class T>
void check_norm_at_every_magnitude() {
  using Limits = std::numeric_limits<T>;
  const auto base = numbers<T>(300);
  CompensatedSum exact;
  for (T v : base) exact.add_product(v, v);
  for (Mode mode : kModes) {
    const double norm = norm2(base, mode);
    for (int exponent = Limits::min_exponent + Limits::digits + 20;
         exponent < Limits::max_exponent - 20; ++exponent) {
      std::vector<T> x(base);
      for (T& v : x) v = std::ldexp(v, exponent);
      const T expected = static_cast<T>(std::ldexp(norm, exponent));
      ASSERT_NEAR(static_cast<double>(norm2(x, mode) / expected), 1, 400 * test::kRoundoff<T>)
          << "times 2^" << exponent;
    }
  }
}

TEST(Norm2, NeitherOverflowsNorUnderflows) {
  for (SimdLevel level : simd_levels()) {
    const ForcedLevel forced(level);
    check_norm_at_every_magnitude<double>();
    check_norm_at_every_magnitude<float>();
  }
}

TEST(Norm2, OfExtremeNumbersIsRight) {
  const double big = 0x1p1023, least = std::numeric_limits<double>::denorm_min();
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (Mode mode : kModes) {
    EXPECT_EQ(norm2(std::vector<double>{3 * 0x1p1000, 0, -4 * 0x1p1000}, mode), 5 * 0x1p1000);
    EXPECT_EQ(norm2(std::vector<double>{3 * least, 4 * least}, mode), 5 * least);
    EXPECT_EQ(norm2(std::vector<double>{big, big, big, big}, mode), inf);  // the norm itself
    EXPECT_EQ(norm2(std::vector<double>(70, 0.0), mode), 0);
    EXPECT_EQ(norm2(std::vector<double>{1, -inf, 2}, mode), inf);
    EXPECT_TRUE(std::isnan(norm2(std::vector<double>{1, inf, nan}, mode)));
    EXPECT_EQ(norm2(std::vector<double>{big, 1, least}, mode), big);
    EXPECT_EQ(norm2(std::vector<float>{3e-40f, 4e-40f}, mode), 5e-40f);
    EXPECT_EQ(norm2(std::vector<float>{3e38f, 0}, mode), 3e38f);
  }
}

TEST(Norm2, OfStridedExtremeNumbersIsRight) {
  const double x[] = {3e200, 7, 4e200, 7};
  EXPECT_DOUBLE_EQ(norm2(View<const double>(x, 2, 2)), 5e200);
  EXPECT_DOUBLE_EQ(norm2(View<const double>(x, 2, -2), Mode::reproducible), 5e200);
}

}  // namespace
}  // namespace kinjo::blas1
