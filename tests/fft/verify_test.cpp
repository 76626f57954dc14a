/// The check passes transforms that are right, and finds what is wrong.
#include "fft/verify.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo::fft::detail {
namespace {

using Shape = std::vector<std::size_t>;
using Wide = std::complex<long double>;
using testing::StartsWith;

/// One line: powers of two by halves, other lengths by definition.
std::vector<Wide> transformed(const std::vector<Wide>& x, int sign) {
  const std::size_t n = x.size();
  std::vector<Wide> roots, y(n);
  for (std::size_t m = 0; m < n; ++m) {
    roots.push_back(
        std::polar(1.0L, sign * 2 * std::numbers::pi_v<long double> * static_cast<long double>(m) /
                             static_cast<long double>(n)));
  }
  if (n % 2 != 0) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) y[k] += x[j] * roots[j * k % n];
    }
    return y;
  }
  std::vector<Wide> even, odd;
  for (std::size_t j = 0; j < n; j += 2) {
    even.push_back(x[j]);
    odd.push_back(x[j + 1]);
  }
  even = transformed(even, sign);
  odd = transformed(odd, sign);
  for (std::size_t k = 0; k < n / 2; ++k) {
    y[k] = even[k] + roots[k] * odd[k];
    y[k + n / 2] = even[k] - roots[k] * odd[k];
  }
  return y;
}

/// The unscaled transform, axis by axis.
std::vector<Wide> transformed(std::vector<Wide> x, const Shape& shape, int sign) {
  std::size_t inner = x.size();
  for (const std::size_t n : shape) {
    inner /= n;
    for (std::size_t start = 0; start < x.size(); ++start) {
      if (start / inner % n != 0) continue;
      std::vector<Wide> line;
      for (std::size_t j = 0; j < n; ++j) line.push_back(x[start + j * inner]);
      line = transformed(line, sign);
      for (std::size_t j = 0; j < n; ++j) x[start + j * inner] = line[j];
    }
  }
  return x;
}

/// Input and output of a transform as they lie in memory.
template <class T>
struct Sample {
  Shape shape;
  Numbers in, out;
  Direction direction;
  double scale;
  std::vector<T> x, y;

  Sample(Shape full, Numbers numbers_in, Numbers numbers_out, Direction d, double s)
      : shape(std::move(full)), in(numbers_in), out(numbers_out), direction(d), scale(s) {
    const std::size_t n =
        std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    std::mt19937_64 random(7);
    std::uniform_real_distribution<T> number(-1, 1);
    std::vector<Wide> values(n);
    for (Wide& v : values) v = {number(random), in == Numbers::complex ? number(random) : T(0)};
    if (in == Numbers::half) {  // the transform of real numbers, rounded
      values = transformed(values, shape, -1);
      for (Wide& v : values) v = std::complex<T>(v);
    }
    x = stored(values, in);
    values = transformed(values, shape, direction == Direction::forward ? -1 : 1);
    for (Wide& v : values) v *= scale;
    y = stored(values, out);
  }
  std::vector<T> stored(const std::vector<Wide>& values, Numbers numbers) const {
    std::vector<T> memory;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (numbers == Numbers::half && i % shape.back() > shape.back() / 2) continue;
      memory.push_back(static_cast<T>(values[i].real()));
      if (numbers != Numbers::real) memory.push_back(static_cast<T>(values[i].imag()));
    }
    return memory;
  }
  static Signal<T> signal(const std::vector<T>& memory, Numbers numbers) {
    return {memory.data(), memory.data() + 1, numbers == Numbers::real ? 1 : 2, numbers};
  }
  Check check(const CheckOptions& options = {}) const {
    return verify(shape, signal(x, in), signal(y, out), direction, scale, options);
  }
};

template <class T>
Sample<T> forward(Shape shape) {
  return {std::move(shape), Numbers::complex, Numbers::complex, Direction::forward, 1};
}

const Shape kShapes[] = {{1},       {2},       {3},       {8},         {15},     {64},
                         {100},     {521},     {4, 6},    {5, 1},      {1, 9},   {33, 32},
                         {3, 4, 5}, {2, 3, 8}, {7, 1, 6}, {1, 50, 42}, {60, 50}, {4096}};

template <class T>
class VerifyOf : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(VerifyOf, Types);

