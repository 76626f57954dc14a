/// Infeasible path following by the HRVW/KSH/M direction with Mehrotra's predictor and corrector,
/// as kinjo/sdp.hpp states the problem, with nothing done for speed but products of matrices by
/// vectors (reference/product.cpp):
///
///     until the rounded x, X, Y have all DIMACS errors within the tolerance (path.hpp):
///       look for a certificate that there is no solution            (certificate.hpp)
///       factors of X and Y; the Schur complement or its square root (newton.hpp,
///       least_squares.hpp) the predictor, β from how far it gets, the corrector γ* of the way to
///       the boundary, shorter if a factorisation says so
///
/// A path that gets stuck is followed by others (attempts.cpp); the best iterate of all is kept.
#include "sdp/reference.hpp"

#include <memory>

#include "sdp/reference/attempts.hpp"
#include "sdp/reference/least_squares.hpp"
#include "sdp/reference/path.hpp"

namespace kinjo::sdp::detail {

namespace {

using namespace reference;

constexpr double kFarthestMove = 1e3;

/// A multiple of the identity, or the given solution, moved inside the cone by as much as it needs:
/// more does harm, since the residuals that it brings are multiplied by large x.
template <class Real>
Iterate<Real> beginning(const Problem& problem, const Attempt& attempt, const Solution* start) {
  if (attempt.lambda > 0) {
    const Blocks<Real> scaled(problem.blocks(), attempt.lambda);
    return {std::vector<Real>(problem.constraints()), scaled, scaled};
  }
  const Blocks<Real> one(problem.blocks(), 1);
  const auto inside = [&](const BlockMatrix& matrix) {
    Blocks<Real> a = widened<Real>(matrix);
    symmetrise(a);
    for (double by = 1e-20; !lower_factor(a) && by < kFarthestMove; by *= 10) {
      add_scaled(a, Real(by), one);
    }
    return a;
  };
  return {{start->x.begin(), start->x.end()}, inside(start->X), inside(start->Y)};
}

template <class Real>
std::unique_ptr<Newton<Real>> newton_of(const Problem& problem, Method method) {
  if (method == Method::schur) return std::make_unique<SchurNewton<Real>>(problem);
  return std::make_unique<LeastSquaresNewton<Real>>(problem);
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

bool leads_on(PathEnd end) { return end == PathEnd::stuck || end == PathEnd::limit; }

}  // namespace

template <class Real>
Solution solve_reference(const Problem& problem, const ReferenceOptions& options) {
  Path<Real> path(problem, options.options);
  Solution solution;
  PathEnd end = PathEnd::stuck;
  double done = 0;
  for (const Attempt& attempt : attempts_for(problem, options)) {
    const std::size_t before = solution.iterations.size();
    const std::unique_ptr<Newton<Real>> newton = newton_of<Real>(problem, attempt.method);
    end = path.follow(beginning<Real>(problem, attempt, options.start), *newton, attempt.gamma,
                      solution.iterations);
    done += operations(problem, attempt.method) *
            static_cast<double>(solution.iterations.size() - before);
    if (!leads_on(end) || done > kMostOperations) break;
  }
  solution.status = status_of(end, path.best_error(), options.options.tolerance);
  solution.interrupted = end == PathEnd::interrupted;
  solution.extended_precision = sizeof(Real) > sizeof(double);
  hand_over(path.best(), solution);
  return solution;
}

template Solution solve_reference<double>(const Problem&, const ReferenceOptions&);
template Solution solve_reference<DoubleDouble>(const Problem&, const ReferenceOptions&);

double reference_operations(const Problem& problem) { return operations(problem, Method::schur); }

}  // namespace kinjo::sdp::detail
