/// From a problem to a solution: face, model, solver, and back; then, where doubles did not suffice
/// and the time for it is bounded, the rest of the way in extended precision (sdp/reference.hpp).
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/sdp.hpp>

#include "base/double_double.hpp"
#include "base/free_memory.hpp"
#include "sdp/face.hpp"
#include "sdp/model.hpp"
#include "sdp/reference.hpp"
#include "sdp/solver.hpp"

namespace kinjo::sdp {

namespace {

/// Multiplications in 32 digits that a finish may take: a minute or two.
constexpr double kExtendedOperations = 1.2e11;

bool is_certain(Status status) {
  return status == Status::optimal || status == Status::primal_infeasible ||
         status == Status::dual_infeasible;
}

/// Whether extended precision is wanted. Not where iterations have run out, or somebody asked to
/// stop.
bool wants_extended(const Options& options, Status status) {
  return options.extended_precision && !is_certain(status) && status != Status::limit;
}

/// The same without extended precision where the problem is too large for it.
Options affordable(const Problem& problem, Options options) {
  options.extended_precision = options.extended_precision &&
                               20 * detail::reference_operations(problem) <= kExtendedOperations;
  return options;
}

/// The rest of the way in extended precision.
void finish_extended(const Problem& problem, const Options& options, Solution& solution) {
  if (options.enter) options.enter(Phase::others);
  kinjo::detail::give_back_free_memory();
  Solution finished = detail::solve_reference<kinjo::detail::DoubleDouble>(
      problem, {.options = options, .start = &solution});
  finished.plan = solution.plan;
  finished.extended_precision = true;
  finished.iterations.insert(finished.iterations.begin(), solution.iterations.begin(),
                             solution.iterations.end());
  solution = std::move(finished);
}

}  // namespace

namespace {

/// Throws `Error` (`invalid_argument`) for an option that makes no sense.
void check(const Options& options) {
  const auto expect = [](bool good, const char* name, double value, const char* what) {
    if (good) return;
    throw Error(Errc::invalid_argument, fmt::format("{} is {}: expected {}", name, value, what));
  };
  const Options& o = options;
  expect(o.tolerance > 0 && o.tolerance < 1, "tolerance", o.tolerance, "a number between 0 and 1");
  expect(o.lambda_star >= 0 && std::isfinite(o.lambda_star), "lambda_star", o.lambda_star,
         "a number from 0 on");
  expect(o.beta_star >= 0 && o.beta_star < 1, "beta_star", o.beta_star,
         "a number from 0 to below 1");
  expect(o.beta_bar >= 0 && o.beta_bar < 1, "beta_bar", o.beta_bar, "a number from 0 to below 1");
  expect(o.gamma_star > 0 && o.gamma_star < 1, "gamma_star", o.gamma_star,
         "a number between 0 and 1");
}

}  // namespace

namespace {

detail::Model model_of(const detail::FaceReduction& face, const Problem& problem) {
  return face.any() ? detail::make_model(face.reduced()) : detail::make_model(problem);
}

/// The solution of the reduced problem, and that of the whole.
std::uint64_t bytes_to_restore(const detail::FaceReduction& face, const Problem& problem) {
  return face.any() ? 4 * detail::matrix_bytes(problem.blocks()) : 0;
}

}  // namespace

Plan plan(Team& team, const Problem& problem, const Options& options) {
  check(options);
  const detail::FaceReduction face(problem);
  const detail::Model model = model_of(face, problem);
  Plan plan = detail::Solver(team, model, options).plan();
  plan.bytes = std::max(plan.bytes, bytes_to_restore(face, problem));
  return plan;
}

Solution solve(Team& team, const Problem& problem, const Options& wanted) {
  check(wanted);
  const Options options = affordable(problem, wanted);
  const detail::FaceReduction face(problem);
  if (face.any()) detail::check_memory(bytes_to_restore(face, problem), options);
  Solution solution;
  {
    const detail::Model model = model_of(face, problem);
    solution = detail::Solver(team, model, options).run();
  }
  if (wants_extended(options, solution.status)) {
    if (face.any()) {
      finish_extended(face.reduced(), options, solution);
    } else {
      finish_extended(problem, options, solution);
    }
  }
  if (face.any()) face.restore(solution, options.tolerance);
  return solution;
}

Solution solve(Team& team, Problem&& problem, const Options& wanted) {
  Problem own = std::exchange(problem, Problem());
  check(wanted);
  if (detail::FaceReduction(own).any()) return solve(team, std::as_const(own), wanted);
  const Options options = affordable(own, wanted);
  Solution solution;
  {
    const detail::Model model = detail::make_model(own);
    own = Problem();
    kinjo::detail::give_back_free_memory();
    solution = detail::Solver(team, model, options).run();
    if (wants_extended(options, solution.status)) {
      kinjo::detail::give_back_free_memory();
      own = detail::problem_of(model);
    }
  }
  if (wants_extended(options, solution.status)) finish_extended(own, options, solution);
  return solution;
}

}  // namespace kinjo::sdp
