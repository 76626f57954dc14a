/// Numbers of twice the precision of double: an unevaluated sum of two doubles.
///
/// high + low, |low| ≤ ulp(high)/2; about 104 bits. Sums and products by the exact transformations
/// of Knuth (two_sum), Dekker (fast_two_sum) and the fused multiply-add: T. J. Dekker, A
/// floating-point technique for extending the available precision, Numer. Math. 18 (1971).
#pragma once

#include <cmath>
#include <compare>

namespace kinjo::detail {

struct DoubleDouble {
  double high = 0;
  double low = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double h, double l = 0) : high(h), low(l) {}
  explicit operator double() const { return high; }
};

/// a + b, |a| ≥ |b|.
inline DoubleDouble fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

inline DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }
inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
  const DoubleDouble sum = fast_two_sum(high.high, high.low + low.high);
  return fast_two_sum(sum.high, sum.low + low.low);
}
inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const double product = a.high * b.high;
  const double error = std::fma(a.high, b.high, -product);
  return fast_two_sum(product, error + (a.high * b.low + a.low * b.high));
}
inline DoubleDouble operator/(DoubleDouble a, double b) {
  const double quotient = a.high / b;
  const double rest = std::fma(-quotient, b, a.high) + a.low;
  return fast_two_sum(quotient, rest / b);
}
inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.high / b.high;
  const DoubleDouble rest = a - b * first;
  const double second = rest.high / b.high;
  return fast_two_sum(first, second) + (rest - b * second).high / b.high;
}
inline DoubleDouble& operator+=(DoubleDouble& a, DoubleDouble b) { return a = a + b; }
inline DoubleDouble& operator-=(DoubleDouble& a, DoubleDouble b) { return a = a - b; }
inline DoubleDouble& operator*=(DoubleDouble& a, DoubleDouble b) { return a = a * b; }
inline DoubleDouble& operator/=(DoubleDouble& a, DoubleDouble b) { return a = a / b; }
inline bool operator==(DoubleDouble a, DoubleDouble b) {
  return a.high == b.high && a.low == b.low;
}
inline std::partial_ordering operator<=>(DoubleDouble a, DoubleDouble b) {
  return a.high != b.high ? a.high <=> b.high : a.low <=> b.low;
}
/// √a by one step of Newton's method; NaN for a < 0.
inline DoubleDouble sqrt(DoubleDouble a) {
  const double root = std::sqrt(a.high);
  if (!(root > 0)) return {root};
  const DoubleDouble rest = a - DoubleDouble(root) * root;
  return fast_two_sum(root, rest.high / (2 * root));
}

}  // namespace kinjo::detail
