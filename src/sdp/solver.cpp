#include "sdp/solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "sdp/lapack.hpp"
#include "sdp/start.hpp"

namespace kinjo::sdp::detail {

namespace {

using Second = ConeState::Second;

/// Cones from this order on are worth the whole team; smaller ones are dealt to the threads.
constexpr std::size_t kLargeCone = 200;
/// The same for the lengths of steps, which wait for memory.
constexpr std::size_t kSharedSteps = 1024;
/// Below such steps nothing is reached any more.
constexpr double kShortStep = 1e-5;
/// After so many iterations without progress near a solution there will be none.
constexpr std::size_t kPatience = 8;

double largest(const std::vector<double>& v) {
  double most = 0;
  for (const double value : v) most = std::max(most, std::abs(value));
  return most;
}

/// ‖F_i‖_F
std::vector<double> norms_of(const Model& model) {
  std::vector<double> squares(model.constraints, 0.0);
  for (const Cone& cone : model.cones) {
    for (std::size_t k = 0; k < cone.constraints.size(); ++k) {
      for (std::size_t e = cone.begins[k]; e < cone.begins[k + 1]; ++e) {
        const Term& t = cone.terms[e];
        squares[cone.constraints[k]] += (t.row == t.column ? 1 : 2) * t.value * t.value;
      }
    }
  }
  for (std::size_t i = 0; i < model.constraints; ++i) {
    for (std::size_t e = model.linear.begins[i]; e < model.linear.begins[i + 1]; ++e) {
      squares[i] += model.linear.items[e].value * model.linear.items[e].value;
    }
  }
  for (double& v : squares) v = std::sqrt(v);
  return squares;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void scale(BlockMatrix& matrix, double factor) {
  for (std::size_t b = 0; b < matrix.blocks().size(); ++b) {
    for (double& v : matrix.block(b)) v *= factor;
  }
}

/// How far from a matrix in the direction of another one may go, given λmin(L⁻¹ D L⁻ᵀ).
double length_of(double least) { return least < 0 ? -1 / least : 1e300; }

}  // namespace

double Measures::size() const { return 1 + std::abs(primal_objective) + std::abs(dual_objective); }

double Measures::worst() const {
  return std::max({primal_error, dual_error, std::abs(gap()), product / size()});
}

Solver::Solver(Team& team, const Model& model, const Options& options)
    : model_(model),
      options_(options),
      crew_(team),
      order_(model.order()),
      linear_(model.linear, model.constraints),
      x_(model.constraints, 0.0),
      dx_(model.constraints),
      rho_(model.constraints),
      schur_(model),
      elements_(model, schur_, crew_) {
  cones_.reserve(model.cones.size());
  for (const Cone& cone : model.cones) cones_.emplace_back(cone);
  norms_ = norms_of(model);
  cost_scale_ = 1 + largest(model.costs);
  constant_scale_ = 1 + largest(model.linear.constant);
  for (const Cone& cone : model.cones) {
    for (const Term& t : cone.constant) {
      constant_scale_ = std::max(constant_scale_, 1 + std::abs(t.value));
    }
  }
}

Plan Solver::plan() const {
  Plan plan;
  plan.symmetric_blocks = cones_.size();
  plan.linear = model_.linear.order();
  for (const ConeState& cone : cones_) {
    plan.largest_block = std::max<std::uint64_t>(plan.largest_block, cone.order());
    plan.sparse_blocks += cone.sparse() ? 1 : 0;
  }
  plan.sparse_schur = schur_.sparse();
  plan.schur_entries = schur_.entries();
  plan.factor_entries = schur_.factor_entries();
  plan.formulas = elements_.formulas();
  // The best iterate so far is X and Y once more.
  plan.bytes = schur_.bytes() + elements_.bytes();
  for (const ConeState& cone : cones_) {
    plan.bytes += cone.bytes() + 2 * sizeof(double) * cone.order() * cone.order();
  }
  return plan;
}

void Solver::check_memory() const {
  const std::uint64_t limit =
      options_.memory_limit != 0 ? options_.memory_limit : available_memory_bytes();
  const std::uint64_t need = plan().bytes;
  if (need <= limit) return;
  throw Error(Errc::out_of_memory,
              fmt::format("the solution takes {} of memory: {} may be taken",
                          kinjo::detail::format_bytes(need), kinjo::detail::format_bytes(limit)));
}

template <class F>
void Solver::each_cone(F&& f) {
  double small = 0;
  for (ConeState& cone : cones_) {
    const double n = static_cast<double>(cone.order());
    if (cone.order() >= kLargeCone) {
      f(cone, crew_);
    } else {
      small += n * n * n;
    }
  }
  crew_.each(cones_.size(), small, [&](std::size_t c, std::size_t) {
    if (cones_[c].order() < kLargeCone) f(cones_[c], Crew());
  });
}

void Solver::start() {
  check_memory();
  schur_.allocate(*crew_.team());
  elements_.allocate();
  for (ConeState& cone : cones_) {
    cone.allocate();
    matrices_.push_back(cone.matrices());
  }
  const auto scale = [this](const auto& part) {
    const double star = options_.lambda_star;
    return star > 0 ? StartScale{star, star} : start_scale(part, model_.costs);
  };
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const StartScale s = scale(model_.cones[c]);
    cones_[c].start(s.primal, s.dual);
  }
  const StartScale s = scale(model_.linear);
  linear_.start(s.primal, s.dual);
}

/// What rounding may have left of Σ F_i x_i − F_0 − X though it is taken for 0.
double Solver::rounding() const {
  double size = 0;
  for (std::size_t i = 0; i < x_.size(); ++i) size += std::abs(x_[i]) * norms_[i];
  return 0x1p-53 * size;
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
  now_.mu = order_ == 0 ? 0 : now_.product / static_cast<double>(order_);
  now_.primal_error = std::max(std::sqrt(rest), rounding()) / constant_scale_;
  now_.dual_error = std::sqrt(dot(rho_, rho_)) / cost_scale_;
}

/// F_0 • Y > 0 with F_i • Y as good as 0: no x has Σ F_i x_i − F_0 ⪰ 0, since 0 ≤ X • Y = −F_0 • Y.
bool Solver::certifies_primal() const {
  if (!(now_.dual_objective > 0)) return false;
  double square = 0;
  for (std::size_t i = 0; i < rho_.size(); ++i) {
    const double product = model_.costs[i] - rho_[i];
    square += product * product;
  }
  return std::sqrt(square) / now_.dual_objective < 1e-8;
}

/// cᵀx < 0 with Σ F_i x_i ⪰ 0, as good as: no Y ⪰ 0 has F_i • Y = c_i, since 0 ≤ Σ x_i F_i • Y =
/// cᵀx.
bool Solver::certifies_dual() const {
  if (!(now_.primal_objective < 0)) return false;
  // Σ F_i x_i = X + F_0 + rest: what spoils its definiteness is small beside −cᵀx.
  double constant = dot(model_.linear.constant, model_.linear.constant);
  for (const Cone& cone : model_.cones) {
    for (const Term& t : cone.constant) constant += (t.row == t.column ? 1 : 2) * t.value * t.value;
  }
  const double spoils = std::sqrt(constant) + now_.primal_error * constant_scale_;
  return spoils / -now_.primal_objective < 1e-8;
}

Solver::Outcome Solver::judge() const {
  if (now_.worst() <= options_.tolerance) return Outcome::optimal;
  if (certifies_primal()) return Outcome::primal_infeasible;
  if (certifies_dual()) return Outcome::dual_infeasible;
  return Outcome::go_on;
}

/// X⁻¹ and the factor of the Schur complement.
bool Solver::prepare() {
  {
    KINJO_PHASE("sdp others");
    enter(Phase::others);
    each_cone([](ConeState& cone, const Crew& crew) { cone.invert(crew); });
  }
  {
    KINJO_PHASE("sdp elements");
    enter(Phase::elements);
    elements_.compute(schur_, matrices_, linear_.x(), linear_.y());
  }
  KINJO_PHASE("sdp cholesky");
  enter(Phase::cholesky);
  return schur_.factorise(crew_);
}

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
  gram_->solve(rest);
  correct(rest);
  corrected_ = std::move(rest);
}

