#include "sdp/solver.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "sdp/start.hpp"
#include "sdp/vectors.hpp"

namespace kinjo::sdp::detail {

namespace {

using Second = ConeState::Second;

/// Below such steps nothing is reached any more; but a certificate, where an objective diverges.
constexpr double kShortStep = 1e-5, kShortestStep = 1e-12;
/// Solutions are not near before an error as this one.
constexpr double kFar = 1e-3;
/// After so many iterations without progress near a solution there will be none; and less are worth
/// while where more digits will do.
constexpr std::size_t kPatience = 8, kPatienceBeforeMore = 4;

/// ‖F_i‖_F
std::vector<double> norms_of(const Model& model) {
  std::vector<double> units(model.constraints, 0.0), squares(model.constraints, 0.0);
  const auto each = [&](auto&& take) {
    for (const Cone& cone : model.cones) {
      for (std::size_t k = 0; k < cone.constraints.size(); ++k) {
        for (std::size_t e = cone.begins[k]; e < cone.begins[k + 1]; ++e) {
          const Term t = cone.term(e);
          take(cone.constraints[k], t.row == t.column ? 1 : 2, t.value);
        }
      }
    }
    for (std::size_t i = 0; i < model.constraints; ++i) {
      for (std::size_t e = model.linear.begins[i]; e < model.linear.begins[i + 1]; ++e) {
        take(i, 1, model.linear.items[e].value);
      }
    }
  };
  each([&](std::size_t i, int, double v) { units[i] = std::max(units[i], std::abs(v)); });
  for (double& unit : units) unit = power_below(unit);
  each([&](std::size_t i, int weight, double v) {
    squares[i] += weight * (v / units[i]) * (v / units[i]);
  });
  for (std::size_t i = 0; i < units.size(); ++i) squares[i] = units[i] * std::sqrt(squares[i]);
  return squares;
}

/// Throws `Error` (`invalid_argument`) where a matrix or a vector is so large that products of two
/// such numbers, added up, would be infinite.
void check_not_too_large(double norm) {
  constexpr double kMost = 1e150;
  if (norm < kMost) return;
  throw Error(Errc::invalid_argument,
              fmt::format("numbers of a size of {:.3g}: expected less than {:g}, as where all are "
                          "multiplied by the same small one",
                          norm, kMost));
}

/// The same where a matrix F_i is so small that such products would be 0, and B with them.
void check_not_too_small(const std::vector<double>& norms) {
  constexpr double kLeast = 1e-140;
  for (std::size_t i = 0; i < norms.size(); ++i) {
    if (norms[i] == 0 || norms[i] > kLeast) continue;
    throw Error(Errc::invalid_argument,
                fmt::format("F_{} is of a size of {:.3g}: expected more than {:g}, as where it and "
                            "c_{} are multiplied by the same large number",
                            i + 1, norms[i], kLeast, i + 1));
  }
}

}  // namespace

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
  for (const double size : {cost_scale_, constant_scale_, largest(norms_)}) {
    check_not_too_large(size);
  }
  check_not_too_small(norms_);
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
  std::uint64_t work = 0, at_end = 2 * matrix_bytes(model_.blocks);
  for (const ConeState& cone : cones_) {
    const std::uint64_t order = cone.order();
    // The best iterate so far is a triangle of Y, and one of X until (P) is feasible.
    work += cone.bytes() + sizeof(double) * order * (order + 1);
    // What is handed over has whole blocks, of which cones may be small parts.
    at_end += 2 * sizeof(double) * order * order;
  }
  plan.bytes = schur_.bytes() + elements_.bytes() + std::max(work, at_end);
  return plan;
}

void check_memory(std::uint64_t bytes, const Options& options) {
  const std::uint64_t limit =
      options.memory_limit != 0 ? options.memory_limit : available_memory_bytes();
  if (bytes <= limit) return;
  throw Error(Errc::out_of_memory,
              fmt::format("the solution takes {} of memory: {} may be taken",
                          kinjo::detail::format_bytes(bytes), kinjo::detail::format_bytes(limit)));
}

void Solver::start() {
  check_memory(plan().bytes, options_);
  schur_.allocate(*crew_.team());
  elements_.allocate();
  for (ConeState& cone : cones_) {
    cone.allocate();
    matrices_.push_back(cone.matrices());
  }
  begin(1);
}

