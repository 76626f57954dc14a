#include "fft/wide_transform.hpp"

#include <gtest/gtest.h>

#include "fft/bluestein.hpp"
#include "fft/cutting.hpp"
#include "fft/direct.hpp"

namespace kinjo::fft::detail {
namespace {

/// An even sequence of random numbers.
std::vector<Wide> even_numbers(std::size_t m) {
  const auto half = test::random_numbers<double>(m / 2 + 1);
  std::vector<Wide> x(m);
  for (std::size_t j = 0; j < m; ++j) x[j] = half[std::min(j, m - j)];
  return x;
}

/// ‖y − expected‖₂ / ‖expected‖₂ in units of long double's rounding.
double error_of(const std::vector<Wide>& y, const std::vector<Wide>& expected) {
  long double wrong = 0, all = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    wrong += std::norm(y[k] - expected[k]);
    all += std::norm(expected[k]);
  }
  return static_cast<double>(std::sqrt(wrong / all) / std::numeric_limits<long double>::epsilon());
}

std::vector<Wide> transformed(const std::vector<Wide>& x) {
  std::vector<Wide> half(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2 + 1));
  transform_even(half, x.size());
  return half;
}

TEST(WideTransform, IsTheDefinitionForEveryLengthOfSmallFactors) {
  for (std::size_t m = 1; m <= 200; ++m) {
    if (!is_smooth(m)) continue;
    const auto x = even_numbers(m);
    auto expected = test::direct(x, -1);
    expected.resize(m / 2 + 1);
    // The definition's own sums are the larger error of the two.
    EXPECT_LE(error_of(transformed(x), expected), 20) << "m = " << m;
  }
}

TEST(WideTransform, LosesNoAccuracyInLongLines) {
  for (const std::size_t m : {std::size_t{1} << 14, std::size_t{12500}, std::size_t{2} * 6125}) {
    const auto x = even_numbers(m);
    auto expected = test::exact(x, -1);
    expected.resize(m / 2 + 1);
    EXPECT_LE(error_of(transformed(x), expected), 20) << "m = " << m;
  }
}

TEST(WideTransform, TakesAsMuchMemoryBesideAsTheHalfThatItIsGiven) {
  for (const std::size_t m : {std::size_t{1} << 12, std::size_t{5} << 12}) {
    EXPECT_LE(transform_even_bytes(m), (m / 2 + 20) * sizeof(Wide));
  }
}

TEST(Bluestein, HasTheSpectrumOfItsChirpRoundedOnce) {
  for (const std::size_t n : {67u, 1009u, 4099u}) {
    const std::size_t m = padded_length(2 * n - 1);
    const auto tables = bluestein_tables<double>(n, m);
    const auto roots = test::wide_roots(2 * n, +1);
    std::vector<Wide> x(m);
    for (std::size_t j = 0; j < n; ++j) x[j] = x[(m - j) % m] = roots[j * j % (2 * n)];
    const auto expected = test::exact(x, -1);
    for (std::size_t k = 0; k < m; ++k) {
      const long double scale = static_cast<long double>(m);
      const Wide wrong = Wide(tables.filter[k], tables.filter[m + k]) - expected[k] / scale;
      const auto most =
          0.51 * std::numeric_limits<double>::epsilon() * std::abs(expected[k]) / scale;
      EXPECT_LE(std::abs(wrong), most + 1e-18L) << "n = " << n << ", k = " << k;
    }
  }
}

}  // namespace
}  // namespace kinjo::fft::detail
