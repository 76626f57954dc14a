/// Following the central path from one beginning, as far as it leads.
///
/// Each iteration finds a predictor and a corrector, goes γ* of the way to the boundary of the cone
/// with X and with Y (a length that rounding errors made too great is cut until the factorisation
/// succeeds), and measures the new iterate as it would be handed over. The best one is kept. The
/// path ends when that is good enough, when a certificate is found, or when nothing has become
/// better for `kPatience` iterations.
#pragma once

#include <memory>
#include <utility>

#include "sdp/reference/certificate.hpp"
#include "sdp/reference/newton.hpp"

namespace kinjo::sdp::detail::reference {

/// How a path ended.
enum class PathEnd { optimal, primal_infeasible, dual_infeasible, stuck, limit, interrupted };

template <class Real>
class Path {
 public:
  Path(const Problem& problem, const Options& options)
      : problem_(problem), options_(options), certificates_(problem) {}

  /// Follows one with `gamma` for γ*; lines are added to `iterations`.
  PathEnd follow(Iterate<Real> start, Newton<Real>& newton, double gamma,
                 std::vector<Iteration>& iterations) {
    gamma_ = gamma;
    path_error_ = std::numeric_limits<double>::max();
    const std::size_t last = iterations.size() + options_.max_iteration;
    frame_.at = std::move(start);
    if (!factors(frame_.at.X, frame_.x_lower, frame_.x_inverse_lower) ||
        !factors(frame_.at.Y, frame_.y_lower, frame_.y_inverse_lower)) {
      return PathEnd::stuck;
    }
    Iteration line;
    for (std::size_t since_better = 0; since_better < kPatience; ++since_better) {
      enter(Phase::others);
      frame_.rest = residuals(problem_, frame_.at);
      if (look()) since_better = 0;
      describe(line, iterations.size());
      iterations.push_back(line);
      if (best_error() <= options_.tolerance) return PathEnd::optimal;
      if (const auto end = proved()) return *end;
      if (options_.go_on && !options_.go_on(line)) return PathEnd::interrupted;
      if (iterations.size() > last) return PathEnd::limit;
      if (!advance(newton, line)) return PathEnd::stuck;
    }
    return PathEnd::stuck;
  }

  /// The best iterate of all paths; of an infeasible problem, what certifies that.
  const Measured& best() const { return best_; }
  double best_error() const { return best_.x.empty() ? INFINITY : worst(best_.errors); }

 private:
  void enter(Phase phase) const {
    if (options_.enter) options_.enter(phase);
  }

  static bool factors(const Blocks<Real>& a, Blocks<Real>& lower, Blocks<Real>& inverse) {
    std::optional<Blocks<Real>> l = lower_factor(a);
    if (!l) return false;
    lower = std::move(*l);
    inverse = inverse_of_lower(lower);
    return true;
  }

  double order() const { return std::max(1.0, static_cast<double>(problem_.order())); }
  double mu() const { return to_double(frame_.rest.complementarity) / order(); }

  /// Measures the iterate; true if it is this path's best, by a tenth at least.
  bool look() {
    now_ = round_and_measure(problem_, frame_.at);
    const double error = worst(now_.errors);
    if (error < best_error()) best_ = now_;
    const bool better = error < 0.9 * path_error_;
    if (better) path_error_ = error;
    return better;
  }

  void describe(Iteration& line, std::size_t number) const {
    line.number = number;
    line.mu = mu();
    line.primal_error = now_.errors[2];
    line.dual_error = now_.errors[0];
    line.primal_objective = now_.primal_objective;
    line.dual_objective = now_.dual_objective;
  }

  std::optional<PathEnd> proved() {
    if (const auto found = certificates_.of_dual(frame_)) {
      best_ = round_and_measure(problem_, *found);
      return PathEnd::dual_infeasible;
    }
    if (const auto found = certificates_.of_primal(frame_)) {
      best_ = round_and_measure(problem_, *found);
      return PathEnd::primal_infeasible;
    }
    return std::nullopt;
  }

  bool advance(Newton<Real>& newton, Iteration& line) {
    enter(Phase::elements);
    newton.form(frame_);
    enter(Phase::cholesky);
    if (!newton.factorise()) return false;
    enter(Phase::direction);
    const bool feasible = std::max(now_.errors[0], now_.errors[2]) <= options_.tolerance;
    const double least = feasible ? options_.beta_star : options_.beta_bar;
    const Iterate<Real> predictor =
        newton.direction(feasible ? 0 : options_.beta_bar * mu(), nullptr);
    line.beta = aim(predictor, least);
    const Iterate<Real> corrector = newton.direction(line.beta * mu(), &predictor);
    enter(Phase::step);
    const auto [primal, dual] = lengths(corrector);
    line.primal_step = std::min(1.0, gamma_ * primal);
    line.dual_step = std::min(1.0, gamma_ * dual);
    return move(corrector, line);
  }

  /// β: the square of the part of X • Y that the predictor leaves (Mehrotra's rule).
  double aim(const Iterate<Real>& d, double least) const {
    auto [p, q] = lengths(d);
    p = std::min(p, 1.0);
    q = std::min(q, 1.0);
    const Real left = frame_.rest.complementarity + Real(p) * inner_product(d.X, frame_.at.Y) +
                      Real(q) * inner_product(frame_.at.X, d.Y) +
                      Real(p) * Real(q) * inner_product(d.X, d.Y);
    const double part = std::max(0.0, to_double(left) / to_double(frame_.rest.complementarity));
    return std::clamp(part * part, least, 1.0);
  }

  /// How far one may go with X and with Y.
  std::pair<double, double> lengths(const Iterate<Real>& d) const {
    const auto length = [](double least) { return least < 0 ? -1 / least : kFar; };
    return {length(least_relative_eigenvalue(frame_.x_inverse_lower, d.X)),
            length(least_relative_eigenvalue(frame_.y_inverse_lower, d.Y))};
  }
  static constexpr double kFar = 1e10;
  static constexpr std::size_t kPatience = 30;

  /// Goes there, or less far; false if both steps have become nothing.
  bool move(const Iterate<Real>& d, Iteration& line) {
    Iterate<Real>& at = frame_.at;
    move(at.X, d.X, frame_.x_lower, frame_.x_inverse_lower, line.primal_step);
    for (std::size_t i = 0; i < at.x.size(); ++i) at.x[i] += Real(line.primal_step) * d.x[i];
    move(at.Y, d.Y, frame_.y_lower, frame_.y_inverse_lower, line.dual_step);
    return std::max(line.primal_step, line.dual_step) > kLeastStep;
  }
  static constexpr double kLeastStep = 1e-12;

  static void move(Blocks<Real>& a, const Blocks<Real>& d, Blocks<Real>& lower,
                   Blocks<Real>& inverse, double& length) {
    for (; length > kLeastStep; length *= 0.8) {
      Blocks<Real> next = a;
      add_scaled(next, Real(length), d);
      if (!factors(next, lower, inverse)) continue;
      a = std::move(next);
      return;
    }
    length = 0;
  }

  const Problem& problem_;
  const Options& options_;
  double gamma_ = 0, path_error_ = 0;
  Certificates<Real> certificates_;
  Frame<Real> frame_;
  Measured now_, best_;
};

}  // namespace kinjo::sdp::detail::reference