TYPED_TEST(VerifyOf, RightTransformsOfEveryKindAndShapeAreWithinTheirBound) {
  struct Kind {
    Numbers in, out;
    Direction direction;
    double scale;
  };
  for (const Kind& kind : {Kind{Numbers::complex, Numbers::complex, Direction::forward, 1},
                           Kind{Numbers::complex, Numbers::complex, Direction::backward, 0.125},
                           Kind{Numbers::real, Numbers::half, Direction::forward, -2},
                           Kind{Numbers::half, Numbers::real, Direction::backward, 0.01}}) {
    for (const Shape& shape : kShapes) {
      const Sample<TypeParam> s(shape, kind.in, kind.out, kind.direction, kind.scale);
      const Check check = s.check({.terms = 1e5});
      EXPECT_EQ(check.fault, "") << fmt::format("{}", shape);
      EXPECT_LT(check.error, check.bound);
      EXPECT_LT(check.column_error, check.bound);
      EXPECT_LT(check.parseval, check.bound);
      EXPECT_GE(check.elements, std::min<std::size_t>(4, s.y.size() / 2));
    }
  }
}

TYPED_TEST(VerifyOf, AllOfAShortTransformIsCompared) {
  auto s = forward<TypeParam>({1000});
  EXPECT_EQ(s.check().elements, 1000u);
  s.y[2 * 718] += TypeParam(1);
  EXPECT_THAT(s.check().fault, StartsWith("element 718 is "));
  auto rectangle = forward<TypeParam>({20, 30});
  rectangle.y[2 * (7 * 30 + 11) + 1] += TypeParam(1);
  EXPECT_THAT(rectangle.check().fault, StartsWith("element (7, 11) is "));
}

TYPED_TEST(VerifyOf, OneWrongElementAmongManyIsFoundWithoutBeingSampled) {
  for (const Shape& shape : {Shape{1 << 15}, Shape{64, 512}, Shape{3, 8192}}) {
    auto s = forward<TypeParam>(shape);
    const CheckOptions fewest{.terms = 1};
    const Check right = s.check(fewest);
    EXPECT_EQ(right.fault, "");
    EXPECT_EQ(right.elements, 4u);
    s.y[2 * 12345] += std::sqrt(TypeParam(32768)) / 500;  // of their root of the mean square
    EXPECT_THAT(s.check(fewest).fault,
                StartsWith("some element is wrong: transformed back, element "));
  }
}

TYPED_TEST(VerifyOf, WrongElementsOfRealTransformsAreFound) {
  const CheckOptions fewest{.terms = 1};
  Sample<TypeParam> half({1 << 14}, Numbers::real, Numbers::half, Direction::forward, 1);
  half.y[2 * 5000] += 1;
  EXPECT_FALSE(half.check(fewest).passed());
  Sample<TypeParam> real({1 << 14}, Numbers::half, Numbers::real, Direction::backward,
                         1.0 / (1 << 14));
  EXPECT_EQ(real.check(fewest).fault, "");
  real.y[5001] += TypeParam(0.01);
  EXPECT_FALSE(real.check(fewest).passed());
}

TYPED_TEST(VerifyOf, WrongOrderScaleDirectionAndNanAreFound) {
  const auto right = forward<TypeParam>({4096});
  auto swapped = right, scaled = right, backward = right, nan = right;
  std::swap(swapped.y[2 * 100], swapped.y[2 * 101]);
  scaled.scale = 1.001;
  backward.direction = Direction::backward;
  nan.y[2 * 4000] = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_EQ(right.check().fault, "");
  for (const auto* wrong : {&swapped, &scaled, &backward, &nan})
    EXPECT_NE(wrong->check().fault, "");
}

TYPED_TEST(VerifyOf, NumbersWhoseSquaresExceedTheTypeAreCompared) {
  for (const int sign : {1, -1}) {
    auto s = forward<TypeParam>({100});
    const TypeParam factor =
        std::pow(std::numeric_limits<TypeParam>::max(), TypeParam(0.9) * TypeParam(sign));
    for (auto* side : {&s.x, &s.y}) {
      for (TypeParam& v : *side) v *= sign > 0 ? factor : std::sqrt(factor);
    }
    EXPECT_EQ(s.check().fault, "") << factor;
    std::swap(s.y[2 * 10], s.y[2 * 11]);
    EXPECT_THAT(s.check().fault, StartsWith("element 1"));
  }
}

TYPED_TEST(VerifyOf, TheSmallestNumbersAreAllowedToBeCoarse) {
  using T = TypeParam;
  auto s = forward<T>({100});
  for (auto* side : {&s.x, &s.y}) {
    for (T& v : *side) v *= std::numeric_limits<T>::min() / 1000;
  }
  EXPECT_EQ(s.check().fault, "");
  s.y[2 * 10] += std::numeric_limits<T>::min() / 100;
  EXPECT_THAT(s.check().fault, StartsWith("element 10"));
}

