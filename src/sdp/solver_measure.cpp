/// What an iterate is worth, and what it proves.
#include <algorithm>
#include <cmath>

#include "sdp/reference/measure.hpp"
#include "sdp/solver.hpp"
#include "sdp/vectors.hpp"

namespace kinjo::sdp::detail {

namespace {

/// How far a certificate may be from being exact, and how much of that rounding may be, so that it
/// is not more than the verifier tolerates.
constexpr double kCertain = 1e-8, kRounding = 5e-8;

}  // namespace

double Measures::size() const { return 1 + std::abs(primal_objective) + std::abs(dual_objective); }

double Measures::worst() const {
  return reference::worst(
      {dual_error, rounding / size(), primal_error, 0, gap(), product / size()});
}

/// How large the terms of Σ F_i x_i are.
double Solver::extent() const {
  double size = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) size += std::abs(x_[i]) * norms_[i];
  return size;
}

/// What rounding may have left of Σ F_i x_i − F_0 − X though it is taken for 0.
double Solver::rounding() const { return 0x1p-53 * extent(); }

/// How large the terms of cᵀx and F_0 • Y are.
double Solver::terms_of_objectives() const {
  double size = linear_.constant_terms();
  for (const ConeState& cone : cones_) size += cone.constant_terms();
  for (std::size_t i = 0; i < x_.size(); ++i) size += std::abs(model_.costs[i] * x_[i]);
  return size;
}

void Solver::measure() {
  now_ = {};
  rho_ = model_.costs;
  double rest = 0;
  if (primal_ == Primal::infeasible) rest += linear_.find_rest(x_);
  linear_.add_products(linear_.y(), -1, rho_);
  now_.dual_objective = linear_.constant_product();
  now_.product = dot(linear_.x(), linear_.y());
  for (ConeState& cone : cones_) {
    if (primal_ == Primal::infeasible) rest += cone.find_rest(x_);
    cone.add_products(cone.y(), -1, rho_);
    now_.dual_objective += cone.constant_product();
    now_.product += dot(cone.x(), cone.y());
  }
  now_.primal_objective = dot(model_.costs, x_);
  now_.rounding = 0x1p-53 * terms_of_objectives();
  now_.mu = order_ == 0 ? 0 : now_.product / static_cast<double>(order_);
  now_.primal_error = std::max(std::sqrt(rest), rounding()) / constant_scale_;
  now_.dual_error = std::sqrt(dot(rho_, rho_)) / cost_scale_;
}

/// ‖F_0‖ of Frobenius.
double Solver::constant_norm() const {
  std::vector<double> norms(
      1, weighted_norm(
             model_.linear.constant, [](double v) { return v; }, [](double) { return 1; }));
  for (const Cone& cone : model_.cones) norms.push_back(frobenius_norm(cone.constant));
  return weighted_norm(
      norms, [](double v) { return v; }, [](double) { return 1; });
}

/// F_0 • Y > 0 with F_i • Y as good as 0: no x has Σ F_i x_i − F_0 ⪰ 0, since 0 ≤ X • Y = −F_0 • Y.
/// In units of ‖F_0‖ and ‖F_i‖, as kinjo/sdp_verify.hpp has them.
bool Solver::certifies_primal() const {
  if (!(now_.dual_objective > 0)) return false;
  const double constant = constant_norm();
  const auto is_small = [&](const std::vector<double>& products) {
    double square = 0;
    for (std::size_t i = 0; i < products.size(); ++i) {
      if (norms_[i] == 0) continue;
      // Scaled before it is squared, since of a tiny Y the square would be 0.
      const double scaled = products[i] / norms_[i] / now_.dual_objective * constant;
      square += scaled * scaled;
    }
    return std::sqrt(square) < kCertain;
  };
  std::vector<double> products(rho_.size());
  for (std::size_t i = 0; i < products.size(); ++i) products[i] = model_.costs[i] - rho_[i];
  if (!is_small(products)) return false;
  double square = dot(linear_.y(), linear_.y());
  for (const ConeState& cone : cones_) square += dot(cone.y(), cone.y());
  const double rounding = 0x1p-53 * std::sqrt(square) * constant / now_.dual_objective;
  if (!(rounding < kRounding)) return false;
  // Beside a large c_i there is nothing left of a small F_i • Y, so that it must be found by
  // itself.
  std::ranges::fill(products, 0.0);
  linear_.add_products(linear_.y(), 1, products);
  for (const ConeState& cone : cones_) cone.add_products(cone.y(), 1, products);
  return is_small(products);
}

/// cᵀx < 0 with Σ F_i x_i ⪰ 0, as good as: no Y ⪰ 0 has F_i • Y = c_i, since 0 ≤ Σ x_i F_i • Y =
/// cᵀx. In units of ‖F_i‖/|c_i|, likewise.
bool Solver::certifies_dual() const {
  if (!(now_.primal_objective < 0)) return false;
  // Σ F_i x_i = X + F_0 + rest: what spoils its definiteness is small beside −cᵀx.
  const double spoils = constant_norm() + now_.primal_error * constant_scale_;
  double least_trace = 0;
  for (std::size_t i = 0; i < norms_.size(); ++i) {
    if (norms_[i] == 0) continue;
    least_trace = std::max(least_trace, std::abs(model_.costs[i]) / norms_[i]);
  }
  return spoils * least_trace / -now_.primal_objective < kCertain;
}

Solver::Outcome Solver::judge() const {
  if (now_.worst() <= options_.tolerance) return Outcome::optimal;
  if (certifies_primal()) return Outcome::primal_infeasible;
  if (certifies_dual()) return Outcome::dual_infeasible;
  return Outcome::go_on;
}

void Solver::keep_best() {
  const double error = now_.worst();
  if (!(error < best_error_)) return;
  if (error < 0.9 * best_error_) best_at_ = table_.size();
  best_error_ = error;
  best_measures_ = now_;
  // Early iterates are not worth their copies.
  if (!(error < 1e-3)) return;
  if (!best_) best_.emplace();
  keep(*best_);
}

bool Solver::record() {
  table_.push_back({.number = table_.size(),
                    .mu = now_.mu,
                    .primal_error = now_.primal_error,
                    .dual_error = now_.dual_error,
                    .primal_objective = now_.primal_objective,
                    .dual_objective = now_.dual_objective,
                    .primal_step = last_steps_.primal,
                    .dual_step = last_steps_.dual,
                    .beta = last_beta_});
  if (options_.go_on && !options_.go_on(table_.back())) interrupted_ = true;
  return !interrupted_;
}

}  // namespace kinjo::sdp::detail
