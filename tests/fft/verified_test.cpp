/// What plans make of any numbers passes the check, whose bound is still close enough to find one
/// wrong number.
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/fft.hpp>

#include "fft/verify.hpp"

namespace kinjo::fft::detail {
namespace {

template <class T>
using Complex = std::complex<T>;

/// Numbers whose roundings are no random ones, by name; the last few are random.
template <class T>
std::vector<std::pair<std::string, std::vector<Complex<T>>>> signals(std::size_t n) {
  std::vector<std::pair<std::string, std::vector<Complex<T>>>> all;
  const auto add = [&](const std::string& name, const std::function<Complex<T>(std::size_t)>& at) {
    all.emplace_back(name, std::vector<Complex<T>>(n));
    for (std::size_t j = 0; j < n; ++j) all.back().second[j] = at(j);
  };
  const auto wave = [n](std::size_t j, std::size_t k) {
    return 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
  };
  add("constant", [](std::size_t) { return T(0.1); });
  add("complex constant", [](std::size_t) { return Complex<T>(T(0.1), T(-0.7)); });
  add("alternating", [](std::size_t j) { return j % 2 == 0 ? T(0.3) : T(-0.3); });
  add("ramp", [](std::size_t j) { return T(0.1) * static_cast<T>(j + 1); });
  add("squares", [](std::size_t j) { return T(0.1) * static_cast<T>(j * j); });
  add("step", [n](std::size_t j) { return 2 * j < n ? T(0.3) : T(0.7); });
  add("nearly constant", [](std::size_t j) { return j == 0 ? T(0.3) : T(1) / T(3); });
  for (const std::size_t k : {std::size_t{1}, n / 3, n / 2, n - 1}) {
    add(fmt::format("impulse at {}", k), [=](std::size_t j) { return j == k % n ? T(0.1) : T(0); });
    add(fmt::format("wave {}", k), [=](std::size_t j) {
      return Complex<T>(T(std::cos(wave(j, k))), T(std::sin(wave(j, k))));
    });
    add(fmt::format("sine {}", k), [=](std::size_t j) { return T(std::sin(wave(j, k))); });
  }
  std::mt19937_64 random(n);
  std::uniform_real_distribution<T> uniform(-1, 1);
  for (int i = 0; i < (n <= 20 ? 20 : 4); ++i) {
    add(fmt::format("random {}", i), [&](std::size_t) {
      const T re = uniform(random);
      return Complex<T>(re, uniform(random));
    });
  }
  return all;
}

template <class T>
Signal<T> complex_numbers(const std::vector<Complex<T>>& x, Numbers numbers = Numbers::complex) {
  const T* const parts = reinterpret_cast<const T*>(x.data());
  return {parts, parts + 1, 2, numbers};
}
template <class T>
Signal<T> real_numbers(const std::vector<T>& x) {
  return {x.data(), nullptr, 1, Numbers::real};
}

template <class T>
void check_complex(std::size_t n, const CheckOptions& options) {
  const Fft<T> plan(n);
  std::vector<Complex<T>> y(n);
  for (const auto& [name, x] : signals<T>(n)) {
    const auto in = complex_numbers(x), out = complex_numbers(y);
    plan.forward(x.data(), y.data());
    EXPECT_EQ(verify<T>({n}, in, out, Direction::forward, 1, options).fault, "")
        << name << " of " << n;
    plan.backward(x.data(), y.data());
    const double scale = 1 / static_cast<double>(n);
    EXPECT_EQ(verify<T>({n}, in, out, Direction::backward, scale, options).fault, "")
        << name << " of " << n << ", backward";
  }
}

template <class T>
void check_real(std::size_t n, const CheckOptions& options) {
  const RealFft<T> plan(n);
  std::vector<Complex<T>> half(plan.spectrum_size());
  std::vector<T> x(n), back(n);
  for (const auto& [name, numbers] : signals<T>(n)) {
    for (std::size_t j = 0; j < n; ++j) x[j] = numbers[j].real();
    plan.forward(x.data(), half.data());
    EXPECT_EQ(verify<T>({n}, real_numbers(x), complex_numbers(half, Numbers::half),
                        Direction::forward, 1, options)
                  .fault,
              "")
        << name << " of " << n;
    std::copy_n(numbers.begin(), half.size(), half.begin());  // of no real numbers
    plan.backward(half.data(), back.data());
    EXPECT_EQ(verify<T>({n}, complex_numbers(half, Numbers::half), real_numbers(back),
                        Direction::backward, 1 / static_cast<double>(n), options)
                  .fault,
              "")
        << name << " of " << n << ", backward";
  }
}

template <class T>
class VerifiedOf : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(VerifiedOf, Types);

TYPED_TEST(VerifiedOf, ShortTransformsOfAnyNumbersPass) {
  std::vector<std::size_t> lengths(32);
  std::iota(lengths.begin(), lengths.end(), 1);
  for (const std::size_t n : {49, 58, 61, 64, 67, 97, 134}) lengths.push_back(n);
  for (const std::size_t n : lengths) {
    check_complex<TypeParam>(n, {});
    check_real<TypeParam>(n, {});
  }
}

/// Whatever is sampled: an impulse's or a wave's error lies in a few numbers.
TYPED_TEST(VerifiedOf, LongTransformsOfAnyNumbersPass) {
  for (const std::size_t n : {2187u, 3721u, 3001u}) {
    for (unsigned seed = 1; seed <= 2; ++seed) {
      check_complex<TypeParam>(n, {.terms = 1, .seed = seed});
      check_real<TypeParam>(n, {.terms = 1, .seed = seed});
    }
  }
}

TYPED_TEST(VerifiedOf, SeveralAxesOfAHalfThatIsNoSpectrumPass) {
  using T = TypeParam;
  const std::vector<std::size_t> shape{5, 6};
  const RealFft<T> plan(shape);
  std::vector<Complex<T>> half(plan.spectrum_size());
  std::vector<T> back(plan.size());
  std::mt19937_64 random(2);
  std::uniform_real_distribution<T> uniform(-1, 1);
  for (auto& v : half) v = {uniform(random) / 1000, uniform(random) / 1000};
  half[0].imag(T(10)), half[4].real(T(100)), half[16].real(T(-100));  // none of which goes on
  plan.backward(half.data(), back.data());
  EXPECT_EQ(verify<T>(shape, complex_numbers(half, Numbers::half), real_numbers(back),
                      Direction::backward, 1.0 / 30)
                .fault,
            "");
}

/// By how much a number may be off alone: a few units in the last place of the norm.
template <class T>
void find_one_wrong(const std::vector<std::size_t>& shape, const CheckOptions& options,
                    double tolerance) {
  const Fft<T> plan(shape);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<T> uniform(-1, 1);
  std::vector<Complex<T>> x(plan.size()), y(plan.size());
  for (auto& v : x) v = {uniform(random), uniform(random)};
  plan.forward(x.data(), y.data());
  double norm = 0;
  for (const auto& v : y) norm += std::norm(std::complex<double>(v));
  norm = std::sqrt(norm);
  const auto check = [&] {
    return verify<T>(shape, complex_numbers(x), complex_numbers(y), Direction::forward, 1, options);
  };
  ASSERT_EQ(check().fault, "");
  y[y.size() / 3] += static_cast<T>(1.2 * tolerance * error_bound<T>(shape) * norm);
  EXPECT_NE(check().fault, "") << y.size();
}

TYPED_TEST(VerifiedOf, OneNumberThatExceedsTheBoundIsFound) {
  for (const std::size_t n : {2u, 3u, 8u, 61u, 97u, 100u, 1024u}) {
    find_one_wrong<TypeParam>({n}, {}, 1);
  }
  find_one_wrong<TypeParam>({30, 40}, {}, 1);
  find_one_wrong<TypeParam>({1 << 14}, {.terms = 1}, 2);  // which is not sampled
}

TEST(Verified, TheBoundIsAFewUnitsOfTheNorm) {
  constexpr double kUnit = 0x1p-52;
  EXPECT_DOUBLE_EQ(error_bound<double>({1}), kUnit);
  EXPECT_DOUBLE_EQ(error_bound<double>({2}), 2.5 * kUnit);
  EXPECT_DOUBLE_EQ(error_bound<double>({1024}), 25 * kUnit);
  EXPECT_DOUBLE_EQ(error_bound<double>({32, 1, 32}), 25 * kUnit);
  EXPECT_DOUBLE_EQ(error_bound<float>({46}), 2.5 * std::log2(46) * 0x1p-23);
  EXPECT_DOUBLE_EQ(error_bound<double>({58}), 4 * std::log2(58) * kUnit);
  EXPECT_DOUBLE_EQ(error_bound<double>({134}), 10 * (2 + std::log2(134)) * kUnit);
}

TYPED_TEST(VerifiedOf, FaultsHaveAsManyDigitsAsTellNumbersApart) {
  using T = TypeParam;
  const std::vector<T> x(61, T(0.1));
  const RealFft<T> plan(61);
  std::vector<Complex<T>> y(31);
  plan.forward(x.data(), y.data());
  y[0] = T(61.1) / T(10);
  const std::string fault =
      verify<T>({61}, real_numbers(x), complex_numbers(y, Numbers::half), Direction::forward, 1)
          .fault;
  EXPECT_THAT(fault, testing::StartsWith(
                         sizeof(T) == 8 ? "element 0 is 6.1100000000000003+0i: expected "
                                          "6.1000000000000005+0i; relative error 0.0016, "
                                          "expected at most 5.3e-15"
                                        : "element 0 is 6.10999966+0i: expected 6.10000009+0i"));
}

}  // namespace
}  // namespace kinjo::fft::detail
