/// The verifier of BLAS-1: serial, and independent of the kernels.
///
/// Sums are compared with a sum in twice the precision of double: each addition's error is found
/// exactly (Knuth's TwoSum) and added up as well, as is each product's (by a fused multiply-add).
/// With u = 2⁻⁵³ (float: 2⁻²⁴), a sum of terms t_i may be k·u·Σ|t_i| away, a norm (k/2 + 1)·u of
/// itself; k is as in kinjo/blas1.hpp. What is written to memory must be right to the last bit: of
/// a fast axpy, a·x + y rounded once, or product and sum rounded each. These are u·|a·x + y| and
/// u·(|a·x| + |a·x + y|) away at most, up to terms of u².
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include <kinjo/blas1.hpp>

namespace kinjo::detail {

class CompensatedSum {
 public:
  void add(double term) {
    const double sum = sum_ + term;
    const double part = sum - sum_;
    error_ += (sum_ - (sum - part)) + (term - part);
    sum_ = sum;
    magnitude_ += std::abs(term);
  }
  void add_product(double a, double b) {
    const double product = a * b;
    add(product);
    error_ += std::fma(a, b, -product);
  }
  /// |value − what was added up|
  double distance(double value) const { return std::abs((value - sum_) - error_); }
  double value() const { return sum_ + error_; }
  /// The sum of the terms' magnitudes.
  double magnitude() const { return magnitude_; }

 private:
  double sum_ = 0;
  double error_ = 0;
  double magnitude_ = 0;
};

/// Half a unit in the last place of 1.
template <class T>
inline constexpr double kRoundoff = std::numeric_limits<T>::epsilon() / 2;

/// k of the bound for n terms.
template <class T>
double sum_error_factor(std::size_t n, blas1::Mode mode);

// For float and double. Each returns nothing for a right result, else one clause on what is wrong.
// Squares and products of the elements must be normal numbers.

template <class T>
std::optional<std::string> check_sum(std::span<const T> x, T result, blas1::Mode mode);
template <class T>
std::optional<std::string> check_sum_of_squares(std::span<const T> x, T result, blas1::Mode mode);
template <class T>
std::optional<std::string> check_asum(std::span<const T> x, T result, blas1::Mode mode);
template <class T>
std::optional<std::string> check_norm2(std::span<const T> x, T result, blas1::Mode mode);
template <class T>
std::optional<std::string> check_dot(std::span<const T> x, std::span<const T> y, T result,
                                     blas1::Mode mode);
/// `x` is not empty.
template <class T>
std::optional<std::string> check_max_abs_index(std::span<const T> x, std::size_t result);

// Of vectors from element `first` on, so that long ones can be checked in parts; `before` is what y
// held, `after` what it holds.

template <class T>
std::optional<std::string> check_axpy(std::size_t first, T a, std::span<const T> x,
                                      std::span<const T> before, std::span<const T> after,
                                      blas1::Mode mode);
template <class T>
std::optional<std::string> check_scale(std::size_t first, T a, std::span<const T> before,
                                       std::span<const T> after);
template <class T>
std::optional<std::string> check_copy(std::size_t first, std::span<const T> x,
                                      std::span<const T> after);

}  // namespace kinjo::detail
