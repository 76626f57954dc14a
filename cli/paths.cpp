/// kinjo paths: counts paths, cycles, trees and the like in a graph, lists or draws some, or keeps
/// all of them as a decision diagram.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <kinjo/diagram_files.hpp>
#include <kinjo/error.hpp>
#include <kinjo/grid_paths.hpp>

#include "base/text.hpp"
#include "command.hpp"
#include "measure/sampling.hpp"
#include "paths_members.hpp"
#include "paths_need.hpp"
#include "paths_options.hpp"
#include "paths_result.hpp"
#include "paths_saved.hpp"
#include "paths_team.hpp"
#include "paths_watch.hpp"
#include "tune/signals.hpp"
#include "workload/paths.hpp"

namespace kinjo::cli {

namespace {

/// Says what was left out of the graph.
void note_left_out(const PathsResult& result) {
  const paths::LeftOut& left_out = result.input.left_out;
  if (left_out.loops != 0)
    note(fmt::format("left out: {} loop{}", left_out.loops, left_out.loops == 1 ? "" : "s"));
  if (left_out.repeated != 0) {
    note(fmt::format("left out: {} repeated edge{} (--parallel keep: each is one of its own)",
                     left_out.repeated, left_out.repeated == 1 ? "" : "s"));
  }
}

/// One run of what is asked for.
PathsRun run_once(const PathsOptions& options, const PathsSettings& settings, Team& team,
                  PathsWatch& watch, PathsResult& result) {
  if (!options.by_length) {
    return run_paths(team, result.input, result.family,
                     {.memory_limit = settings.memory_limit,
                      .go_on = watch.go_on(options.wants_diagram() ? "building" : "counting"),
                      .spill = options.spill});
  }
  const double start = now_seconds();
  const auto found = paths::count_by_size(
      team, *result.family,
      {settings.memory_limit, watch.go_on("counting by length"), options.spill});
  result.by_length = found.by_size;
  return {.count = found.count,
          .states = found.all_states(),
          .peak_bytes = found.peak_bytes,
          .seconds = now_seconds() - start,
          .interrupted = found.interrupted};
}

/// All runs, and their record. False if somebody asked to stop.
bool work(const PathsOptions& options, const PathsSettings& settings, Team& team, PathsWatch& watch,
          PathsResult& result) {
  const PathsSubject subject(settings);
  RecordBuilder record(subject, Configuration{team.mapping()});
  for (std::size_t i = 0; i < options.repeat; ++i) {
    result.run.reset();  // not two diagrams at a time
    result.run = run_once(options, settings, team, watch, result);
    if (result.run->interrupted) return false;
    record.add(PathsSubject::sample_of(*result.run));
  }
  result.record = record.finish();
  return true;
}

/// The names of edges. Throws `Error` (`bad_input`) if two are the same, so that no reader of what
/// `option` asks for could tell these edges.
std::vector<std::string> different_names(const PathsResult& result, const char* option) {
  std::vector<std::string> names = edge_names(result);
  std::vector<std::string_view> sorted(names.begin(), names.end());
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    throw Error(Errc::bad_input,
                fmt::format("two edges are called '{}': {} expects names of vertices that tell "
                            "them apart",
                            detail::printable(*twice), option));
  }
  return names;
}

/// What a limit leaves beside the diagram of a run.
std::uint64_t limit_beside(const PathsSettings& settings, const PathsRun& run) {
  if (settings.memory_limit == 0 || !run.diagram) return settings.memory_limit;
  const std::uint64_t taken = run.diagram->bytes();
  return settings.memory_limit > taken ? settings.memory_limit - taken : 1;
}

/// Everything that is asked for. False if somebody asked to stop.
bool find(const PathsOptions& options, const PathsSettings& settings, Team& team, PathsWatch& watch,
          PathsResult& result) {
  if (!announce_need(options, settings, team, watch, result) ||
      !work(options, settings, team, watch, result)) {
    return false;
  }
  if (options.wants_members()) {
    result.members =
        take_members(options, result.run->count, *result.run->diagram, watch.signals());
  }
  if (options.verify) {
    watch.expect({});
    const Count other = count_otherwise(
        team, result.input,
        {limit_beside(settings, *result.run), watch.go_on("verifying"), options.spill});
    result.record.verified = other == result.run->count;
  }
  return watch.signals().interrupted() == 0;
}

/// Whether a grid's own way, which was not asked for, takes more memory than there is: it has no
/// use for a disk.
bool outgrows(const PathsSettings& settings, const PathsInput& input, std::size_t threads) {
  if (settings.method != PathsMethod::automatic || input.method != PathsMethod::grid) return false;
  return paths::grid_paths_least_bytes(input.grid_rows, input.grid_columns, threads) >
         memory_under(settings.memory_limit);
}

/// The family, and the names that its edges are saved with.
PathsResult load(const PathsOptions& options, const PathsSettings& settings, Team& team,
                 const detail::Signals& signals, std::vector<std::string>& names) {
  const detail::Signals::Ending ending(signals);
  PathsResult result{.input = load_paths(team, settings)};
  if (!options.spill.empty() && outgrows(settings, result.input, team.size())) {
    result.input.method = PathsMethod::sweep;
  }
  if (has_family(result.input.method)) result.family.emplace(result.input.problem);
  note_left_out(result);
  if (!options.save.empty() && has_names(paths::diagram_format_of(options.save))) {
    names = different_names(result, "--save");
  } else if (options.wants_members() && !lists_vertices(result)) {
    different_names(result, options.sample ? "--sample" : "--enumerate");
  }
  return result;
}

/// Whether a thread counts them within a millisecond or two: others would save less than it takes
/// to read the machine and to start them.
bool are_few(const PathsResult& result) {
  constexpr double kFew = 1 << 18, kFewNumbers = 1 << 21;
  const double states = expected_states(result.input, result.family);
  return states <= (result.input.method == PathsMethod::grid ? kFewNumbers : kFew);
}

int run(const PathsOptions& options) {
  check(options);
  if (is_saved_diagram(options.settings.graph)) return run_saved(options);
  const PathsSettings settings = settings_of(options);
  detail::Signals signals;
  PathsTeam team(options);
  std::vector<std::string> names;
  PathsResult result = load(options, settings, *team, signals, names);
  if (!are_few(result)) team.grow();
  PathsWatch watch(signals);
  if (!find(options, settings, *team, watch, result)) {
    watch.wipe();
    return end_interrupted(signals, "nothing is written");
  }
  watch.wipe();
  if (options.verify && result.record.verified != true) {
    note("verification failed: counted otherwise there is another number");
    return kBadResult;
  }
  if (!options.save.empty()) {
    paths::write_diagram(result.run->diagram->with_names(std::move(names)), options.save);
    if (signals.interrupted() != 0) return end_interrupted(signals, "only the diagram is written");
  }
  tell(options, result, signals);
  return kDone;
}

}  // namespace

void add_paths(CLI::App& app, int& status) {
  auto options = std::make_shared<PathsOptions>();
  CLI::App* command =
      app.add_subcommand("paths", "Count paths, cycles, trees and the like in a graph");
  add_paths_options(*command, *options);
  command->footer(
      "Example: kinjo paths grid:8x8\n"
      "Example: kinjo paths roads.el --from Ueno --to Shinjuku --avoid Tokyo --count\n"
      "Example: kinjo paths king:4x4 --kind hamiltonian --sample 3\n"
      "Example: kinjo paths net.col --kind tree --save trees.kzdd\n"
      "Example: kinjo paths trees.kzdd --sample 3\n"
      "Example: kinjo paths king:8 --memory-limit 1M --spill .");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
