#include <kinjo/error.hpp>
#include <kinjo/sdp.hpp>

#include "sdp/model.hpp"
#include "sdp/solver.hpp"

namespace kinjo::sdp {

Plan plan(Team& team, const Problem& problem, const Options& options) {
  const detail::Model model = detail::make_model(problem);
  return detail::Solver(team, model, options).plan();
}

Solution solve(Team& team, const Problem& problem, const Options& options) {
  const detail::Model model = detail::make_model(problem);
  return detail::Solver(team, model, options).run();
}

}  // namespace kinjo::sdp