/// G_ij = F_i • F_j, by which dY += Σ F_j δ_j restores (D)'s constraints to the last digit,
/// whatever the conditions of X and Y: ELEMENTS with the identity in the place of both.
void Solver::prepare_correction() {
  if (gram_) return;
  gram_.emplace(model_);
  gram_->allocate(*crew_.team());
  std::vector<ConeMatrices> identities;
  for (ConeState& cone : cones_) identities.push_back(cone.identity());
  const std::vector<double> ones(linear_.order(), 1.0);
  elements_.compute(*gram_, identities, ones, ones);
  gram_->factorise(crew_);
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

/// Goes there, or less far if rounding has led out of a cone. False if there is no way.
bool Solver::take(const Steps& steps) {
  KINJO_PHASE("sdp step");
  enter(Phase::step);
  double share = 1, gone_primal = 0, gone_dual = 0;
  for (int attempt = 0; attempt < 8; ++attempt, share *= 0.7) {
    const double a = share * steps.primal, b = share * steps.dual;
    std::vector<char> definite(cones_.size(), 1);
    each_cone([&](ConeState& cone, const Crew& crew) {
      cone.step(a - gone_primal, b - gone_dual);
      definite[static_cast<std::size_t>(&cone - cones_.data())] = cone.factorise(crew) ? 1 : 0;
    });
    linear_.step(a - gone_primal, b - gone_dual);
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += (a - gone_primal) * dx_[i];
    gone_primal = a;
    gone_dual = b;
    if (linear_.positive() && std::ranges::all_of(definite, [](char d) { return d == 1; })) {
      last_steps_ = {a, b};
      return true;
    }
  }
  return false;
}

Point Solver::point() const {
  Point p;
  p.x = x_;
  for (const ConeState& cone : cones_) {
    p.cone_x.push_back(cone.x());
    p.cone_y.push_back(cone.y());
  }
  p.linear_x = linear_.x();
  p.linear_y = linear_.y();
  return p;
}

void Solver::return_to(const Point& p) {
  x_ = p.x;
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    cones_[c].x() = p.cone_x[c];
    cones_[c].y() = p.cone_y[c];
  }
  linear_.x() = p.linear_x;
  linear_.y() = p.linear_y;
}

