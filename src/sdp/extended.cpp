#include "sdp/extended.hpp"

#include <utility>

#include "base/double_double.hpp"
#include "base/free_memory.hpp"
#include "sdp/reference.hpp"
#include "sdp/reference/measure.hpp"
#include "sdp/units.hpp"

namespace kinjo::sdp::detail {

namespace {

using kinjo::detail::DoubleDouble;

/// Multiplications in 32 digits that a finish may take: a minute or two.
constexpr double kExtendedOperations = 1.2e11;

/// Errors and objectives of what was found in other units, and what of the status they leave.
void measure_anew(const Problem& problem, double tolerance, Solution& solution) {
  reference::Measured measured{
      .x = std::move(solution.x), .X = std::move(solution.X), .Y = std::move(solution.Y)};
  reference::measure(problem, measured);
  solution.x = std::move(measured.x);
  solution.X = std::move(measured.X);
  solution.Y = std::move(measured.Y);
  solution.primal_objective = measured.primal_objective;
  solution.dual_objective = measured.dual_objective;
  solution.dimacs_errors = measured.errors;
  if (solution.status == Status::limit) return;
  const double error = reference::worst(measured.errors);
  solution.status = error <= tolerance          ? Status::optimal
                    : error <= 1000 * tolerance ? Status::near_optimal
                                                : Status::numerical_failure;
}

/// Replaces a failure where that makes it better; only the lines are added where it does not.
void try_in_units(const Problem& problem, const Options& options, Solution& failed) {
  const Units units(problem);
  if (!units.differ()) return;
  Options divided = options;
  if (options.go_on) {
    divided.go_on = [&](const Iteration& line) { return options.go_on(units.multiplied(line)); };
  }
  Solution found =
      solve_reference<DoubleDouble>(units.divided(problem), {.options = divided, .start = nullptr});
  units.multiply(found);
  if (!is_certain(found.status) || found.status == Status::optimal) {
    measure_anew(problem, options.tolerance, found);
  }
  failed.iterations.insert(failed.iterations.end(), found.iterations.begin(),
                           found.iterations.end());
  found.iterations = std::move(failed.iterations);
  const bool better = is_certain(found.status) || reference::worst(found.dimacs_errors) <
                                                      reference::worst(failed.dimacs_errors);
  if (better) {
    failed = std::move(found);
    return;
  }
  failed.iterations = std::move(found.iterations);
  failed.interrupted = found.interrupted;
  if (found.interrupted) failed.status = Status::limit;
}

}  // namespace

bool is_certain(Status status) {
  return status == Status::optimal || status == Status::primal_infeasible ||
         status == Status::dual_infeasible;
}

Options affordable(const Problem& problem, Options options) {
  options.extended_precision =
      options.extended_precision && 20 * reference_operations(problem) <= kExtendedOperations;
  return options;
}

bool wants_extended(const Options& options, Status status) {
  return options.extended_precision && !is_certain(status) && status != Status::limit;
}

void finish_extended(const Problem& problem, const Options& options, Solution& solution) {
  if (options.enter) options.enter(Phase::others);
  kinjo::detail::give_back_free_memory();
  Solution finished =
      solve_reference<DoubleDouble>(problem, {.options = options, .start = &solution});
  const bool is_near = reference::worst(finished.dimacs_errors) <= 1000 * options.tolerance;
  if (!is_certain(finished.status) && !is_near && !finished.interrupted) {
    try_in_units(problem, options, finished);
  }
  finished.plan = solution.plan;
  finished.extended_precision = true;
  finished.iterations.insert(finished.iterations.begin(), solution.iterations.begin(),
                             solution.iterations.end());
  solution = std::move(finished);
}

}  // namespace kinjo::sdp::detail
