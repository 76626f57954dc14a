#include <atomic>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>
#include <kinjo/fft.hpp>
#include <kinjo/topology.hpp>

#include "fft/direct.hpp"
#include "simd/level.hpp"
#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::excess, test::random_numbers;
using Shape = std::vector<std::size_t>;

template <class T>
class RealFftOf : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(RealFftOf, Types);

template <class T>
std::vector<T> real_numbers(std::size_t n, unsigned seed = 1) {
  std::vector<T> x(n);
  for (std::size_t i = 0; const auto& v : random_numbers<T>(n, seed)) x[i++] = v.real();
  return x;
}

/// Both directions against the complex transform of the same numbers.
template <class T>
void compare(const Shape& shape, const fft::Options& options, Team* team = nullptr) {
  const RealFft<T> plan = team ? RealFft<T>(*team, shape, options) : RealFft<T>(shape, options);
  const auto x = real_numbers<T>(plan.size());
  const std::vector<std::complex<T>> wide(x.begin(), x.end());
  std::vector<std::complex<T>> whole(x.size()), y(plan.spectrum_size());
  Fft<T>(shape, options).forward(wide.data(), whole.data());
  plan.forward(x.data(), y.data());
  std::size_t stride = 1;
  const std::size_t axis = options.axes.empty()
                               ? shape.size() - 1
                               : *std::max_element(options.axes.begin(), options.axes.end());
  for (std::size_t d = axis + 1; d < shape.size(); ++d) stride *= shape[d];
  const std::size_t n = shape[axis], kept = n / 2 + 1;
  std::vector<test::Wide> expected(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    expected[i] = whole[i / (kept * stride) * n * stride + i % (kept * stride)];
  }
  EXPECT_LE(excess(y, expected), 2.5) << plan.describe();
  std::vector<T> back(x.size());
  plan.backward(y.data(), back.data());
  EXPECT_LE(
      excess(std::vector<std::complex<T>>(back.begin(), back.end()), {wide.begin(), wide.end()}),
      2.5)
      << plan.describe();
}

TYPED_TEST(RealFftOf, HasTheFirstHalfOfTheComplexSpectrum) {
  for (std::size_t n = 1; n <= 100; ++n) compare<TypeParam>({n}, {});
  for (const std::size_t n : {1000u, 1331u, 4096u, 20011u, 1u << 17}) compare<TypeParam>({n}, {});
}

/// Lengths about those of vectors, and where roots begin to be products and lines to be shared.
TYPED_TEST(RealFftOf, IsTheSameAtEveryLevel) {
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    SCOPED_TRACE(to_string(level));
    for (std::size_t n = 2; n <= 150; n += 2) compare<TypeParam>({n}, {});
    for (const std::size_t n : {1000u, 16384u, 32400u, 32768u, 33000u, 49152u, 1u << 17}) {
      compare<TypeParam>({n}, {});
    }
  }
}

/// All of a spectrum, of which half is there.
template <class T>
std::vector<std::complex<T>> whole(const std::vector<std::complex<T>>& half, std::size_t n) {
  std::vector<std::complex<T>> all(half.begin(), half.end());
  for (std::size_t k = half.size(); k < n; ++k) all.push_back(std::conj(half[n - k]));
  return all;
}

/// The error in the mean over lines, forward and backward, in units of what is allowed.
template <class T>
std::pair<double, double> mean_errors(std::size_t n, unsigned lines) {
  const RealFft<T> plan(n);
  std::vector<std::complex<T>> half(plan.spectrum_size());
  std::vector<T> back(n);
  double there = 0, again = 0;
  for (unsigned seed = 1; seed <= lines; ++seed) {
    const auto x = real_numbers<T>(n, seed);
    plan.forward(x.data(), half.data());
    plan.backward(half.data(), back.data());
    const auto spectrum = whole(half, n);
    auto expected = test::exact(spectrum, +1);
    for (auto& v : expected) v /= static_cast<long double>(n);
    there += std::pow(
        excess(spectrum, test::exact(std::vector<std::complex<T>>(x.begin(), x.end()), -1)), 2);
    again += std::pow(excess(std::vector<std::complex<T>>(back.begin(), back.end()), expected), 2);
  }
  return {std::sqrt(there / lines), std::sqrt(again / lines)};
}

