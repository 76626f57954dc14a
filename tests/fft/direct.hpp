/// The transform by its definition, in long double: what plans are tested against.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace kinjo::test {

using Wide = std::complex<long double>;

/// e^(2πi·sign·j/n) for j < n.
inline std::vector<Wide> wide_roots(std::size_t n, int sign) {
  std::vector<Wide> roots(n);
  for (std::size_t j = 0; j < n; ++j) {
    const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(j) /
                              static_cast<long double>(n);
    roots[j] = {std::cos(angle), static_cast<long double>(sign) * std::sin(angle)};
  }
  return roots;
}

/// y_k = Σ_j x_j e^(2πi·sign·jk/n), unscaled.
template <class T>
std::vector<Wide> direct(const std::vector<std::complex<T>>& x, int sign) {
  const std::size_t n = x.size();
  const std::vector<Wide> roots = wide_roots(n, sign);
  std::vector<Wide> y(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) y[k] += Wide(x[j]) * roots[j * k % n];
  }
  return y;
}

/// Normally distributed numbers.
template <class T>
std::vector<std::complex<T>> random_numbers(std::size_t n, unsigned seed = 1) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<std::complex<T>> x(n);
  for (auto& v : x) {
    const double re = normal(generator), im = normal(generator);
    v = {static_cast<T>(re), static_cast<T>(im)};
  }
  return x;
}

/// ‖y − exact‖₂ / ‖exact‖₂ in units of the error that is allowed, 0.6 ε √(log2 n); of n < 2 as
/// of 2.
template <class T>
double excess(const std::vector<std::complex<T>>& y, const std::vector<Wide>& exact) {
  long double wrong = 0, all = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    wrong += std::norm(Wide(y[i]) - exact[i]);
    all += std::norm(exact[i]);
  }
  const double levels = std::log2(static_cast<double>(std::max<std::size_t>(y.size(), 2)));
  const double allowed = 0.6 * std::numeric_limits<T>::epsilon() * std::sqrt(levels);
  return static_cast<double>(std::sqrt(wrong / all)) / allowed;
}

}  // namespace kinjo::test
