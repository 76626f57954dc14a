/// Certificates that a problem has no solution, sought beside an iterate.
///
/// (D) has none if cᵀx = −1 and Σ F_i x_i ⪰ 0. (P) has none if F_0 • Y = 1 and F_i • Y = 0 for some
/// Y ⪰ 0; the Y of an iterate is brought to F_i • Y = 0 by the shortest way, Y − Σ F_j z_j with
/// Gram matrix (F_i • F_j). Where these matrices pass a factorisation they are proofs. Otherwise
/// their least eigenvalue may be −1e-10 in the units of kinjo/sdp_verify.hpp, so that a solution
/// would have to be 1e10 times as large as the data: far less than what separates the problems that
/// solvers wrongly call infeasible.
#pragma once

#include <optional>

#include "sdp/reference/measure.hpp"
#include "sdp/reference/schur.hpp"
#include "sdp/vectors.hpp"

namespace kinjo::sdp::detail::reference {

template <class Real>
class Certificates {
 public:
  explicit Certificates(const Problem& problem) : problem_(problem) {
    for (std::size_t i = 0; i <= problem.constraints(); ++i) {
      norms_.push_back(detail::frobenius_norm(problem.matrix(i)));
      if (i == 0 || norms_[i] == 0) continue;
      trace_ = std::max(trace_, std::abs(problem.costs()[i - 1]) / norms_[i]);
    }
  }

  /// x with cᵀx = −1 and Σ F_i x_i ⪰ 0, which is then X.
  std::optional<Iterate<Real>> of_dual(const Frame<Real>& frame) const {
    const Real cost = frame.rest.primal_objective;
    if (!(cost < Real(0))) return std::nullopt;
    Iterate<Real> found = {frame.at.x, {}, Blocks<Real>(problem_.blocks())};
    // In double, since that is what is handed over.
    for (Real& value : found.x) value = Real(to_double(value / -cost));
    if (!costs_as_scaled(found.x)) return std::nullopt;
    found.X = combination<Real>(problem_, found.x);
    if (!is_definite(found.X, trace_) || !survives_rounding(found.X, trace_)) return std::nullopt;
    return found;
  }

  /// Y ⪰ 0 with F_0 • Y = 1 and F_i • Y = 0.
  std::optional<Iterate<Real>> of_primal(const Frame<Real>& frame) {
    const Real gain = frame.rest.dual_objective;
    std::vector<Real> r;
    for (std::size_t i = 0; i < problem_.constraints(); ++i) {
      r.push_back(Real(problem_.costs()[i]) - frame.rest.dual[i]);
    }
    if (!(gain > Real(0)) || !(norm(r) < to_double(gain))) return std::nullopt;
    if (contradicts(frame)) return std::nullopt;
    if (!gram_) form_gram();
    Iterate<Real> found = {std::vector<Real>(r.size()), Blocks<Real>(problem_.blocks()),
                           frame.at.Y};
    add_scaled(found.Y, Real(-1), combination<Real>(problem_, gram_->solve(r)));
    const Real left = inner_product(problem_.matrix(0), found.Y);
    if (!(left > Real(0))) return std::nullopt;
    for (Real& value : found.Y.values()) value /= left;
    if (!is_definite(found.Y, norms_[0]) || !vanishes(found.Y)) return std::nullopt;
    if (!survives_rounding(found.Y, norms_[0])) return std::nullopt;
    return found;
  }

 private:
  /// Whether X says that nothing like Y is a certificate: since X ⪰ 0 and X = Σ F_i x_i − F_0 −
  /// R_p, a certificate Y would have R_p • Y ≤ −F_0 • Y. Where (P) is feasible this saves the Gram
  /// matrix.
  static bool contradicts(const Frame<Real>& frame) {
    constexpr double kClearly = 1e-3;
    const Real most =
        reference::frobenius_norm(frame.rest.primal) * reference::frobenius_norm(frame.at.Y);
    return to_double(most) < kClearly * to_double(frame.rest.dual_objective);
  }

  /// Of F_i • Y, in units of ‖F_i‖/‖F_0‖.
  double norm(const std::vector<Real>& products) const {
    double sum = 0;
    for (std::size_t i = 0; i < products.size(); ++i) {
      if (norms_[i + 1] == 0) continue;
      const double value = to_double(products[i]) * (norms_[0] / norms_[i + 1]);
      sum += value * value;
    }
    return std::sqrt(sum);
  }

  /// A ⪰ 0, or nearly so in units of 1/scale.
  static bool is_definite(const Blocks<Real>& a, double scale) {
    return lower_factor(a) || -least_eigenvalue(a) * scale <= kLeastEigenvalue;
  }
  static constexpr double kLeastEigenvalue = 1e-10;

  /// Whether that is still so, as far as the verifier asks, once the entries are doubles.
  static bool survives_rounding(const Blocks<Real>& a, double scale) {
    return 0x1p-53 * to_double(reference::frobenius_norm(a)) * scale <= kRounding;
  }
  static constexpr double kRounding = 5e-8;

  /// Whether cᵀx = −1 still: of huge x_i that cancel each other rounding leaves anything.
  bool costs_as_scaled(const std::vector<Real>& x) const {
    Real cost(0);
    for (std::size_t i = 0; i < x.size(); ++i) cost += x[i] * Real(problem_.costs()[i]);
    return std::abs(to_double(cost + Real(1))) <= kRounding;
  }

  void form_gram() {
    one_ = Blocks<Real>(problem_.blocks(), 1);
    gram_.emplace(problem_);
    gram_->form(one_, one_);
    gram_->factorise();
  }

  /// F_i • Y is 0 but for rounding errors.
  bool vanishes(const Blocks<Real>& y) const {
    std::vector<Real> products;
    for (std::size_t i = 0; i < problem_.constraints(); ++i) {
      products.push_back(inner_product(problem_.matrix(i + 1), y));
    }
    return norm(products) < kVanished;
  }
  static constexpr double kVanished = 1e-9;

  const Problem& problem_;
  std::vector<double> norms_;  ///< ‖F_0‖_F, ‖F_1‖_F …
  double trace_ = 0;           ///< max |c_i|/‖F_i‖: every feasible Y has at least this trace
  Blocks<Real> one_;
  std::optional<Schur<Real>> gram_;
};

}  // namespace kinjo::sdp::detail::reference
