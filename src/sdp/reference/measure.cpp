#include "sdp/reference/measure.hpp"

namespace kinjo::sdp::detail::reference {

namespace {

double norm(const std::vector<DoubleDouble>& v) {
  DoubleDouble sum;
  for (const DoubleDouble& value : v) sum += value * value;
  return root(sum).high;
}

/// max(0, −λmin)
double indefiniteness(const Blocks<DoubleDouble>& a) {
  return lower_factor(a) ? 0 : std::max(0.0, -least_eigenvalue(a));
}

}  // namespace

Scales::Scales(const Problem& problem) {
  for (const double c : problem.costs()) cost = std::max(cost, 1 + std::abs(c));
  for (const Entry& e : problem.matrix(0)) matrix = std::max(matrix, 1 + std::abs(e.value));
}

void measure(const Problem& problem, Measured& solution) {
  const Scales scales(problem);
  Iterate<DoubleDouble> at;
  at.x.assign(solution.x.begin(), solution.x.end());
  at.X = widened<DoubleDouble>(solution.X);
  at.Y = widened<DoubleDouble>(solution.Y);
  const Residuals<DoubleDouble> r = residuals(problem, at);
  solution.primal_objective = r.primal_objective.high;
  solution.dual_objective = r.dual_objective.high;
  const double size = 1 + std::abs(solution.primal_objective) + std::abs(solution.dual_objective);
  solution.errors = {norm(r.dual) / scales.cost,
                     indefiniteness(at.Y) / scales.cost,
                     frobenius_norm(r.primal).high / scales.matrix,
                     indefiniteness(at.X) / scales.matrix,
                     (r.primal_objective - r.dual_objective).high / size,
                     r.complementarity.high / size};
}

double worst(const std::array<double, 6>& errors) {
  double most = 0;
  for (const double e : errors) most = std::isfinite(e) ? std::max(most, std::abs(e)) : INFINITY;
  return most;
}

}  // namespace kinjo::sdp::detail::reference
