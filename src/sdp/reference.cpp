#include "sdp/reference.hpp"

#include <memory>

#include "sdp/reference/least_squares.hpp"
#include "sdp/reference/path.hpp"

namespace kinjo::sdp::detail {

namespace {

enum class Method { schur, least_squares };

/// One way to try, after those before it got stuck.
struct Attempt {
  Method method = Method::schur;
  double lambda = 0;  ///< where X and Y begin; 0: near the solution that was given
  double gamma = 0;
};

/// Multiplications that the least-squares problem of one iteration takes.
double least_squares_operations(const Problem& problem) {
  const auto m = static_cast<double>(problem.constraints());
  double length = 0;
  for (const Block& block : problem.blocks()) {
    const double n = block.order;
    length += block.kind == BlockKind::diagonal ? n : n * n;
  }
  return length * m * m;
}

/// Half a second for an iteration.
constexpr double kAffordable = 3e8;

/// Problems without interior on one side have solutions of the wanted accuracy only along certain
/// paths, which no rule tells beforehand: so several are tried, from far outside and by shorter
/// steps, and with more digits where that is affordable.
std::vector<Attempt> attempts_for(const Problem& problem, const ReferenceOptions& options) {
  const double lambda = options.options.lambda_star > 0 ? options.options.lambda_star : 1e2;
  const double gamma = options.options.gamma_star, careful = std::min(gamma, 0.8);
  const bool affordable = least_squares_operations(problem) <= kAffordable;
  const Method second = affordable ? Method::least_squares : Method::schur;
  std::vector<Attempt> attempts;
  if (options.start) attempts.push_back({second, 0, gamma});
  attempts.push_back({Method::schur, lambda, gamma});
  attempts.push_back({second, 1e2 * lambda, careful});
  attempts.push_back({Method::schur, 1e2 * lambda, careful});
  attempts.push_back({second, 1e4 * lambda, careful});
  return attempts;
}

/// A multiple of the identity, or the given solution moved inside the cone.
template <class Real>
Iterate<Real> beginning(const Problem& problem, const Attempt& attempt, const Solution* start) {
  if (attempt.lambda > 0) {
    return {std::vector<Real>(problem.constraints()),
            Blocks<Real>(problem.blocks(), attempt.lambda),
            Blocks<Real>(problem.blocks(), attempt.lambda)};
  }
  Iterate<Real> at;
  at.x.assign(start->x.begin(), start->x.end());
  at.X = widened<Real>(start->X);
  at.Y = widened<Real>(start->Y);
  const double delta = getenv("DELTA") ? atof(getenv("DELTA")) : 1e-2;
  add_scaled(at.X, Real(delta), Blocks<Real>(problem.blocks(), 1));
  add_scaled(at.Y, Real(delta), Blocks<Real>(problem.blocks(), 1));
  return at;
}

Status status_of(PathEnd end, double error, double tolerance) {
  switch (end) {
    case PathEnd::optimal:
      return Status::optimal;
    case PathEnd::primal_infeasible:
      return Status::primal_infeasible;
    case PathEnd::dual_infeasible:
      return Status::dual_infeasible;
    case PathEnd::interrupted:
      return Status::limit;
    case PathEnd::limit:
    case PathEnd::stuck:
      break;
  }
  if (error <= 1000 * tolerance) return Status::near_optimal;
  return end == PathEnd::limit ? Status::limit : Status::numerical_failure;
}

void hand_over(const Measured& best, Solution& solution) {
  solution.x = best.x;
  solution.X = best.X;
  solution.Y = best.Y;
  solution.primal_objective = best.primal_objective;
  solution.dual_objective = best.dual_objective;
  solution.dimacs_errors = best.errors;
}

}  // namespace

template <class Real>
Solution solve_reference(const Problem& problem, const ReferenceOptions& options) {
  Path<Real> path(problem, options.options);
  Solution solution;
  PathEnd end = PathEnd::stuck;
  for (const Attempt& attempt : attempts_for(problem, options)) {
    std::unique_ptr<Newton<Real>> newton;
    if (attempt.method == Method::schur) newton = std::make_unique<SchurNewton<Real>>(problem);
    else newton = std::make_unique<LeastSquaresNewton<Real>>(problem);
    const bool first = solution.iterations.empty();
    end = path.follow(beginning<Real>(problem, attempt, options.start), *newton, attempt.gamma,
                      solution.iterations);
  if (getenv("TRACE2")) fprintf(stderr, "attempt %d %g %g: end %d it %zu best %.1e\n", (int)attempt.method, attempt.lambda, attempt.gamma, (int)end, solution.iterations.size(), path.best_error());
    if (end != PathEnd::stuck && (first || end != PathEnd::limit)) break;
  }
  solution.status = status_of(end, path.best_error(), options.options.tolerance);
  solution.interrupted = end == PathEnd::interrupted;
  solution.extended_precision = sizeof(Real) > sizeof(double);
  hand_over(path.best(), solution);
  return solution;
}

template Solution solve_reference<double>(const Problem&, const ReferenceOptions&);
template Solution solve_reference<DoubleDouble>(const Problem&, const ReferenceOptions&);

double reference_operations(const Problem& problem) {
  const auto m = static_cast<double>(problem.constraints());
  double sum = m * m * m / 3;
  for (const Block& block : problem.blocks()) {
    const double n = block.order;
    if (block.kind == BlockKind::symmetric) sum += 40 * n * n * n;
  }
  for (std::size_t i = 0; i < problem.constraints(); ++i) {
    // About as many rows as entries, at most n, and n² products for each.
    const std::span<const Entry> entries = problem.matrix(i + 1);
    double touched = 0;
    for (const Entry& e : entries) touched += problem.blocks()[e.block].kind == BlockKind::symmetric ? 1 : 0;
    sum += touched;
  }
  return sum;
}

}  // namespace kinjo::sdp::detail
