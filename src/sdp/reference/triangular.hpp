/// Cholesky's factorisation in panels of columns, and triangular inverses, on `add_product`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "sdp/reference/product.hpp"

namespace kinjo::sdp::detail::reference {

inline constexpr std::size_t kPanel = 16;

/// A square in columns, as `factorise` takes matrices.
template <class Real>
struct SquareColumns {
  std::size_t n;
  Real* data;

  std::size_t order() const { return n; }
  Strided<Real> at(std::size_t i, std::size_t j) const { return columns(data, n).at(i, j); }
  std::size_t end(std::size_t) const { return n; }
};

/// The lower factor of a positive definite A, in its place; what is above the diagonal is not
/// touched. Calls `pivot(j, value)` for the root of each pivot; it answers 0 for "give up".
template <class Matrix, class Pivot>
bool factorise_in_place(Matrix&& a, const Pivot& pivot) {
  const std::size_t n = a.order();
  const auto subtract = [&](std::size_t from, std::size_t inner, std::size_t j, std::size_t count) {
    const auto left = a.at(j, from);
    subtract_product({n - j, count, inner}, {left.data, left.down, left.across},
                     {left.data, left.across, left.down}, a.at(j, j));
  };
  for (std::size_t begin = 0; begin < n; begin += kPanel) {
    const std::size_t end = std::min(n, begin + kPanel);
    for (std::size_t from = 0; from < begin; from = a.end(from)) {
      subtract(from, std::min(begin, a.end(from)) - from, begin, end - begin);
    }
    for (std::size_t j = begin; j < end; ++j) {
      subtract(begin, j - begin, j, 1);
      const auto column = a.at(j, j);
      const auto diagonal = pivot(j, column(0, 0));
      using Real = std::remove_cvref_t<decltype(diagonal)>;
      if (!(diagonal > Real(0))) return false;
      column(0, 0) = diagonal;
      const Real inverse = Real(1) / diagonal;
      for (std::size_t i = 1; i < n - j; ++i) column(i, 0) *= inverse;
    }
  }
  return true;
}

/// False: A is not positive definite.
template <class Real>
bool factorise(std::size_t n, Real* a) {
  return factorise_in_place(SquareColumns<Real>{n, a}, [](std::size_t, Real value) {
    return value > Real(0) ? root(value) : Real(0);
  });
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

}  // namespace kinjo::sdp::detail::reference