void Solver::keep_best() {
  const double error = now_.worst();
  if (!(error < best_error_)) return;
  if (error < 0.9 * best_error_) best_at_ = table_.size();
  best_error_ = error;
  best_measures_ = now_;
  // Early iterates are not worth their copies.
  if (error < 1e-3) best_ = point();
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

Solver::Outcome Solver::iterate() {
  enter(Phase::others);
  measure();
  keep_best();
  if (!record()) return Outcome::limit;
  if (const Outcome outcome = judge(); outcome != Outcome::go_on) return outcome;
  if (table_.size() > options_.max_iteration) return Outcome::limit;
  if (!std::isfinite(now_.worst()) || now_.worst() > 1e3 * std::max(best_error_, 1e-9)) {
    if (best_error_ < 1e-3) return Outcome::stuck;
  }
  if (table_.size() - best_at_ > kPatience && best_error_ < 1e-3) return Outcome::stuck;
  if (!prepare() || !solve_direction(0, Second::none)) return Outcome::stuck;
  const double beta = choose_beta(find_steps());
  last_beta_ = beta;
  if (!solve_direction(beta * now_.mu, Second::predictor)) return Outcome::stuck;
  corrected_.clear();
  refine_direction();
  const Steps most = find_steps_of_whole();
  const double share =
      options_.gamma_star +
      (0.99 - options_.gamma_star) * std::min({1.0, last_steps_.primal, last_steps_.dual});
  const Steps steps = {std::min(1.0, share * most.primal), std::min(1.0, share * most.dual)};
  if (std::max(steps.primal, steps.dual) < kShortStep) return Outcome::stuck;
  if (!take(steps)) return Outcome::stuck;
  if (last_steps_.primal == 1) primal_ = Primal::feasible;
  if (primal_ == Primal::feasible) {
    for (ConeState& cone : cones_) cone.set_x(x_);
    linear_.set_x(x_);
  }
  return Outcome::go_on;
}

void Solver::write_blocks(Solution& solution) const {
  solution.X = BlockMatrix(model_.blocks);
  solution.Y = BlockMatrix(model_.blocks);
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const Cone& cone = model_.cones[c];
    const std::size_t n = cone.order(), all = model_.blocks[cone.origin].order;
    const auto x = solution.X.block(cone.origin), y = solution.Y.block(cone.origin);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        x[cone.rows[j] * all + cone.rows[i]] = cones_[c].x()[j * n + i];
        y[cone.rows[j] * all + cone.rows[i]] = cones_[c].y()[j * n + i];
      }
    }
  }
  for (std::size_t r = 0; r < linear_.order(); ++r) {
    const Linear::Origin at = model_.linear.origins[r];
    const Block& block = model_.blocks[at.block];
    const std::size_t place =
        block.kind == BlockKind::diagonal ? at.row : at.row * (std::size_t{block.order} + 1);
    solution.X.block(at.block)[place] = linear_.x()[r];
    solution.Y.block(at.block)[place] = linear_.y()[r];
  }
}