/// Sets X and Y to multiples of the identity, X to `raise` times the usual one.
void Solver::begin(double raise) {
  const auto scale = [this](const auto& part) {
    const double star = options_.lambda_star;
    return star > 0 ? StartScale{star, star} : start_scale(part, model_.costs);
  };
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const StartScale s = scale(model_.cones[c]);
    cones_[c].start(raise * s.primal, s.dual);
  }
  const StartScale s = scale(model_.linear);
  linear_.start(raise * s.primal, s.dual);
  std::ranges::fill(x_, 0.0);
  primal_ = Primal::infeasible;
  last_steps_ = {};
  last_beta_ = 0;
}

/// Where (D) has no interior, (P)'s least value may be approached only as x grows without bound. On
/// the way there from a small X, B loses the digits in which x would grow, and the gap stays open
/// by what x lacks; from a large one x has grown enough by then. True if x is seen to grow while
/// the gap closes, for the first time: then all begins again.
bool Solver::begin_higher() {
  constexpr double kNear = 0.5, kWide = 1e-3, kGrowth = 2, kRaise = 20;
  if (begun_higher_ || options_.lambda_star > 0 || primal_ == Primal::infeasible) return false;
  if (now_.worst() > kNear || best_error_ < kWide) return false;
  const double now = constant_scale_ + extent();
  least_extent_ = std::min(least_extent_, now);
  if (now < kGrowth * least_extent_) return false;
  begun_higher_ = true;
  begin(kRaise);
  each_cone([](ConeState& cone, const Crew& crew) { cone.factorise(crew); });
  return true;
}

/// Whether an objective has doubled, far from any solution: along a certificate, as directions that
/// are as much longer have short steps.
bool Solver::diverges() const {
  if (best_error_ < kFar || table_.size() < 2) return false;
  const Iteration& last = table_[table_.size() - 2];
  return (last.dual_objective > 0 && now_.dual_objective > 2 * last.dual_objective) ||
         (last.primal_objective < 0 && now_.primal_objective < 2 * last.primal_objective);
}

/// Whether rounding has left nothing of the last step, far from any solution.
bool Solver::stands_still() const {
  if (best_error_ < kFar || table_.size() < 2) return false;
  const Iteration& last = table_[table_.size() - 2];
  const auto is_same = [](double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); };
  return is_same(now_.mu, last.mu) && is_same(now_.primal_objective, last.primal_objective) &&
         is_same(now_.dual_objective, last.dual_objective);
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

/// Goes on along the direction from where it has gone. Whether X and Y are definite there.
bool Solver::go(const Steps& to, Steps& gone) {
  std::vector<char> definite(cones_.size(), 1);
  const double a = to.primal - gone.primal, b = to.dual - gone.dual;
  each_cone([&](ConeState& cone, const Crew& crew) {
    cone.step(a, b);
    definite[static_cast<std::size_t>(&cone - cones_.data())] = cone.factorise(crew) ? 1 : 0;
  });
  linear_.step(a, b);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += a * dx_[i];
  gone = to;
  return linear_.positive() && std::ranges::all_of(definite, [](char d) { return d == 1; });
}

/// Goes there, or less far if rounding has led out of a cone. False, and back again, if there is no
/// way.
bool Solver::take(const Steps& steps) {
  KINJO_PHASE("sdp step");
  enter(Phase::step);
  double share = 1;
  Steps gone;
  for (int attempt = 0; attempt < 8; ++attempt, share *= 0.7) {
    if (!go({share * steps.primal, share * steps.dual}, gone)) continue;
    last_steps_ = gone;
    return true;
  }
  go({}, gone);
  return false;
}

Solver::Outcome Solver::iterate() {
  enter(Phase::others);
  measure();
  keep_best();
  if (!record()) return Outcome::limit;
  if (const Outcome outcome = judge(); outcome != Outcome::go_on) return outcome;
  if (table_.size() > options_.max_iteration) return Outcome::limit;
  if (begin_higher()) return Outcome::go_on;
  if (stands_still()) return Outcome::stuck;
  if (!std::isfinite(now_.worst()) || now_.worst() > 1e3 * std::max(best_error_, 1e-9)) {
    if (best_error_ < kFar) return Outcome::stuck;
  }
  const std::size_t patience = options_.extended_precision ? kPatienceBeforeMore : kPatience;
  if (table_.size() - best_at_ > patience && best_error_ < kFar) return Outcome::stuck;
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
  if (std::max(steps.primal, steps.dual) < (diverges() ? kShortestStep : kShortStep)) {
    return Outcome::stuck;
  }
  if (!take(steps)) return Outcome::stuck;
  if (last_steps_.primal == 1) primal_ = Primal::feasible;
  if (primal_ == Primal::feasible) {
    for (ConeState& cone : cones_) cone.set_x(x_);
    linear_.set_x(x_);
  }
  return Outcome::go_on;
}

Solution Solver::run() {
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
