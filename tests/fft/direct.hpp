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

/// a · b without regard for infinities, which `operator*` looks after at four times the cost.
inline Wide product(const Wide& a, const Wide& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// The transform of a power of two of numbers, by Stockham's passes of radix 2. `roots`: those of
/// its length.
inline void transform_wide(std::vector<Wide>& x, const std::vector<Wide>& roots) {
  const std::size_t n = x.size();
  std::vector<Wide> y(n);
  for (std::size_t length = 1; length < n; length *= 2) {
    const std::size_t others = n / (2 * length);
    for (std::size_t k = 0; k < length; ++k) {
      const Wide root = roots[k * others];
      for (std::size_t o = 0; o < others; ++o) {
        const Wide even = x[2 * k * others + o];
        const Wide odd = product(x[(2 * k + 1) * others + o], root);
        y[k * others + o] = even + odd;
        y[(k + length) * others + o] = even - odd;
      }
    }
    x.swap(y);
  }
}

/// The same as `direct`, as a convolution with chirps, for any length in n log n: its error is that
/// of long double, which is none to a double.
template <class T>
std::vector<Wide> exact(const std::vector<std::complex<T>>& x, int sign) {
  const std::size_t n = x.size();
  std::size_t m = 1;
  while (m < 2 * n) m *= 2;
  const std::vector<Wide> chirp = wide_roots(2 * n, sign), roots = wide_roots(m, -1);
  std::vector<Wide> a(m), b(m), y(n);
  for (std::size_t j = 0; j < n; ++j) {
    const Wide c = chirp[j * j % (2 * n)];
    a[j] = product(Wide(x[j]), c);
    b[j] = b[(m - j) % m] = std::conj(c);
  }
  transform_wide(a, roots);
  transform_wide(b, roots);
  for (std::size_t k = 0; k < m; ++k) a[k] = std::conj(product(a[k], b[k]));
  transform_wide(a, roots);
  for (std::size_t k = 0; k < n; ++k) {
    y[k] = product(std::conj(a[k]) / static_cast<long double>(m), chirp[k * k % (2 * n)]);
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
