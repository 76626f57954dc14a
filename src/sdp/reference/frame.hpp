/// Where a path is, and what it needs to know there.
#pragma once

#include "sdp/reference/blocks.hpp"
#include "sdp/reference/cone.hpp"

namespace kinjo::sdp::detail::reference {

/// x, X and Y; or a direction dx, dX, dY.
template <class Real>
struct Iterate {
  std::vector<Real> x;
  Blocks<Real> X, Y;
};

template <class Real>
struct Residuals {
  Blocks<Real> primal;     ///< R_p = Σ F_i x_i − F_0 − X
  std::vector<Real> dual;  ///< r_d,i = c_i − F_i • Y
  Real primal_objective, dual_objective;
  Real complementarity;  ///< X • Y
};

template <class Real>
Residuals<Real> residuals(const Problem& problem, const Iterate<Real>& at) {
  Residuals<Real> r;
  r.primal = combination<Real>(problem, at.x);
  add_scaled(r.primal, Real(-1), problem.matrix(0));
  add_scaled(r.primal, Real(-1), at.X);
  for (std::size_t i = 0; i < problem.constraints(); ++i) {
    const Real cost(problem.costs()[i]);
    r.dual.push_back(cost - inner_product(problem.matrix(i + 1), at.Y));
    r.primal_objective += at.x[i] * cost;
  }
  r.dual_objective = inner_product(problem.matrix(0), at.Y);
  r.complementarity = inner_product(at.X, at.Y);
  return r;
}

/// An iterate with its residuals and factors: X = L_X L_Xᵀ, W_X = L_X⁻¹, and so for Y.
template <class Real>
struct Frame {
  Iterate<Real> at;
  Residuals<Real> rest;
  Blocks<Real> x_lower, x_inverse_lower, y_lower, y_inverse_lower;
};

}  // namespace kinjo::sdp::detail::reference
