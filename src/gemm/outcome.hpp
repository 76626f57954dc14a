/// Which values that are not finite an element of a product can have.
///
/// Terms are added in any order, so that partial sums may exceed the type though the sum does not:
/// +∞ can come only of terms above 0 that exceed it together, −∞ of those below 0, and NaN of both.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace kinjo::gemm {

/// What α, a row of A or a column of B makes of the elements of its product: NaN makes each of them
/// NaN, and an infinity makes none of them finite.
enum class Kind : char { finite, infinite, nan };

/// Of a number.
template <class Number>
Kind kind_of(Number number) {
  if (std::isnan(number)) return Kind::nan;
  return std::isinf(number) ? Kind::infinite : Kind::finite;
}
/// Whether an element may have a value, as far as the kind says; what it is to be.
template <class Number>
bool allows(Kind kind, Number value) {
  return kind == Kind::nan ? std::isnan(value) : kind == Kind::finite || !std::isfinite(value);
}
inline const char* to_string(Kind kind) {
  return kind == Kind::nan ? "NaN" : kind == Kind::infinite ? "NaN or infinite" : "finite";
}

/// The terms of one element of T, each computed in `Wide`.
template <class T, class Wide>
class Outcome {
 public:
  /// Sums of T may be `reach` times those of the terms while they are computed, as α is applied to
  /// a sum.
  explicit Outcome(Wide reach) : reach_(std::max(reach, Wide{1})) {}

  /// `is_finite`: whether the factors of the term are.
  void add(Wide term, bool is_finite) {
    is_finite_ = is_finite_ && is_finite;
    if (std::isnan(term)) is_nan_ = true;
    if (term > 0) above_ += term;
    if (term < 0) below_ -= term;
  }

  /// Whether the element may have a value that is not finite.
  bool allows(Wide value) const {
    if (is_nan_) return std::isnan(value);
    const bool up = exceeds(above_), down = exceeds(below_);
    if (std::isnan(value)) return up && down;
    return value > 0 ? up : down;
  }
  /// Whether a finite value would be wrong: NaN and infinity stay.
  bool is_never_finite() const { return !is_finite_; }

 private:
  bool exceeds(Wide sum) const {
    return sum > static_cast<Wide>(std::numeric_limits<T>::max()) / reach_ * (1 - kRounding);
  }
  /// Of sums in T, by which they may exceed what the exact sum does not.
  static constexpr Wide kRounding = std::numeric_limits<T>::epsilon() * 1024;

  Wide reach_, above_ = 0, below_ = 0;
  bool is_nan_ = false, is_finite_ = true;
};

}  // namespace kinjo::gemm
