/// Proofs that a problem has no solution, sought beside an iterate.
///
/// (D) has none if cᵀx < 0 and Σ F_i x_i is positive definite. (P) has none if F_0 • Y > 0 and
/// F_i • Y = 0 for a positive definite Y; the Y of an iterate is brought to F_i • Y = 0 by the
/// shortest way, Y − Σ F_j z_j with Gram matrix (F_i • F_j). Definiteness is decided by a
/// factorisation, so that neither can be claimed for a problem that is only close to such a one.
#pragma once

#include <optional>

#include "sdp/reference/measure.hpp"
#include "sdp/reference/schur.hpp"

namespace kinjo::sdp::detail {

template <class Real>
class Certificates {
 public:
  explicit Certificates(const Problem& problem) : problem_(problem) {}

  /// x with cᵀx = −1 and Σ F_i x_i ≻ 0, which is then X.
  std::optional<Iterate<Real>> of_dual(const Frame<Real>& frame) const {
    const Real cost = frame.rest.primal_objective;
    if (!(cost < Real(0))) return std::nullopt;
    Iterate<Real> found = {frame.at.x, {}, Blocks<Real>(problem_.blocks())};
    // In double, since that is what is handed over.
    for (Real& value : found.x) value = Real(to_double(value / -cost));
    found.X = combination<Real>(problem_, found.x);
    if (!lower_factor(found.X)) return std::nullopt;
    return found;
  }

  /// Y ≻ 0 with F_0 • Y = 1 and F_i • Y = 0.
  std::optional<Iterate<Real>> of_primal(const Frame<Real>& frame) {
    const Real gain = frame.rest.dual_objective;
    std::vector<Real> r;
    for (std::size_t i = 0; i < problem_.constraints(); ++i) {
      r.push_back(Real(problem_.costs()[i]) - frame.rest.dual[i]);
    }
    if (!(gain > Real(0)) || !(norm(r) < kWorthATry * to_double(gain))) return std::nullopt;
    if (!gram_) form_gram();
    Iterate<Real> found = {std::vector<Real>(r.size()), Blocks<Real>(problem_.blocks()),
                           frame.at.Y};
    add_scaled(found.Y, Real(-1), combination<Real>(problem_, gram_->solve(r)));
    const Real left = inner_product(problem_.matrix(0), found.Y);
    if (!(left > Real(0))) return std::nullopt;
    for (Real& value : found.Y.values()) value /= left;
    if (!lower_factor(found.Y) || !vanishes(found.Y)) return std::nullopt;
    return found;
  }

 private:
  static constexpr double kWorthATry = 1;

  static double norm(const std::vector<Real>& v) {
    double sum = 0;
    for (const Real& value : v) sum += to_double(value) * to_double(value);
    return std::sqrt(sum);
  }

  void form_gram() {
    const Blocks<Real> one(problem_.blocks(), 1);
    gram_.emplace(problem_);
    gram_->form(one, one);
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
  std::optional<Schur<Real>> gram_;
};

}  // namespace kinjo::sdp::detail
