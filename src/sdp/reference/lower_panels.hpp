/// The lower triangle of a symmetric matrix, or a triangular one, in little more than half the
/// memory of a square, and solutions with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sdp/reference/triangular.hpp"

namespace kinjo::sdp::detail::reference {

/// A few panels of columns, each from its first row on.
template <class Real>
class LowerPanels {
 public:
  explicit LowerPanels(std::size_t n)
      : n_(n), width_(std::max(kPanel, (n / kPanels + kPanel) / kPanel * kPanel)) {
    std::size_t size = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t first = j / width_ * width_;
      columns_.push_back(size + (j - first) * (n - first));
      if (j + 1 == end(j) || j + 1 == n) size += (std::min(end(j), n) - first) * (n - first);
    }
    values_.resize(size);
  }

  std::size_t order() const { return n_; }
  /// (i, j) for i ≥ j.
  Real& operator()(std::size_t i, std::size_t j) { return values_[place(i, j)]; }
  const Real& operator()(std::size_t i, std::size_t j) const { return values_[place(i, j)]; }
  /// What begins there, as far as the panel goes.
  Strided<Real> at(std::size_t i, std::size_t j) { return {&(*this)(i, j), 1, height(j)}; }
  Strided<const Real> at(std::size_t i, std::size_t j) const {
    return {&(*this)(i, j), 1, height(j)};
  }
  /// The first column of the panel behind j's.
  std::size_t end(std::size_t j) const { return (j / width_ + 1) * width_; }
  void clear() { std::ranges::fill(values_, Real(0)); }

 private:
  /// More would save less and less, and cut products short.
  static constexpr std::size_t kPanels = 8;

  std::size_t height(std::size_t j) const { return n_ - j / width_ * width_; }
  /// Of a panel's first row, row j / width · width.
  std::size_t place(std::size_t i, std::size_t j) const {
    return columns_[j] + i - j / width_ * width_;
  }

  std::size_t n_, width_;
  std::vector<std::size_t> columns_;
  std::vector<Real> values_;
};

/// b := (L Lᵀ)⁻¹ b.
template <class Real>
void solve_factorised(const LowerPanels<Real>& l, Real* b) {
  const std::size_t n = l.order();
  for (std::size_t begin = 0; begin < n; begin += kPanel) {
    const std::size_t end = std::min(n, begin + kPanel);
    for (std::size_t j = begin; j < end; ++j) {
      b[j] /= l(j, j);
      for (std::size_t i = j + 1; i < end; ++i) b[i] -= l(i, j) * b[j];
    }
    if (end == n) break;
    subtract_product({n - end, 1, end - begin}, l.at(end, begin), {b + begin, 1, n},
                     {b + end, 1, n});
  }
  for (std::size_t begin = (n + kPanel - 1) / kPanel * kPanel; begin > 0;) {
    begin -= kPanel;
    const std::size_t end = std::min(n, begin + kPanel);
    if (end < n) subtract_dots(n - end, end - begin, l.at(end, begin), b + end, b + begin);
    for (std::size_t j = end; j-- > begin;) {
      for (std::size_t i = j + 1; i < end; ++i) b[j] -= l(i, j) * b[i];
      b[j] /= l(j, j);
    }
  }
}

/// c −= A b for the symmetric A whose lower triangle `a` is.
template <class Real>
void subtract_symmetric(const LowerPanels<Real>& a, const Real* b, Real* c) {
  const std::size_t n = a.order();
  for (std::size_t begin = 0; begin < n; begin += kPanel) {
    const std::size_t end = std::min(n, begin + kPanel);
    for (std::size_t j = begin; j < end; ++j) {
      c[j] -= a(j, j) * b[j];
      for (std::size_t i = j + 1; i < end; ++i) {
        c[i] -= a(i, j) * b[j];
        c[j] -= a(i, j) * b[i];
      }
    }
    if (end == n) break;
    subtract_product({n - end, 1, end - begin}, a.at(end, begin), {b + begin, 1, n},
                     {c + end, 1, n});
    subtract_dots(n - end, end - begin, a.at(end, begin), b + end, c + begin);
  }
}

}  // namespace kinjo::sdp::detail::reference