TYPED_TEST(RealFftOf, HasTheExactSpectrumUpToTheErrorThatComplexTransformsHave) {
  const auto check = [](std::size_t n, unsigned lines) {
    const auto [there, back] = mean_errors<TypeParam>(n, lines);
    EXPECT_LE(there, 1) << "n = " << n;
    EXPECT_LE(back, 1) << "n = " << n << ", backward";
  };
  for (std::size_t n = 1; n <= 100; ++n) check(n, 25);
  for (const std::size_t n : {1000u, 1009u, 1331u, 4096u, 20011u, 98304u}) check(n, 2);
}

TYPED_TEST(RealFftOf, TransformsAlongTheAxesThatAreNamed) {
  for (const Shape& axes : {Shape{}, Shape{0}, Shape{1}, Shape{2}, Shape{0, 2}, Shape{1, 0}}) {
    compare<TypeParam>({6, 5, 8}, {.axes = axes});
    compare<TypeParam>({4, 6, 7}, {.axes = axes});
  }
}

// Lanes are copied as many together as divide their number.
TYPED_TEST(RealFftOf, TransformsColumns) {
  for (const std::size_t n : {1u, 2u, 3u, 64u, 225u, 1009u, 2018u, 4096u, 1u << 16}) {
    for (const std::size_t lanes : {1u, 2u, 7u, 15u, 16u, 17u, 24u}) {
      compare<TypeParam>({n, lanes}, {.axes = {0}});
    }
  }
  compare<TypeParam>({2, 3, 50, 12}, {.axes = {2}});
}

/// Pairs, whole lines, convolutions, columns, several axes, and a line that a team cuts.
const Shape kShapes[] = {{4096}, {1001}, {2018}, {50, 16}, {6, 9, 20}, {4, 64}, {1 << 17}};

TYPED_TEST(RealFftOf, IsTransformedByTeams) {
  for (const std::size_t threads : {1u, 2u, 3u}) {
    Team team(Mapping(Topology::this_machine(), Policy::scatter(), threads, Oversubscribe::wrap));
    for (const fft::Deal deal : {fft::Deal::block, fft::Deal::cyclic}) {
      for (const Shape& shape : kShapes) compare<TypeParam>(shape, {.deal = deal}, &team);
      compare<TypeParam>({50, 16}, {.axes = {0}, .deal = deal}, &team);
    }
  }
}

TYPED_TEST(RealFftOf, MayBeCalledBySeveralThreadsAtOnce) {
  using Complex = std::complex<TypeParam>;
  for (const Shape& shape : kShapes) {
    const RealFft<TypeParam> plan(shape);
    const auto x = real_numbers<TypeParam>(plan.size());
    std::vector<Complex> y(plan.spectrum_size());
    std::vector<TypeParam> back(x.size());
    plan.forward(x.data(), y.data());
    plan.backward(y.data(), back.data());
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        std::vector<Complex> mine(y.size());
        std::vector<TypeParam> again(x.size());
        for (int i = 0; i < 5; ++i) {
          plan.forward(x.data(), mine.data());
          plan.backward(mine.data(), again.data());
          wrong += mine != y || again != back;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0) << plan.describe();
  }
}

TYPED_TEST(RealFftOf, KeepsNaNInItsColumn) {
  const std::size_t n = 50, lanes = 16, bad = 5;
  const RealFft<TypeParam> plan(Shape{n, lanes}, {.axes = {0}});
  auto x = real_numbers<TypeParam>(n * lanes);
  std::vector<std::complex<TypeParam>> clean(plan.spectrum_size()), y(plan.spectrum_size());
  plan.forward(x.data(), clean.data());
  x[7 * lanes + bad] = std::numeric_limits<TypeParam>::quiet_NaN();
  plan.forward(x.data(), y.data());
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (i % lanes == bad) {
      EXPECT_TRUE(std::isnan(y[i].real())) << i;
    } else {
      EXPECT_EQ(y[i], clean[i]) << i;
    }
  }
  std::vector<TypeParam> back(x.size());
  plan.backward(y.data(), back.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(std::isnan(back[i]), i % lanes == bad) << i;
  }
}

