/// From a problem to a solution: face, model, solver; where doubles did not suffice, extended
/// precision; and back from the face, or, where that ends badly, once more without it.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/sdp.hpp>

#include "base/free_memory.hpp"
#include "sdp/extended.hpp"
#include "sdp/face.hpp"
#include "sdp/model.hpp"
#include "sdp/reference/measure.hpp"
#include "sdp/solver.hpp"

namespace kinjo::sdp {

namespace {

/// Throws `Error` (`invalid_argument`) for an option that makes no sense, or for no problem.
void check(const Problem& problem, const Options& options) {
  if (problem.constraints() == 0) {
    throw Error(Errc::invalid_argument, "a problem needs at least one constraint: c is empty");
  }
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

/// Before anything is made in proportion to the blocks: X and Y alone may be too much.
void check_result(const Problem& problem, const Options& options) {
  detail::check_memory(2 * detail::matrix_bytes(problem.blocks()), options);
}

/// The solution of the reduced problem, that of the whole, and what choosing x_i and measuring
/// take.
std::uint64_t bytes_to_restore(const Problem& problem) {
  return 6 * detail::matrix_bytes(problem.blocks());
}

/// Of a problem as it is, which is kept.
Solution solve_kept(Team& team, const Problem& problem, const Options& options) {
  Solution solution;
  {
    const detail::Model model = detail::make_model(problem);
    solution = detail::Solver(team, model, options).run();
  }
  if (detail::wants_extended(options, solution.status)) {
    detail::finish_extended(problem, options, solution);
  }
  return solution;
}

/// The same of one that is given up once there is a model of it.
Solution solve_taken(Team& team, Problem own, const Options& options) {
  Solution solution;
  {
    const detail::Model model = detail::make_model(own);
    own = Problem();
    kinjo::detail::give_back_free_memory();
    solution = detail::Solver(team, model, options).run();
    if (detail::wants_extended(options, solution.status)) {
      kinjo::detail::give_back_free_memory();
      own = detail::problem_of(model);
    }
  }
  if (detail::wants_extended(options, solution.status)) {
    detail::finish_extended(own, options, solution);
  }
  return solution;
}

/// The better of two solutions by what is proved, then by the errors; the lines of both.
Solution better_of(Solution first, Solution second) {
  const auto rank = [](const Solution& s) {
    if (detail::is_certain(s.status)) return 2;
    return s.status == Status::near_optimal ? 1 : 0;
  };
  const auto worst = [](const Solution& s) { return detail::reference::worst(s.dimacs_errors); };
  std::vector<Iteration> lines = std::move(first.iterations);
  lines.insert(lines.end(), second.iterations.begin(), second.iterations.end());
  const bool interrupted = second.interrupted;
  const bool second_is_better =
      rank(second) != rank(first) ? rank(second) > rank(first) : worst(second) < worst(first);
  Solution better = second_is_better ? std::move(second) : std::move(first);
  better.iterations = std::move(lines);
  better.interrupted = interrupted;
  if (interrupted) better.status = Status::limit;
  return better;
}

/// Solves the problem once more without its reduction, whose solution has come to less than one of
/// the whole: where (P) approaches its least value only as x_i grows, the reduced one is at an X of
/// which no x_i makes a definite one.
Solution solve_without_reduction(Team& team, const Problem& problem, Options options,
                                 Solution reduced) {
  const std::uint64_t held = 2 * detail::matrix_bytes(problem.blocks());
  if (options.memory_limit != 0) {
    if (options.memory_limit <= held) return reduced;
    options.memory_limit -= held;
  }
  Solution whole;
  try {
    whole = solve_kept(team, problem, options);
  } catch (const Error& error) {
    if (error.code() != Errc::out_of_memory) throw;
    return reduced;
  }
  return better_of(std::move(reduced), std::move(whole));
}

}  // namespace

Plan plan(Team& team, const Problem& problem, const Options& options) {
  check(problem, options);
  const detail::FaceReduction face(problem);
  const detail::Model model =
      face.any() ? detail::make_model(face.reduced()) : detail::make_model(problem);
  Plan plan = detail::Solver(team, model, options).plan();
  if (face.any()) plan.bytes = std::max(plan.bytes, bytes_to_restore(problem));
  return plan;
}

Solution solve(Team& team, const Problem& problem, const Options& wanted) {
  check(problem, wanted);
  check_result(problem, wanted);
  const detail::FaceReduction face(problem);
  const Options options = detail::affordable(problem, wanted);
  if (!face.any()) return solve_kept(team, problem, options);
  detail::check_memory(bytes_to_restore(problem), options);
  Solution solution = solve_taken(team, face.reduced(), options);
  face.restore(solution, options.tolerance);
  if (detail::is_certain(solution.status) || solution.status == Status::limit) return solution;
  return solve_without_reduction(team, problem, options, std::move(solution));
}

Solution solve(Team& team, Problem&& problem, const Options& wanted) {
  Problem own = std::exchange(problem, Problem());
  check(own, wanted);
  check_result(own, wanted);
  if (detail::FaceReduction(own).any()) return solve(team, std::as_const(own), wanted);
  const Options options = detail::affordable(own, wanted);
  return solve_taken(team, std::move(own), options);
}

}  // namespace kinjo::sdp
