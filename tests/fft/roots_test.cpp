#include "fft/roots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace kinjo::fft::detail {
namespace {

long double value(DoubleDouble x) { return static_cast<long double>(x.high) + x.low; }

/// The angle's cosine and sine by the C library in long double, of an angle of at most π/4.
std::complex<long double> library_root(std::size_t n, std::size_t k) {
  const auto eighths = static_cast<std::ptrdiff_t>(8 * (k % n));  // of the angle of the first root
  const auto whole = static_cast<std::ptrdiff_t>(n);
  const std::ptrdiff_t quarter = (eighths + whole) / (2 * whole);
  const long double rest = static_cast<long double>(eighths - 2 * quarter * whole) /
                           static_cast<long double>(n) * std::numbers::pi_v<long double> / 4;
  const std::complex<long double> turns[] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
  const std::complex<long double> small(std::cos(rest), -std::sin(rest));
  return turns[quarter % 4] * small;
}

/// A root is two doubles, which is less than a long double of 64-bit ARM.
TEST(Roots, AreTheLibrarysToTheLastBitsOfLongDouble) {
  const long double precision = std::max(std::numeric_limits<long double>::epsilon(), 0x1p-106L);
  for (const std::size_t n : {1u, 2u, 3u, 5u, 8u, 12u, 31u, 360u, 1000003u, 1u << 24}) {
    for (std::size_t k = 0; k < n; k += n / 97 + 1) {
      const ExactRoot root = exact_root(n, k);
      const auto expected = library_root(n, k);
      const long double bound = 4 * precision;
      EXPECT_LE(std::abs(value(root.real) - expected.real()), bound) << n << ' ' << k;
      EXPECT_LE(std::abs(value(root.imaginary) - expected.imag()), bound) << n << ' ' << k;
    }
  }
}

TEST(Roots, OfEighthsOfTheCircleAreExact) {
  const double h = std::sqrt(0.5);
  const std::complex<double> expected[] = {{1, 0},  {h, -h}, {0, -1}, {-h, -h},
                                           {-1, 0}, {-h, h}, {0, 1},  {h, h}};
  for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(root<double>(8, k), expected[k % 8]) << k;
  EXPECT_FALSE(std::signbit(root<double>(4, 0).imag()));
}

TEST(Roots, OfATableAreThoseMadeOneByOne) {
  for (const std::size_t n : {1u, 2u, 7u, 64u, 1000u, 4099u}) {
    const Roots roots(n);
    for (std::size_t k = 0; k < n + 3; ++k) {
      EXPECT_EQ(roots.rounded<double>(k), root<double>(n, k)) << n << ' ' << k;
      EXPECT_EQ(roots.rounded<float>(k), root<float>(n, k)) << n << ' ' << k;
    }
  }
}

TEST(Roots, OfLengthsBeyondEveryTableAreExact) {
  const std::size_t n = std::size_t{1} << 49;
  const ExactRoot root = exact_root(n, 1);
  const double angle = 2 * std::numbers::pi / static_cast<double>(n);
  EXPECT_EQ(root.real.high, 1);
  EXPECT_DOUBLE_EQ(root.imaginary.high, -angle);
  EXPECT_EQ(detail::root<double>(n, 3 * n + n / 4), std::complex<double>(0, -1));
}

TEST(Roots, AreRoundedToFloatOnce) {
  // Between two floats, and above their middle by less than a double shows.
  const double middle = 0.5 + std::ldexp(1.0, -25);
  EXPECT_EQ(rounded<float>({{middle, 1e-20}, {middle, -1e-20}}).real(), std::nextafter(0.5f, 1.0f));
  EXPECT_EQ(rounded<float>({{middle, 1e-20}, {middle, -1e-20}}).imag(), 0.5f);
}

}  // namespace
}  // namespace kinjo::fft::detail