TYPED_TEST(VerifyOf, WhatIsNotFiniteStaysSo) {
  using T = TypeParam;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  for (const T odd : {nan, inf, -inf}) {
    for (const Shape& shape : {Shape{30}, Shape{5, 6}, Shape{4096}}) {
      auto s = forward<T>(shape);
      s.x[3] = odd;
      EXPECT_NE(s.check().fault, "") << "finite, though a part of it is not";
      for (std::size_t i = 0; i < s.y.size(); i += 2) s.y[i] = nan;  // one part is enough
      EXPECT_EQ(s.check().fault, "");
    }
    Sample<T> back({8}, Numbers::half, Numbers::real, Direction::backward, 0.125);
    back.x[2 * 2] = odd;  // what is there of it is 0 in every other element
    for (std::size_t i = 0; i < 8; i += 2) back.y[i] = odd;
    EXPECT_EQ(back.check().fault, "");
    back.y[4] = 1;
    EXPECT_THAT(back.check().fault, StartsWith("element 4 is 1"));
  }
}

TYPED_TEST(VerifyOf, SumsThatMayExceedTheTypeMayBeInfinite) {
  using T = TypeParam;
  constexpr T large = std::numeric_limits<T>::max(), inf = std::numeric_limits<T>::infinity();
  std::vector<T> x(16), y(16);
  for (std::size_t i = 0; i < 16; i += 2) x[i] = large;
  y[0] = inf;
  const Signal<T> in{x.data(), x.data() + 1}, out{y.data(), y.data() + 1};
  EXPECT_EQ(verify({8}, in, out, Direction::forward, 1).fault, "");
  y[0] = 5;
  EXPECT_NE(verify({8}, in, out, Direction::forward, 1).fault, "");
  x.assign(16, 1);
  y[0] = inf;
  EXPECT_NE(verify({8}, in, out, Direction::forward, 1).fault, "");
}

TYPED_TEST(VerifyOf, AHalfThatIsNoSpectrumOfRealNumbersCountsAsFarAsItIs) {
  using T = TypeParam;
  for (const T odd : {T(0.75), std::numeric_limits<T>::quiet_NaN()}) {
    for (const std::size_t n : {8, 9}) {
      Sample<T> s({n}, Numbers::half, Numbers::real, Direction::backward, 0.5);
      s.x[1] = odd;
      if (n == 8) s.x[2 * 4 + 1] = -odd;
      EXPECT_EQ(s.check().fault, "") << n;
      s.y[3] += T(0.5);
      EXPECT_NE(s.check().fault, "") << n;
    }
  }
  // In the columns 0 and n/2 of several axes, what is no spectrum is ignored, too.
  const Shape shape{6, 8};
  Sample<T> s(shape, Numbers::half, Numbers::real, Direction::backward, 0.5);
  s.x[2 * 5 * 2] += T(0.25), s.x[2 * 5 * 4] -= T(0.25);                      // (2, 0) and (4, 0)
  s.x[2 * (5 * 1 + 4) + 1] += T(0.25), s.x[2 * (5 * 5 + 4) + 1] += T(0.25);  // (1, 4) and (5, 4)
  EXPECT_EQ(s.check().fault, "");
  s.x[2 * 5 * 2] += T(0.25);
  EXPECT_NE(s.check().fault, "");
}

TYPED_TEST(VerifyOf, TheImaginaryPartOfASumOfRealNumbersIsCompared) {
  Sample<TypeParam> s({8}, Numbers::real, Numbers::half, Direction::forward, 1);
  s.y[1] = TypeParam(0.01);
  EXPECT_NE(s.check().fault, "");
}

TYPED_TEST(VerifyOf, SplitPartsAreReadWhereTheyLie) {
  const auto s = forward<TypeParam>({30});
  std::vector<TypeParam> parts[4];
  for (std::size_t i = 0; i < 30; ++i) {
    parts[0].push_back(s.x[2 * i]);
    parts[1].push_back(s.x[2 * i + 1]);
    parts[2].push_back(s.y[2 * i]);
    parts[3].push_back(s.y[2 * i + 1]);
  }
  const Signal<TypeParam> x{parts[0].data(), parts[1].data(), 1},
      y{parts[2].data(), parts[3].data(), 1};
  EXPECT_EQ(verify({30}, x, y, Direction::forward, 1).fault, "");
  EXPECT_NE(verify({30}, y, x, Direction::forward, 1).fault, "");
}

TEST(Verify, ZerosAreTheTransformOfZerosAlone) {
  std::vector<double> zeros(200), ones(200, 1.0);
  const Signal<double> x{zeros.data(), zeros.data() + 1}, y{ones.data(), ones.data() + 1};
  EXPECT_EQ(verify({100}, x, x, Direction::forward, 1).fault, "");
  EXPECT_NE(verify({100}, x, y, Direction::forward, 1).fault, "");
}

}  // namespace
}  // namespace kinjo::fft::detail
