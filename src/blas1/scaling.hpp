/// When a plain sum of squares may be trusted, and how to scale where it may not.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace kinjo::detail {

/// Whether neither overflow nor underflow has harmed a sum of n squares.
///
/// Overflow leaves an infinity or, if one was there before, NaN. A square that underflows is wrong
/// by less than the smallest normal number, also where the CPU flushes denormal numbers to zero;
/// all n of them together are wrong by less than half a unit in the last place of the sum if it is
/// at least n·min / epsilon.
template <class T>
bool is_safe_sum_of_squares(T sum, std::size_t n) {
  using Limits = std::numeric_limits<T>;
  constexpr T kLeast = Limits::min() / Limits::epsilon() * 2;
  return sum <= Limits::max() && sum >= static_cast<T>(n) * kLeast;
}

/// A power of two that brings numbers up to `most` (> 0, finite) near 1, so that the squares of
/// those that matter neither overflow nor underflow. Both it and its reciprocal are normal numbers.
template <class T>
int scaling_exponent(T most) {
  constexpr int kMost = std::numeric_limits<T>::max_exponent - 24;
  return std::clamp(-std::ilogb(most), -kMost, kMost);
}

}  // namespace kinjo::detail
