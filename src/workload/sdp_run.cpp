#include "workload/sdp_run.hpp"

#include <cmath>
#include <utility>

#include "measure/sampling.hpp"

namespace kinjo {

namespace {

/// Adds up the time that passes in each phase.
class PhaseClock {
 public:
  void enter(sdp::Phase phase) {
    const double now = now_seconds();
    seconds_[static_cast<std::size_t>(phase_)] += now - since_;
    since_ = now;
    phase_ = phase;
  }
  const std::array<double, sdp::kPhases>& seconds() const { return seconds_; }

 private:
  std::array<double, sdp::kPhases> seconds_{};
  sdp::Phase phase_ = sdp::Phase::others;
  double since_ = now_seconds();
};

template <class P>
SdpRun run_any(Team& team, P&& problem, const sdp::Options& options) {
  PhaseClock clock;
  sdp::Options timed = options;
  timed.enter = [&](sdp::Phase phase) {
    clock.enter(phase);
    if (options.enter) options.enter(phase);
  };
  SdpRun run;
  const double start = now_seconds();
  run.solution = sdp::solve(team, std::forward<P>(problem), timed);
  run.seconds = now_seconds() - start;
  clock.enter(sdp::Phase::others);
  run.phase_seconds = clock.seconds();
  return run;
}

}  // namespace

SdpRun run_sdp(Team& team, const sdp::Problem& problem, const sdp::Options& options) {
  return run_any(team, problem, options);
}
SdpRun run_sdp(Team& team, sdp::Problem&& problem, const sdp::Options& options) {
  return run_any(team, std::move(problem), options);
}

double relative_gap(const sdp::Solution& solution) {
  const double primal = solution.primal_objective, dual = solution.dual_objective;
  return std::abs(primal - dual) / (1 + std::abs(primal) + std::abs(dual));
}

std::size_t sdp_iterations(const sdp::Solution& solution) {
  return solution.iterations.empty() ? 0 : solution.iterations.back().number;
}

}  // namespace kinjo
