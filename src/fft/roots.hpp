/// Roots of unity, rounded correctly.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "base/double_double.hpp"

namespace kinjo::fft::detail {

using kinjo::detail::DoubleDouble;

/// A root in twice the precision of double, an error of some 2⁻¹⁰⁰.
struct ExactRoot {
  DoubleDouble real;
  DoubleDouble imaginary;
};

/// exp(−2πi·k/n) for 0 < n < 2⁵⁰ and any k.
ExactRoot exact_root(std::size_t n, std::size_t k);
/// The root of the sum of two angles.
ExactRoot operator*(const ExactRoot& a, const ExactRoot& b);

/// The nearest T: an error of at most half a unit in the last place (of more by 2⁻⁴⁷ units for
/// double, where the exact value lies so near the middle of two).
template <class T>
std::complex<T> rounded(const ExactRoot& root);
/// exp(−2πi·k/n) rounded.
template <class T>
std::complex<T> root(std::size_t n, std::size_t k) {
  return rounded<T>(exact_root(n, k));
}

/// Many roots of one n, for less than a sine each: exp(−2πi·k/n) is the product of a root for k's
/// higher digits and one for its lower ones, 2·√n of which are made at first.
class Roots {
 public:
  explicit Roots(std::size_t n);
  std::size_t order() const { return n_; }
  ExactRoot exact(std::size_t k) const;
  template <class T>
  std::complex<T> rounded(std::size_t k) const {
    return detail::rounded<T>(exact(k));
  }

 private:
  std::size_t n_;
  std::size_t block_;
  std::vector<ExactRoot> high_;
  std::vector<ExactRoot> low_;
};

}  // namespace kinjo::fft::detail
