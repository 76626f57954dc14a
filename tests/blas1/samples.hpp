/// Numbers to add up, and their sums to more digits than any kernel has.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace kinjo::test {

/// Numbers of both signs and many magnitudes, with all bits of the mantissa in use.
template <class T>
T number(std::size_t i) {
  const double angle = static_cast<double>(i) + 1;
  return static_cast<T>(std::sin(angle) * std::exp2(std::floor(8 * std::cos(3 * angle))));
}

template <class T>
std::vector<T> numbers(std::size_t n, std::size_t first = 0) {
  std::vector<T> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = number<T>(first + i);
  return all;
}

/// A sum in twice the precision of double: each addition's error is found exactly (Knuth's TwoSum)
/// and added up as well, as is each product's (by a fused multiply-add).
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

template <class T>
auto bits_of(T value) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<std::uint64_t>(value);
  } else {
    return std::bit_cast<std::uint32_t>(value);
  }
}

}  // namespace kinjo::test