/// Each transform of a batch, `gap` numbers between neighbours, against the same by itself.
template <class T>
void compare_batch(const Shape& shape, std::size_t batch, std::size_t gap, Team* team = nullptr) {
  const RealFft<T> one(shape);
  const std::size_t distance = one.size() + gap, spectrum_distance = one.spectrum_size() + gap;
  const fft::Options options{
      .batch = batch, .distance = distance, .spectrum_distance = spectrum_distance};
  const RealFft<T> plan = team ? RealFft<T>(*team, shape, options) : RealFft<T>(shape, options);
  const std::complex<T> untouched(-7, 7);
  const auto x = real_numbers<T>(batch * distance);
  std::vector<std::complex<T>> y(batch * spectrum_distance, untouched), single(one.spectrum_size());
  std::vector<T> back(x.size(), -7), single_back(one.size());
  plan.forward(x.data(), y.data());
  plan.backward(y.data(), back.data());
  for (std::size_t b = 0; b < batch; ++b) {
    one.forward(x.data() + b * distance, single.data());
    const auto first = y.begin() + static_cast<std::ptrdiff_t>(b * spectrum_distance);
    const auto end = first + static_cast<std::ptrdiff_t>(single.size());
    EXPECT_LE(excess(std::vector(first, end), {single.begin(), single.end()}), 2)
        << "transform " << b << "\n"
        << plan.describe();
    EXPECT_EQ(std::count(end, end + static_cast<std::ptrdiff_t>(gap), untouched), gap);
    one.backward(&*first, single_back.data());
    for (std::size_t j = 0; j < one.size(); ++j) {
      ASSERT_NEAR(back[b * distance + j], single_back[j], 32 * std::numeric_limits<T>::epsilon())
          << "transform " << b << "\n"
          << plan.describe();
    }
    for (std::size_t j = 0; j < gap; ++j) EXPECT_EQ(back[b * distance + one.size() + j], -7);
  }
}

TYPED_TEST(RealFftOf, TakesBatchesAtAnyDistance) {
  for (const std::size_t n : {8u, 9u}) {
    for (const std::size_t gap : {0u, 1u, 2u}) compare_batch<TypeParam>({n}, 5, gap);
  }
}

/// Lines that all threads work on together, one after the other: of large and of small primes.
TYPED_TEST(RealFftOf, TakesBatchesOfLongLinesByTeams) {
  Team team(Mapping(Topology::this_machine(), Policy::scatter(), 2, Oversubscribe::wrap));
  for (const std::size_t batch : {2u, 3u}) {
    for (const std::size_t gap : {0u, 2u}) {
      for (const Shape& shape : {Shape{34606}, Shape{1 << 15}, Shape{30030, 2}}) {
        compare_batch<TypeParam>(shape, batch, gap, &team);
      }
    }
  }
}

TEST(RealFft, TakesTheFirstAndTheMiddleNumberForReal) {
  const RealFft plan(8);
  const std::complex<double> with[] = {{1, 5}, {2, 3}, {-1, 1}, {4, -2}, {2, 7}};
  std::complex<double> without[5];
  std::copy(std::begin(with), std::end(with), without);
  without[0].imag(0);
  without[4].imag(0);
  double x[8], y[8];
  plan.backward(with, x);
  plan.backward(without, y);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(x[i], y[i]);
}

TEST(RealFft, StatesTheShapeOfItsSpectrum) {
  const RealFft plan(Shape{4, 6, 10}, {.axes = {0, 1}});
  EXPECT_EQ(plan.spectrum_shape(), (Shape{4, 4, 10}));
  EXPECT_EQ(plan.size(), 240u);
  EXPECT_EQ(plan.spectrum_size(), 160u);
}

TEST(RealFft, RefusesArraysThatAreNullOrOverlap) {
  const RealFft plan(8);
  std::complex<double> x[10];
  auto* const parts = reinterpret_cast<double*>(x);
  const std::string overlap =
      "invalid_argument: fft: the arrays overlap: expected two, as real numbers and their spectrum "
      "differ in size";
  EXPECT_EQ(test::error_of([&] { plan.forward(parts, nullptr); }),
            "invalid_argument: fft: an array has no memory");
  EXPECT_EQ(test::error_of([&] { plan.forward(parts, x); }), overlap);
  EXPECT_EQ(test::error_of([&] { plan.forward(parts, x + 3); }), overlap);
  EXPECT_EQ(test::error_of([&] { plan.backward(x, parts + 9); }), overlap);
  EXPECT_NO_THROW(plan.forward(parts, x + 4));
  EXPECT_NO_THROW(plan.backward(x, parts + 10));
}

TEST(RealFft, RefusesBatchesThatOverlapAnywhere) {
  const RealFft plan(4, {.batch = 3, .distance = 20, .spectrum_distance = 10});
  std::vector<std::complex<double>> x(50);
  auto* const parts = reinterpret_cast<double*>(x.data());
  EXPECT_NE(test::error_of([&] { plan.forward(parts, x.data() + 21); }), "");
  EXPECT_NO_THROW(plan.forward(parts, x.data() + 22));
}

}  // namespace
}  // namespace kinjo
