#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/paths.hpp>

#include "base/text.hpp"
#include "paths/family.hpp"
#include "paths/few_states.hpp"
#include "paths/level_sweep.hpp"

namespace kinjo::paths {

namespace detail {

void refuse_memory(const SweepOptions& options, const Outgrown& outgrown) {
  const auto& [item, items, states, bytes, limit] = outgrown;
  const char* const expected = options.spill.empty() ? "a larger limit, or a directory to spill to"
                                                     : "a larger limit, or fewer threads";
  throw Error(
      Errc::out_of_memory,
      fmt::format("counting takes more memory than the limit of {}: at edge {} of {} there "
                  "{} about {} state{} in {}; expected {}",
                  kinjo::detail::format_bytes(limit), item + 1, items, states == 1 ? "is" : "are",
                  states, states == 1 ? "" : "s", kinjo::detail::format_bytes(bytes), expected));
}

void refuse_part(const OutgrownPart& outgrown) {
  using kinjo::detail::format_bytes;
  const auto& [item, items, states, bytes, most, limit] = outgrown;
  throw Error(
      Errc::out_of_memory,
      fmt::format("counting takes more memory than the limit of {}: at edge {} of {} even "
                  "{} state{} take{} {}, and a thread may use {} of it for states; expected "
                  "a larger limit, or fewer threads",
                  format_bytes(limit), item + 1, items, states, states == 1 ? "" : "s",
                  states == 1 ? "s" : "", format_bytes(bytes), format_bytes(most)));
}

namespace {

SweepOptions sweep_options(const CountOptions& options, Measure measure) {
  SweepOptions sweep{.measure = measure,
                     .memory_limit = options.memory_limit,
                     .spill = options.spill,
                     .merges = measure == Measure::sets || measure == Measure::by_size};
  // A directory that is none is told before anything is counted.
  if (!options.spill.empty()) SpillFile(options.spill, "states");
  if (options.go_on) {
    sweep.go_on = [go_on = options.go_on](const SweepProgress& p) {
      return go_on({p.item, p.items, p.states, p.bytes});
    };
  }
  return sweep;
}

SweepResult sweep(Team& team, const Steps& steps, const SweepOptions& options) {
  return std::visit(
      [&](const auto& known) {
        return with_specification(known,
                                  [&](const auto& s) { return LevelSweep(s, options).run(team); });
      },
      steps);
}

CountResult sweep(Team& team, const Family& family, const SweepOptions& options) {
  if (family.impl().empty) return {.by_size = {Count()}, .states = {0}};
  KINJO_PHASE("count");
  SweepResult found = sweep(team, family.impl().steps, options);
  CountResult result{.states = std::move(found.states),
                     .takes = std::move(found.takes),
                     .peak_bytes = found.peak_bytes,
                     .interrupted = found.stopped};
  if (found.stopped) return result;
  if (options.measure == Measure::weight) {
    result.weight = found.total.weight();
    return result;
  }
  result.by_size = found.total.counts();
  for (const Count& count : result.by_size) result.count += count;
  if (options.measure != Measure::by_size) result.by_size.clear();
  return result;
}

}  // namespace

bool has_few_states(const Steps& steps, std::uint64_t most, std::uint64_t most_of_level) {
  std::uint64_t states = 0;
  std::size_t item = 0;  // before which they are
  SweepOptions options{.measure = Measure::states, .merges = true};
  options.go_on = [&](const SweepProgress& reached) {
    // It is told of the states before the item that was decided last.
    if (reached.item > item) states += reached.states;
    item = reached.item;
    return states <= most && reached.states <= most_of_level;
  };
  Team caller(Mapping::alone(), {.caller = Caller::joins});
  return !sweep(caller, steps, options).stopped;
}

}  // namespace detail

std::uint64_t CountResult::all_states() const {
  return std::accumulate(states.begin(), states.end(), std::uint64_t{0});
}

CountResult count(Team& team, const Family& family, const CountOptions& options) {
  return detail::sweep(team, family, detail::sweep_options(options, detail::Measure::sets));
}

CountResult count_by_size(Team& team, const Family& family, const CountOptions& options) {
  return detail::sweep(team, family, detail::sweep_options(options, detail::Measure::by_size));
}

CountResult weighted_sum(Team& team, const Family& family, const std::vector<double>& weights,
                         const CountOptions& options) {
  detail::SweepOptions sweep = detail::sweep_options(options, detail::Measure::weight);
  const auto& positions = family.positions();
  if (!positions.empty() && std::ranges::max(positions) >= weights.size()) {
    throw Error(Errc::invalid_argument,
                fmt::format("{} weights: expected one for each edge of the graph", weights.size()));
  }
  for (const std::uint32_t edge : positions) sweep.weights.push_back(weights[edge]);
  sweep.merges =
      std::ranges::adjacent_find(sweep.weights, std::not_equal_to()) == sweep.weights.end();
  return detail::sweep(team, family, sweep);
}

CountResult survey(Team& team, const Family& family, const CountOptions& options) {
  // By way of a disk a state may be counted twice.
  CountOptions in_memory = options;
  in_memory.spill.clear();
  return detail::sweep(team, family, detail::sweep_options(in_memory, detail::Measure::states));
}

}  // namespace kinjo::paths
