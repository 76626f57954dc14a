#include "workload/paths_run.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <kinjo/error.hpp>
#include <kinjo/grid_paths.hpp>
#include <kinjo/spanning_trees.hpp>

#include "measure/sampling.hpp"
#include "workload/paths_estimate.hpp"

namespace kinjo {

namespace {

PathsRun by_levels(Team& team, const paths::Family& family, const paths::CountOptions& options) {
  const paths::CountResult found = paths::count(team, family, options);
  return {.count = found.count,
          .states = found.all_states(),
          .peak_bytes = found.peak_bytes,
          .interrupted = found.interrupted};
}

/// Counts the members of a run's diagram; where there is no memory for a number at each node, by
/// levels, so that a diagram that took long is not lost.
void count_members(Team& team, const paths::Family& family, const paths::BuildOptions& options,
                   PathsRun& run) {
  try {
    run.count = run.diagram->count(team, options.memory_limit);
  } catch (const Error& error) {
    if (error.code() != Errc::out_of_memory) throw;
    const std::uint64_t taken = run.diagram->bytes(), limit = options.memory_limit;
    const std::uint64_t left =
        limit == 0 ? 0 : std::max<std::uint64_t>(limit - std::min(limit, taken), 1);
    const paths::CountResult found =
        paths::count(team, family, {left, options.go_on, options.spill});
    run.count = found.count;
    run.interrupted = found.interrupted;
  }
}

PathsRun by_diagram(Team& team, const paths::Family& family, const paths::BuildOptions& options) {
  PathsRun run;
  paths::BuildOptions watched = options;
  watched.go_on = [&](const paths::Progress& p) {
    run.peak_bytes = std::max(run.peak_bytes, p.bytes);
    return !options.go_on || options.go_on(p);
  };
  run.diagram = paths::build(team, family, watched);
  run.interrupted = !run.diagram;
  if (run.interrupted) return run;
  count_members(team, family, watched, run);
  run.states = run.nodes = run.diagram->nodes();
  return run;
}

PathsRun by_brackets(Team& team, const PathsInput& input, std::uint64_t memory_limit,
                     const paths::GoOn& go_on) {
  const paths::GridCountResult found = paths::count_grid_paths(
      team, input.grid_rows, input.grid_columns, {.memory_limit = memory_limit, .go_on = go_on});
  return {.count = found.count,
          .states = found.took.states * found.took.steps,
          .peak_bytes = found.peak_bytes,
          .interrupted = found.interrupted};
}

PathsRun by_determinant(Team& team, const PathsInput& input, std::uint64_t memory_limit,
                        const paths::GoOn& go_on) {
  const paths::TreesResult found = paths::count_spanning_trees(
      team, input.problem.network, {.memory_limit = memory_limit, .go_on = go_on});
  return {.count = found.count,
          .states = found.took.entries * found.took.primes,
          .peak_bytes = found.peak_bytes,
          .interrupted = found.interrupted};
}

PathsRun by_method(Team& team, const PathsInput& input, const std::optional<paths::Family>& family,
                   const paths::BuildOptions& options) {
  switch (input.method) {
    case PathsMethod::diagram:
      return by_diagram(team, *family, options);
    case PathsMethod::grid:
      return by_brackets(team, input, options.memory_limit, options.go_on);
    case PathsMethod::determinant:
      return by_determinant(team, input, options.memory_limit, options.go_on);
    default:
      return by_levels(team, *family, {options.memory_limit, options.go_on, options.spill});
  }
}

double sum_of(const std::vector<double>& states) {
  return std::accumulate(states.begin(), states.end(), 0.0);
}

/// Of a grid: beyond these its own way is many times faster, with residues as the second way.
constexpr double kMostStatesOtherwise = 1e9;

}  // namespace

double expected_states(const PathsInput& input, const std::optional<paths::Family>& family) {
  if (input.method == PathsMethod::determinant) {
    // Of sparse graphs; it decides no more than whether threads are worth while.
    const auto edges = static_cast<double>(input.problem.network.edges.size());
    return edges * edges;
  }
  if (input.method == PathsMethod::grid) {
    const auto need = paths::grid_paths_need(input.grid_rows, input.grid_columns, 1);
    return static_cast<double>(need.states) * static_cast<double>(need.steps);
  }
  return sum_of(expected_states(*family));
}

PathsRun run_paths(Team& team, const PathsInput& input, const std::optional<paths::Family>& family,
                   const paths::BuildOptions& options) {
  const double start = now_seconds();
  PathsRun run = by_method(team, input, family, options);
  run.seconds = now_seconds() - start;
  return run;
}

Count count_otherwise(Team& team, const PathsInput& input, const paths::CountOptions& options) {
  if (input.method == PathsMethod::determinant) {
    return paths::count_spanning_trees(
               team, input.problem.network,
               {.memory_limit = options.memory_limit, .otherwise = true, .go_on = options.go_on})
        .count;
  }
  const paths::Family family(input.problem);
  if (input.method == PathsMethod::grid && sum_of(expected_states(family)) > kMostStatesOtherwise) {
    return paths::count_grid_paths(team, input.grid_rows, input.grid_columns,
                                   {.method = paths::GridMethod::residues,
                                    .memory_limit = options.memory_limit,
                                    .spare_prime = true,
                                    .go_on = options.go_on})
        .count;
  }
  paths::Problem problem = input.problem;
  problem.network.edges.assign(family.edges().rbegin(), family.edges().rend());
  problem.order = paths::EdgeOrder::given;
  return paths::count(team, paths::Family(problem), options).count;
}

}  // namespace kinjo
