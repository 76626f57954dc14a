/// Sums over vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace kinjo::sdp::detail {

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double norm(const std::vector<double>& v) { return std::sqrt(dot(v, v)); }

/// max |v_i|, 0 for none.
inline double largest(const std::vector<double>& v) {
  double most = 0;
  for (const double value : v) most = std::max(most, std::abs(value));
  return most;
}

/// The power of two at or below |value|, 1 of 0. Numbers are divided by that of the largest before
/// they are squared and added up, since squares may leave the range of doubles that their root is
/// in; elsewhere this changes no bit.
inline double power_below(double value) {
  if (value == 0) return 1;
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, exponent - 1);
}

/// (Σ w v²)^½ of numbers v of items, each so often as its weight says.
template <class Items, class Value, class Weight>
double weighted_norm(const Items& items, Value value, Weight weight) {
  double most = 0, sum = 0;
  for (const auto& item : items) most = std::max(most, std::abs(value(item)));
  const double unit = power_below(most);
  for (const auto& item : items) {
    const double v = value(item) / unit;
    sum += weight(item) * v * v;
  }
  return unit * std::sqrt(sum);
}

/// ‖·‖ of Frobenius of a symmetric matrix whose upper triangle has these entries.
template <class Entries>
double frobenius_norm(const Entries& entries) {
  return weighted_norm(
      entries, [](const auto& e) { return e.value; },
      [](const auto& e) { return e.row == e.column ? 1.0 : 2.0; });
}

}  // namespace kinjo::sdp::detail
