#include <kinjo/error.hpp>
#include <kinjo/sdp.hpp>

#include "base/double_double.hpp"
#include "sdp/face.hpp"
#include "sdp/model.hpp"
#include "sdp/reference.hpp"
#include "sdp/solver.hpp"

namespace kinjo::sdp {

namespace {

/// Multiplications in 32 digits that a finish may take in all: a minute or so.
constexpr double kExtendedOperations = 5e9;

bool is_certain(Status status) {
  return status == Status::optimal || status == Status::primal_infeasible ||
         status == Status::dual_infeasible;
}

/// The rest of the way in extended precision, where it is wanted and can be afforded.
void finish_extended(const Problem& problem, const Options& options, Solution& solution) {
  if (is_certain(solution.status) || solution.interrupted || !options.extended_precision) return;
  if (50 * detail::reference_operations(problem) > kExtendedOperations) return;
  if (options.enter) options.enter(Phase::others);
  Solution finished = detail::solve_reference<kinjo::detail::DoubleDouble>(
      problem, {.options = options, .start = &solution});
  finished.plan = solution.plan;
  finished.extended_precision = true;
  finished.iterations.insert(finished.iterations.begin(), solution.iterations.begin(),
                             solution.iterations.end());
  solution = std::move(finished);
}

}  // namespace

Plan plan(Team& team, const Problem& problem, const Options& options) {
  const detail::FaceReduction face(problem);
  const detail::Model model = detail::make_model(face.any() ? face.reduced() : problem);
  return detail::Solver(team, model, options).plan();
}

Solution solve(Team& team, const Problem& problem, const Options& options) {
  const detail::FaceReduction face(problem);
  const Problem& reduced = face.any() ? face.reduced() : problem;
  Solution solution;
  {
    const detail::Model model = detail::make_model(reduced);
    solution = detail::Solver(team, model, options).run();
  }
  finish_extended(reduced, options, solution);
  if (face.any()) face.restore(solution);
  return solution;
}

}  // namespace kinjo::sdp
