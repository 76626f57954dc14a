/// Cholesky's factorisation in panels of columns, and triangular inverses, on `add_product`.
#pragma once

#include <algorithm>
#include <cstddef>

#include "sdp/reference/product.hpp"

namespace kinjo::sdp::detail::reference {

inline constexpr std::size_t kPanel = 16;

/// The lower factor of a positive definite A, in its place; what is above the diagonal is not
/// touched. Calls `pivot(j, value)` for the root of each pivot; it answers 0 for "give up".
template <class Real, class Pivot>
bool factorise(std::size_t n, Real* data, const Pivot& pivot) {
  const Strided<Real> a = columns(data, n);
  const auto subtract = [&](std::size_t from, std::size_t inner, std::size_t j, std::size_t count) {
    subtract_product({n - j, count, inner}, {&a(j, from), 1, n}, {&a(j, from), n, 1}, a.at(j, j));
  };
  for (std::size_t begin = 0; begin < n; begin += kPanel) {
    const std::size_t end = std::min(n, begin + kPanel);
    subtract(0, begin, begin, end - begin);
    for (std::size_t j = begin; j < end; ++j) {
      subtract(begin, j - begin, j, 1);
      const Real diagonal = pivot(j, a(j, j));
      if (!(diagonal > Real(0))) return false;
      a(j, j) = diagonal;
      const Real inverse = Real(1) / diagonal;
      for (std::size_t i = j + 1; i < n; ++i) a(i, j) *= inverse;
    }
  }
  return true;
}

/// False: A is not positive definite.
template <class Real>
bool factorise(std::size_t n, Real* a) {
  return factorise(n, a,
                   [](std::size_t, Real value) { return value > Real(0) ? root(value) : Real(0); });
}

/// W = L⁻¹, with zeros above the diagonal.
template <class Real>
void invert_lower(std::size_t n, const Real* lower, Real* inverse) {
  const Strided<const Real> l = columns(lower, n);
  const Strided<Real> w = columns(inverse, n);
  std::fill(inverse, inverse + n * n, Real(0));
  for (std::size_t begin = 0; begin < n; begin += kPanel) {
    const std::size_t end = std::min(n, begin + kPanel);
    subtract_product({end - begin, begin, begin}, l.at(begin, 0), {inverse, 1, n}, w.at(begin, 0));
    for (std::size_t i = begin; i < end; ++i) w(i, i) = Real(1);
    for (std::size_t i = begin; i < end; ++i) {
      const Real factor = Real(1) / l(i, i);
      for (std::size_t j = 0; j <= i; ++j) w(i, j) *= factor;
      for (std::size_t k = i + 1; k < end; ++k) {
        for (std::size_t j = 0; j <= i; ++j) w(k, j) -= l(k, i) * w(i, j);
      }
    }
  }
}

/// Lᵀ above the diagonal of L.
template <class Real>
void mirror_lower(std::size_t n, Real* lower) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j + 1; i < n; ++i) lower[i * n + j] = lower[j * n + i];
  }
}

/// b := (L Lᵀ)⁻¹ b for an L with its transpose above the diagonal.
template <class Real>
void solve_factorised(std::size_t n, const Real* mirrored, Real* b) {
  const Strided<const Real> l = columns(mirrored, n);
  const auto subtract = [&](std::size_t row, std::size_t count, std::size_t begin,
                            std::size_t end) {
    if (count == 0) return;
    subtract_product({count, 1, end - begin}, l.at(row, begin), {b + begin, 1, n}, {b + row, 1, n});
  };
  for (std::size_t begin = 0; begin < n; begin += kPanel) {
    const std::size_t end = std::min(n, begin + kPanel);
    for (std::size_t j = begin; j < end; ++j) {
      b[j] /= l(j, j);
      for (std::size_t i = j + 1; i < end; ++i) b[i] -= l(i, j) * b[j];
    }
    subtract(end, n - end, begin, end);
  }
  for (std::size_t begin = (n + kPanel - 1) / kPanel * kPanel; begin > 0;) {
    begin -= kPanel;
    const std::size_t end = std::min(n, begin + kPanel);
    for (std::size_t j = end; j-- > begin;) {
      b[j] /= l(j, j);
      for (std::size_t i = begin; i < j; ++i) b[i] -= l(i, j) * b[j];
    }
    subtract(0, begin, begin, end);
  }
}

}  // namespace kinjo::sdp::detail::reference
