/// One element of α·A·B, computed again from parts of a row and a column in twice the precision of
/// double (Ogita, Rump, Oishi, Accurate sum and dot product, 2005).
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "gemm/error_bound.hpp"
#include "gemm/outcome.hpp"

namespace kinjo::gemm {

template <class T>
class ElementSum {
 public:
  /// α is finite, and not 0 if there are terms. Without any the element is 0.
  explicit ElementSum(double alpha) : alpha_(alpha), outcome_(1 / std::fabs(Wide{alpha})) {}

  /// Adds Σ a_p b_p.
  void add(std::span<const double> a, std::span<const double> b) {
    double magnitude = 0, above = 0;
    for (std::size_t p = 0; p < a.size(); ++p) {
      const double product = a[p] * b[p];
      const double product_rest = std::fma(a[p], b[p], -product);
      const double next = sum_ + product, moved = next - sum_;
      rest_ += (sum_ - (next - moved)) + (product - moved) + product_rest;
      sum_ = next;
      magnitude += std::fabs(product);
      above += std::max(product, 0.0);
    }
    terms_ += a.size();
    magnitude_ += magnitude;
    if (std::isfinite(magnitude)) {
      add_term(Wide{alpha_} * Wide{above}, true);
      add_term(Wide{alpha_} * (Wide{above} - Wide{magnitude}), true);
      return;
    }
    for (std::size_t p = 0; p < a.size(); ++p) {
      add_term(Wide{alpha_} * Wide{a[p]} * Wide{b[p]}, std::isfinite(a[p]) && std::isfinite(b[p]));
    }
  }

  double value() const { return terms_ == 0 ? 0 : alpha_ * (sum_ + rest_); }
  double bound() const {
    if (terms_ == 0) return 0;
    const double u = std::numeric_limits<T>::epsilon() / 2;
    return (static_cast<double>(terms_) + 2) * u * std::fabs(alpha_) * magnitude_ +
           underflow_bound<T>(terms_, alpha_);
  }
  /// By how much a number is off; where that cannot be said in double, 0 or infinity.
  double difference(double number) const {
    if (std::isfinite(bound()) && std::isfinite(value()) && std::isfinite(number)) {
      return std::fabs(number - value());
    }
    const bool is_right = std::isfinite(number) ? is_near(number) : outcome_.allows(number);
    return is_right ? 0 : std::numeric_limits<double>::infinity();
  }

 private:
  using Wide = long double;

  void add_term(Wide term, bool is_finite) {
    outcome_.add(term, is_finite);
    exact_ += term;
    wide_magnitude_ += std::fabs(term);
  }
  bool is_near(double number) const {
    const Wide bound = (static_cast<Wide>(terms_) + 2) * std::numeric_limits<T>::epsilon();
    return !outcome_.is_never_finite() &&
           std::fabs(Wide{number} - exact_) <= bound * wide_magnitude_;
  }

  double alpha_;
  double sum_ = 0, rest_ = 0, magnitude_ = 0;
  std::size_t terms_ = 0;
  Outcome<T, Wide> outcome_;
  Wide exact_ = 0, wide_magnitude_ = 0;
};

}  // namespace kinjo::gemm
