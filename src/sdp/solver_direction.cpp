/// The direction of an iteration, and how far it can be gone.
#include <algorithm>
#include <cmath>
#include <utility>

#include <kinjo/lab.hpp>

#include "sdp/serial.hpp"
#include "sdp/solver.hpp"
#include "sdp/vectors.hpp"

namespace kinjo::sdp::detail {

namespace {

using Second = ConeState::Second;

/// Cones from this order on have steps that are worth the whole team: they wait for memory.
constexpr std::size_t kSharedSteps = 1024;

/// How far from a matrix in the direction of another one may go, given λmin(L⁻¹ D L⁻ᵀ).
double length_of(double least) { return least < 0 ? -1 / least : 1e300; }

}  // namespace

/// B dx = F_i • (βμ X⁻¹ + fixed) − c_i; dX and dY follow from dx.
bool Solver::solve_direction(double target, Second second) {
  KINJO_PHASE("sdp direction");
  enter(Phase::direction);
  each_cone(
      [&](ConeState& cone, const Crew& crew) { cone.find_fixed(crew, primal_, second, dx_); });
  linear_.find_fixed(primal_, second);
  for (std::size_t i = 0; i < dx_.size(); ++i) dx_[i] = -model_.costs[i];
  for (const ConeState& cone : cones_) {
    if (target != 0) cone.add_products(cone.inverse(), target, dx_);
    cone.add_products(cone.fixed(), 1, dx_);
  }
  linear_.add_inverse_products(target, dx_);
  linear_.add_products(linear_.fixed(), 1, dx_);
  {
    KINJO_PHASE("sdp cholesky");
    enter(Phase::cholesky);
    schur_.solve(dx_);
  }
  enter(Phase::direction);
  for (const double v : dx_) {
    if (!std::isfinite(v)) return false;
  }
  each_cone([&](ConeState& cone, const Crew& crew) {
    cone.set_dx(dx_, primal_);
    cone.set_dy(crew, target, primal_, second, dx_);
  });
  linear_.set_dx(dx_, primal_);
  linear_.set_dy(target, primal_, second);
  return true;
}

/// c_i − F_i • (Y + dY)
std::vector<double> Solver::dual_rest() const {
  std::vector<double> rest = rho_;
  for (const ConeState& cone : cones_) cone.add_products(cone.dy(), -1, rest);
  linear_.add_products(linear_.dy(), -1, rest);
  return rest;
}

void Solver::add_direction(const std::vector<double>& delta) {
  each_cone([&](ConeState& cone, const Crew& crew) { cone.add_direction(crew, delta); });
  linear_.add_direction(delta);
  for (std::size_t i = 0; i < dx_.size(); ++i) dx_[i] += delta[i];
}

/// What rounding has left of c_i − F_i • (Y + dY) is brought down by a further step with the same
/// factor, added to dX and dY as they are: computed anew from the sum they would be as wrong again.
/// Where that does not help, because X⁻¹ and so B are not exact enough, dY is corrected.
void Solver::refine_direction() {
  KINJO_PHASE("sdp direction");
  // The gap is X • Y + Σ rest_i x_i: where x is large, rest must be the smaller for it.
  const auto excess = [this](const std::vector<double>& rest) {
    const double error = std::sqrt(dot(rest, rest)) / cost_scale_;
    return std::max(error, std::abs(dot(rest, x_)) / now_.size()) / options_.tolerance;
  };
  constexpr double kEnough = 0.05;
  std::vector<double> rest = dual_rest();
  double error = excess(rest);
  for (int round = 0; round < 3 && error > kEnough; ++round) {
    for (double& v : rest) v = -v;
    schur_.solve(rest);
    add_direction(rest);
    std::vector<double> now = dual_rest();
    const double less = excess(now);
    if (!(less < 0.5 * error)) {
      for (double& v : rest) v = -v;
      add_direction(rest);
      break;
    }
    error = less;
    rest = std::move(now);
  }
  if (!(error > 1)) return;
  prepare_correction();
  rest = dual_rest();
  solve_gram(rest);
  correct(rest);
  corrected_ = std::move(rest);
}

/// G_ij = F_i • F_j, by which dY += Σ F_j δ_j restores (D)'s constraints to the last digit,
/// whatever the conditions of X and Y: ELEMENTS with the identity in the place of both. Of a dense
/// one half its factor is kept, made where B lies, which this iteration needs no more.
void Solver::prepare_correction() {
  if (gram_ || !gram_factor_.empty()) return;
  if (schur_.sparse()) gram_.emplace(model_).allocate(*crew_.team());
  Schur& gram = gram_ ? *gram_ : schur_;
  std::vector<ConeMatrices> identities;
  for (ConeState& cone : cones_) identities.push_back(cone.identity());
  const std::vector<double> ones(linear_.order(), 1.0);
  elements_.compute(gram, identities, ones, ones);
  gram.factorise(crew_);
  if (!gram_) gram_factor_ = schur_.packed_factor();
}

/// δ ← G⁻¹ δ
void Solver::solve_gram(std::vector<double>& delta) {
  const auto solve_once = [this](std::vector<double>& x) {
    if (gram_) {
      gram_->solve_once(x);
    } else {
      solve_packed(x.size(), gram_factor_.data(), x.data());
    }
  };
  const auto apply = [this](const std::vector<double>& x, std::vector<double>& products) {
    std::ranges::fill(products, 0.0);
    for (ConeState& cone : cones_) cone.add_gram_products(x, products);
    linear_.add_gram_products(x, products);
  };
  solve_refined(delta, solve_once, apply);
}

void Solver::correct(const std::vector<double>& delta) {
  for (ConeState& cone : cones_) cone.move_dy(delta);
  linear_.move_dy(delta);
}

/// The steps of the direction. A correction that points out of Y's cone is taken back: then the
/// residual stays as it is for this time.
Solver::Steps Solver::find_steps_of_whole() {
  constexpr double kBlocked = 0.5;
  Steps most = find_steps();
  if (corrected_.empty() || most.dual > kBlocked) return most;
  for (double& v : corrected_) v = -v;
  correct(corrected_);
  const Steps without = find_steps();
  if (without.dual > most.dual) return without;
  for (double& v : corrected_) v = -v;
  correct(corrected_);
  return most;
}

/// How far X and Y can go before they leave their cones.
Solver::Steps Solver::find_steps() const {
  KINJO_PHASE("sdp step");
  enter(Phase::step);
  double work = 0;
  for (const ConeState& cone : cones_) {
    work += 20.0 * static_cast<double>(cone.order()) * static_cast<double>(cone.order());
  }
  std::vector<double> least(2 * cones_.size());
  const auto find = [&](std::size_t task, const Crew& crew) {
    const ConeState& cone = cones_[task / 2];
    least[task] = task % 2 == 0 ? cone.least_primal(crew) : cone.least_dual(crew);
  };
  for (std::size_t task = 0; task < least.size(); ++task) {
    if (cones_[task / 2].order() >= kSharedSteps) find(task, crew_);
  }
  crew_.each(least.size(), work, [&](std::size_t task, std::size_t) {
    if (cones_[task / 2].order() < kSharedSteps) find(task, Crew());
  });
  Steps found = {length_of(linear_.least_primal()), length_of(linear_.least_dual())};
  for (std::size_t task = 0; task < least.size(); ++task) {
    double& length = task % 2 == 0 ? found.primal : found.dual;
    length = std::min(length, length_of(least[task]));
  }
  return found;
}

/// How much of μ to aim at, from what the predictor would leave of it (Mehrotra).
double Solver::choose_beta(const Steps& predicted) const {
  const double a = std::min(1.0, 0.98 * predicted.primal), b = std::min(1.0, 0.98 * predicted.dual);
  double product = now_.product;
  const auto add = [&](const std::vector<double>& x, const std::vector<double>& y,
                       const std::vector<double>& dx, const std::vector<double>& dy) {
    product += a * dot(dx, y) + b * dot(x, dy) + a * b * dot(dx, dy);
  };
  add(linear_.x(), linear_.y(), linear_.dx(), linear_.dy());
  for (const ConeState& cone : cones_) add(cone.x(), cone.y(), cone.dx(), cone.dy());
  const double ratio = std::max(0.0, product / now_.product);
  const double shorter = std::min(a, b);
  const double exponent = now_.mu > 1e-6 ? std::max(1.0, 3 * shorter * shorter) : 1;
  const bool feasible = primal_ == Primal::feasible && now_.dual_error < options_.tolerance;
  const double least = feasible ? options_.beta_star : options_.beta_bar;
  return std::clamp(std::pow(ratio, exponent), least, 1.0);
}

}  // namespace kinjo::sdp::detail
