/// A positive definite matrix of blocks with its factor, and how far one may go from it.
#pragma once

#include <limits>
#include <optional>

#include "sdp/reference/blocks.hpp"
#include "sdp/reference/triangular.hpp"

namespace kinjo::sdp::detail::reference {

/// L with A = L Lᵀ (diagonal blocks: √a). Nothing where A is not positive definite.
template <class Real>
std::optional<Blocks<Real>> lower_factor(const Blocks<Real>& a) {
  Blocks<Real> l = a;
  for (std::size_t b = 0; b < a.size(); ++b) {
    const std::size_t n = a.order(b);
    Real* block = l.block(b);
    if (!a.is_diagonal(b)) {
      if (!factorise(n, block)) return std::nullopt;
      for (std::size_t j = 1; j < n; ++j) std::fill_n(block + j * n, j, Real(0));
      continue;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (!(block[i] > Real(0))) return std::nullopt;
      block[i] = root(block[i]);
    }
  }
  return l;
}

/// W = L⁻¹, so that A⁻¹ = Wᵀ W.
template <class Real>
Blocks<Real> inverse_of_lower(const Blocks<Real>& l) {
  Blocks<Real> w(l.shapes());
  for (std::size_t b = 0; b < l.size(); ++b) {
    const std::size_t n = l.order(b);
    if (l.is_diagonal(b)) {
      for (std::size_t i = 0; i < n; ++i) w.block(b)[i] = Real(1) / l.block(b)[i];
    } else {
      invert_lower(n, l.block(b), w.block(b));
    }
  }
  return w;
}

/// The least eigenvalue of a symmetric matrix in columns, to about 1e-16 of the greatest.
double least_eigenvalue(std::size_t n, const double* a);

/// The least eigenvalue of all blocks; infinite for no rows.
template <class Real>
double least_eigenvalue(const Blocks<Real>& a) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<double> rounded;
  for (std::size_t b = 0; b < a.size(); ++b) {
    const std::size_t n = a.order(b), count = a.is_diagonal(b) ? n : n * n;
    rounded.resize(count);
    for (std::size_t i = 0; i < count; ++i) rounded[i] = to_double(a.block(b)[i]);
    if (a.is_diagonal(b)) {
      for (const double value : rounded) least = std::min(least, value);
    } else if (n > 0) {
      least = std::min(least, least_eigenvalue(n, rounded.data()));
    }
  }
  return least;
}

/// The least eigenvalue of W D Wᵀ; infinite for no rows.
template <class Real>
double least_relative_eigenvalue(const Blocks<Real>& w, const Blocks<Real>& d) {
  return least_eigenvalue(product(product(w, d), transposed(w)));
}

}  // namespace kinjo::sdp::detail::reference
