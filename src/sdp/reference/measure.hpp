/// The DIMACS errors of a solution as it is handed over: rounded to double.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "sdp/reference/frame.hpp"

namespace kinjo::sdp::detail::reference {

/// x, X and Y in double, and all that `Solution` says of them.
struct Measured {
  std::vector<double> x;
  BlockMatrix X, Y;
  double primal_objective = 0, dual_objective = 0;
  std::array<double, 6> errors{};
};

/// 1 + ‖c‖∞ and 1 + ‖F_0‖∞, by the greatest absolute entries.
struct Scales {
  double cost = 1, matrix = 1;
  explicit Scales(const Problem& problem);
};

/// Their objectives and errors, computed in about 32 digits.
void measure(const Problem& problem, Measured& solution);

/// The greatest absolute error; infinite if one is no number.
double worst(const std::array<double, 6>& errors);

/// The values in double, in the same order.
template <class Real>
BlockMatrix rounded(const Blocks<Real>& a) {
  BlockMatrix r(a.shapes());
  for (std::size_t b = 0; b < a.size(); ++b) {
    const std::span<double> to = r.block(b);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = to_double(a.block(b)[i]);
  }
  return r;
}
template <class Real>
Blocks<Real> widened(const BlockMatrix& a) {
  Blocks<Real> r(a.blocks());
  for (std::size_t b = 0; b < r.size(); ++b) {
    const std::span<const double> from = a.block(b);
    for (std::size_t i = 0; i < from.size(); ++i) r.block(b)[i] = Real(from[i]);
  }
  return r;
}

/// Rounds: X follows the rounding of x, so that Σ F_i x_i − F_0 − X stays as it is but for X's own
/// last digits.
template <class Real>
Measured round_and_measure(const Problem& problem, const Iterate<Real>& at) {
  Measured m;
  std::vector<Real> change;
  for (const Real& value : at.x) {
    m.x.push_back(to_double(value));
    change.push_back(Real(m.x.back()) - value);
  }
  Blocks<Real> X = combination<Real>(problem, change);
  add_scaled(X, Real(1), at.X);
  m.X = rounded(X);
  m.Y = rounded(at.Y);
  measure(problem, m);
  return m;
}

}  // namespace kinjo::sdp::detail::reference