/// Certificates are scaled as `Solution` says.
void Solver::scale_certificate(Outcome outcome, Solution& solution) const {
  if (outcome == Outcome::primal_infeasible) {
    scale(solution.Y, 1 / now_.dual_objective);
  } else if (outcome == Outcome::dual_infeasible) {
    const double factor = -1 / now_.primal_objective;
    for (double& v : solution.x) v *= factor;
    // X + F_0 + rest is Σ F_i x_i; the first is large beside the others.
    scale(solution.X, factor);
  }
}

Solution Solver::finish(Outcome outcome) {
  if (outcome == Outcome::stuck || outcome == Outcome::limit) {
    if (best_) {
      return_to(*best_);
      now_ = best_measures_;
    }
  }
  best_.reset();
  for (ConeState& cone : cones_) cone.release();
  Solution solution;
  solution.iterations = std::move(table_);
  solution.interrupted = interrupted_;
  solution.plan = plan();
  solution.x = x_;
  write_blocks(solution);
  solution.primal_objective = now_.primal_objective;
  solution.dual_objective = now_.dual_objective;
  solution.dimacs_errors = {now_.dual_error,           0, now_.primal_error, 0, now_.gap(),
                            now_.product / now_.size()};
  scale_certificate(outcome, solution);
  switch (outcome) {
    case Outcome::optimal:
      solution.status = Status::optimal;
      break;
    case Outcome::primal_infeasible:
      solution.status = Status::primal_infeasible;
      break;
    case Outcome::dual_infeasible:
      solution.status = Status::dual_infeasible;
      break;
    case Outcome::limit:
      solution.status = Status::limit;
      break;
    default:
      solution.status = now_.worst() <= 1000 * options_.tolerance ? Status::near_optimal
                                                                  : Status::numerical_failure;
  }
  return solution;
}

Solution Solver::run() {
  const OneThread one;
  start();
  Outcome outcome = Outcome::stuck;
  bool definite = linear_.positive();
  each_cone([](ConeState& cone, const Crew& crew) { cone.factorise(crew); });
  while (definite) {
    outcome = iterate();
    if (outcome != Outcome::go_on) break;
  }
  return finish(outcome);
}

}  // namespace kinjo::sdp::detail
