#include "sdp/units.hpp"

#include <algorithm>
#include <cmath>

#include "sdp/vectors.hpp"

namespace kinjo::sdp::detail {

namespace {

void multiply(BlockMatrix& matrix, double factor) {
  for (std::size_t b = 0; b < matrix.blocks().size(); ++b) {
    for (double& v : matrix.block(b)) v *= factor;
  }
}

}  // namespace

Units::Units(const Problem& problem) {
  double largest_constant = 0, largest_cost = 0;
  for (const Entry& e : problem.matrix(0)) {
    largest_constant = std::max(largest_constant, std::abs(e.value));
  }
  for (const double c : problem.costs()) largest_cost = std::max(largest_cost, std::abs(c));
  constant_ = power_below(largest_constant);
  cost_ = power_below(largest_cost);
}

bool Units::differ() const {
  constexpr double kFar = 100;
  const auto is_far = [](double unit) { return unit > kFar || unit < 1 / kFar; };
  return is_far(constant_) || is_far(cost_);
}

Problem Units::divided(const Problem& problem) const {
  std::vector<double> costs(problem.costs().begin(), problem.costs().end());
  for (double& c : costs) c /= cost_;
  ProblemBuilder builder({problem.blocks().begin(), problem.blocks().end()}, std::move(costs));
  builder.reserve(problem.entries());
  for (std::size_t k = 0; k <= problem.constraints(); ++k) {
    for (const Entry& e : problem.matrix(k)) {
      builder.add(k, e.block, e.row, e.column, k == 0 ? e.value / constant_ : e.value);
    }
  }
  return builder.finish();
}

Iteration Units::multiplied(Iteration line) const {
  for (double* value : {&line.mu, &line.primal_objective, &line.dual_objective}) {
    *value *= constant_ * cost_;
  }
  return line;
}

void Units::multiply(Solution& solution) const {
  double primal = constant_, dual = cost_;
  if (solution.status == Status::primal_infeasible) {
    dual = 1 / constant_;  // F_0 • Y = 1
  } else if (solution.status == Status::dual_infeasible) {
    primal = 1 / cost_;  // cᵀx = −1
  } else {
    solution.primal_objective *= constant_ * cost_;
    solution.dual_objective *= constant_ * cost_;
  }
  for (double& v : solution.x) v *= primal;
  detail::multiply(solution.X, primal);
  detail::multiply(solution.Y, dual);
  for (Iteration& line : solution.iterations) line = multiplied(line);
}

}  // namespace kinjo::sdp::detail
