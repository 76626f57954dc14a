/// Roots of unity.
///
/// The angle 2π·k/n is brought to the first octant with integers: a = 8k mod 8n counts eighths of
/// it, an octant being n of them; a > 4n is mirrored at π (the sine changes sign), a > 2n at π/2
/// (the cosine changes sign), a > n at π/4 (sine and cosine change places). What is left, π/4 · a/n
/// with a ≤ n, goes into Taylor's series, in twice the precision of double.
#include "fft/roots.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/contract.hpp"

namespace kinjo::fft::detail {

namespace {

constexpr DoubleDouble kQuarterPi = {0.785398163397448278999, 3.06161699786838301793e-17};

/// 1 − x²/((f+1)(f+2)) · (1 − x²/((f+3)(f+4)) · (…)), to terms below 2⁻¹¹⁰ for x ≤ π/4.
DoubleDouble alternating_series(DoubleDouble square, int f) {
  DoubleDouble sum = {1, 0};
  for (int i = f + 30; i > f; i -= 2) sum = DoubleDouble{1, 0} - square * sum / ((i - 1.0) * i);
  return sum;
}

/// cos and sin of π/4 · a/n.
std::pair<DoubleDouble, DoubleDouble> first_octant(std::size_t a, std::size_t n) {
  const auto numerator = static_cast<double>(a), denominator = static_cast<double>(n);
  const DoubleDouble angle = kQuarterPi * (DoubleDouble{numerator, 0} / denominator);
  const DoubleDouble square = angle * angle;
  return {alternating_series(square, 0), angle * alternating_series(square, 1)};
}

/// √n, rounded up to a power of two.
std::size_t block_of(std::size_t n) {
  std::size_t block = 1;
  while (block * block < n) block *= 2;
  return block;
}

}  // namespace

ExactRoot exact_root(std::size_t n, std::size_t k) {
  KINJO_ASSERT(n > 0 && n < std::size_t{1} << 50);
  std::size_t a = 8 * (k % n);
  const bool below = a > 4 * n;
  if (below) a = 8 * n - a;
  const bool left = a > 2 * n;
  if (left) a = 4 * n - a;
  const bool steep = a > n;
  if (steep) a = 2 * n - a;
  auto [cosine, sine] = first_octant(a, n);
  if (steep) std::swap(cosine, sine);
  return {left ? -cosine : cosine, below ? sine : -sine};
}

ExactRoot operator*(const ExactRoot& a, const ExactRoot& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

namespace {

/// A double that every narrower type rounds as it would round the exact number: of the two doubles
/// around that, the one whose last bit is set (rounding to odd).
double odd(DoubleDouble x) {
  const bool even = (std::bit_cast<std::uint64_t>(x.high) & 1) == 0;
  if (x.low == 0 || !even) return x.high;
  return std::nextafter(x.high, std::copysign(HUGE_VAL, x.low));
}

template <class T>
T nearest(DoubleDouble x) {
  const T value = static_cast<T>(sizeof(T) < sizeof(double) ? odd(x) : x.high);
  return value + T{0};  // no −0
}

}  // namespace

template <class T>
std::complex<T> rounded(const ExactRoot& root) {
  return {nearest<T>(root.real), nearest<T>(root.imaginary)};
}
template std::complex<float> rounded(const ExactRoot& root);
template std::complex<double> rounded(const ExactRoot& root);

Roots::Roots(std::size_t n) : n_(n), block_(block_of(n)) {
  for (std::size_t k = 0; k < block_ && k < n; ++k) low_.push_back(exact_root(n, k));
  for (std::size_t k = 0; k < n; k += block_) high_.push_back(exact_root(n, k));
}

ExactRoot Roots::exact(std::size_t k) const {
  k %= n_;
  if (k % block_ == 0) return high_[k / block_];
  return high_[k / block_] * low_[k % block_];
}

}  // namespace kinjo::fft::detail
