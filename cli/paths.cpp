/// kinjo paths: counts paths, cycles, trees and the like in a graph, lists or draws some, or keeps
/// all of them as a decision diagram.
#include "workload/paths.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <kinjo/diagram_files.hpp>
#include <kinjo/diagram_members.hpp>
#include <kinjo/error.hpp>
#include <kinjo/grid_paths.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "measure/sampling.hpp"
#include "paths_result.hpp"
#include "paths_watch.hpp"
#include "tune/signals.hpp"
#include "workload/choose.hpp"

namespace kinjo::cli {

namespace {

struct Options {
  PathsSettings settings;
  std::string order = "automatic", method = "automatic", parallel = "merge";
  std::string memory_limit, save, spill;
  bool count = false, by_length = false, verify = false;
  std::optional<std::uint64_t> enumerate, sample;
  std::size_t repeat = 1;
  std::uint64_t seed = 1;
  PlacementOptions placement;
  std::string bind = "cpu";
  OutputOption output;
  Format format = Format::text;

  /// Whether members are asked for, and not only how many.
  bool wants_diagram() const { return wants_members() || !save.empty(); }
  bool wants_members() const { return enumerate || sample; }
};

/// Members are taken from a diagram, and lengths are counted level by level: settles what
/// `--method automatic` is, and refuses any other method.
void settle_method(const Options& options, PathsSettings& settings) {
  if (options.wants_diagram()) {
    if (settings.method != PathsMethod::automatic && settings.method != PathsMethod::diagram) {
      throw Error(
          Errc::invalid_argument,
          fmt::format("method '{}' only counts: members take --method diagram", options.method));
    }
    settings.method = PathsMethod::diagram;
  } else if (options.by_length) {
    if (settings.method != PathsMethod::automatic && settings.method != PathsMethod::sweep) {
      throw Error(Errc::invalid_argument, "--by-length is counted with --method sweep");
    }
    settings.method = PathsMethod::sweep;
  }
}

/// Whether files of this form tell edges by their names, and not by their numbers alone.
bool has_names(paths::DiagramFormat format) {
  return format != paths::DiagramFormat::graphillion && format != paths::DiagramFormat::sapporo;
}

/// Where a file has numbers alone, they are those of the edges as given: of any other order nobody
/// could tell which edge is meant.
void settle_order(const Options& options, PathsSettings& settings) {
  using paths::EdgeOrder;
  if (options.save.empty() || has_names(paths::diagram_format_of(options.save))) return;
  if (settings.order != EdgeOrder::automatic && settings.order != EdgeOrder::given) {
    throw Error(Errc::invalid_argument,
                fmt::format("'{}' will have numbers of edges and no names, which order '{}' would "
                            "change: expected --order given, or a .kzdd file",
                            detail::printable(options.save), options.order));
  }
  settings.order = EdgeOrder::given;
}

PathsSettings settings_of(const Options& options) {
  PathsSettings settings = options.settings;
  set_paths(settings, "order", options.order);
  set_paths(settings, "method", options.method);
  settings.parallel =
      choose<paths::Parallel>("parallel edges", options.parallel,
                              {{"merge", paths::Parallel::merge}, {"keep", paths::Parallel::keep}});
  settings.bind = parse_bind_level(options.bind);
  settle_method(options, settings);
  settle_order(options, settings);
  if (!options.memory_limit.empty()) {
    settings.memory_limit = parse_memory_limit(options.memory_limit, 1);
  }
  return settings;
}

/// Throws where what is written would take the place of something else.
void check_files(const Options& options) {
  if (!options.save.empty()) {
    paths::diagram_format_of(options.save);
    detail::check_writable(options.save);
  }
  if (!options.output.file.empty()) detail::check_writable(options.output.file);
  check_apart({{"GRAPH", options.settings.graph},
               {"--save", options.save},
               {"--output", options.output.file}});
}

void check(const Options& options) {
  const int asked = (options.count ? 1 : 0) + (options.by_length ? 1 : 0) +
                    (options.enumerate ? 1 : 0) + (options.sample ? 1 : 0);
  if (asked > 1) {
    throw Error(Errc::invalid_argument,
                "expected one of --count, --by-length, --enumerate and --sample");
  }
  if (!options.spill.empty() && options.method == "grid") {
    throw Error(Errc::invalid_argument,
                "method 'grid' keeps all in memory: expected --spill with another one");
  }
  if (options.by_length && !options.save.empty()) {
    throw Error(Errc::invalid_argument,
                "--by-length counts without a diagram: expected no --save beside it");
  }
  check_files(options);
}

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

/// Says what a diagram with these states will take. Throws `Error` (`out_of_memory`) if that is not
/// there.
void announce(const Options& options, const PathsSettings& settings, const paths::Family& family,
              const paths::CountResult& found, std::size_t threads) {
  const std::uint64_t memory =
      settings.memory_limit != 0 ? settings.memory_limit : available_memory_bytes();
  const bool spills = !options.spill.empty();
  const std::uint64_t bytes = paths::build_bytes(family, found, threads);
  const std::uint64_t there = spills ? paths::spill_room(options.spill) : memory;
  const std::string need = fmt::format(
      "the diagram has {} nodes before it is reduced, which take {}{}{}", found.all_states(),
      threads > 1 ? "at most " : "", detail::format_bytes(bytes), spills ? " of the disk" : "");
  const std::string room = fmt::format("{} may be taken", detail::format_bytes(there));
  if (bytes > there) {
    throw Error(Errc::out_of_memory,
                fmt::format("{}: {}; {}", need, room,
                            spills ? "expected a directory with more room"
                                   : "--spill keeps them on a disk, --count needs far less"));
  }
  const std::uint64_t most = paths::reduction_bytes(
      family, found, threads, spills ? paths::NodesIn::file : paths::NodesIn::memory);
  if (spills) {
    return note(fmt::format("{}; {}; up to {} of memory while they are reduced; {} may be taken",
                            need, room, detail::format_bytes(most), detail::format_bytes(memory)));
  }
  note(fmt::format("{}, up to {} while they are reduced; {}", need,
                   detail::format_bytes(std::max(bytes, most)), room));
}

/// Where a diagram takes more than a little, counts its states before it is built, and says what it
/// will need. Throws `Error` (`out_of_memory`) if that is not there. False if somebody asked to
/// stop.
bool survey(const Options& options, const PathsSettings& settings, Team& team, PathsWatch& watch,
            const PathsResult& result) {
  constexpr double kNodeBytes = 8, kLittle = 256 << 20;
  if (!result.family) return true;
  std::vector<double> expected = expected_states(*result.family);
  const double all = std::accumulate(expected.begin(), expected.end(), 0.0);
  watch.expect(expected);
  if (result.input.method != PathsMethod::diagram || kNodeBytes * all < kLittle) return true;
  const auto found =
      paths::survey(team, *result.family, {settings.memory_limit, watch.go_on("counting states")});
  if (found.interrupted) return false;
  watch.wipe();
  announce(options, settings, *result.family, found, team.size());
  watch.expect({found.states.begin(), found.states.end()});
  return true;
}

/// One run of what is asked for.
PathsRun run_once(const Options& options, const PathsSettings& settings, Team& team,
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
bool work(const Options& options, const PathsSettings& settings, Team& team, PathsWatch& watch,
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

/// How many members there will be: no more than there are, where each comes once.
std::uint64_t members_wanted(const Options& options, const PathsRun& run) {
  if (run.count == Count()) return 0;
  if (options.sample) return *options.sample;
  const double all = run.count.to_double();
  return all < static_cast<double>(*options.enumerate) ? static_cast<std::uint64_t>(all)
                                                       : *options.enumerate;
}

/// Throws `Error` (`out_of_memory`) where so many members may not be kept beside the diagram.
void check_members(const PathsSettings& settings, std::uint64_t members,
                   const paths::Diagram& diagram) {
  // Each as a list of items, at most half of which are there mostly, and as a line of words.
  const double bytes =
      static_cast<double>(diagram.bytes()) +
      static_cast<double>(members) * (64 + 6 * static_cast<double>(diagram.items()));
  const std::uint64_t limit =
      settings.memory_limit != 0 ? settings.memory_limit : available_memory_bytes();
  if (bytes <= static_cast<double>(limit)) return;
  constexpr double kMost = 1e18;
  throw Error(Errc::out_of_memory,
              fmt::format("{} members take about {}: {} may be taken", members,
                          detail::format_bytes(static_cast<std::uint64_t>(std::min(bytes, kMost))),
                          detail::format_bytes(limit)));
}

/// The members that are asked for; fewer if somebody asks to stop.
std::vector<paths::Set> pick(const Options& options, const PathsSettings& settings,
                             std::uint64_t wanted, const paths::Diagram& diagram,
                             detail::Signals& signals) {
  constexpr std::size_t kBetween = 1 << 10;
  std::vector<paths::Set> members;
  const auto add = [&](paths::Set set) {
    members.push_back(std::move(set));
    const bool looks = members.size() % kBetween == 0;
    return members.size() < wanted && !(looks && signals.interrupted() != 0);
  };
  if (wanted == 0) return members;
  if (options.sample) {
    paths::Sampler sampler(diagram, options.seed, settings.memory_limit);
    while (add(sampler.next())) continue;
  } else {
    for (const paths::Set& set : diagram.members()) {
      if (!add(set)) break;
    }
  }
  return members;
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
bool find(const Options& options, const PathsSettings& settings, Team& team, PathsWatch& watch,
          PathsResult& result) {
  if (!survey(options, settings, team, watch, result) ||
      !work(options, settings, team, watch, result)) {
    return false;
  }
  if (options.wants_members()) {
    const std::uint64_t wanted = members_wanted(options, *result.run);
    check_members(settings, wanted, *result.run->diagram);
    result.members = pick(options, settings, wanted, *result.run->diagram, watch.signals());
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
  const std::uint64_t memory =
      settings.memory_limit != 0 ? settings.memory_limit : available_memory_bytes();
  return paths::grid_paths_least_bytes(input.grid_rows, input.grid_columns, threads) > memory;
}

/// The family, and the names that its edges are saved with.
PathsResult load(const Options& options, const PathsSettings& settings, Team& team,
                 const detail::Signals& signals, std::vector<std::string>& names) {
  const detail::Signals::Ending ending(signals);
  PathsResult result{.input = load_paths(team, settings)};
  if (!options.spill.empty() && outgrows(settings, result.input, team.size())) {
    result.input.method = PathsMethod::sweep;
  }
  if (result.input.method != PathsMethod::grid) result.family.emplace(result.input.problem);
  note_left_out(result);
  if (!options.save.empty() && has_names(paths::diagram_format_of(options.save))) {
    names = different_names(result, "--save");
  } else if (options.wants_members() && !lists_vertices(result)) {
    different_names(result, options.sample ? "--sample" : "--enumerate");
  }
  return result;
}

/// Tells what was found: the last thing that is done. What goes to standard output is nobody's
/// file.
void tell(const Options& options, const PathsResult& result, const Topology& machine,
          const detail::Signals& signals) {
  std::optional<detail::Signals::Ending> ending;
  if (options.output.file.empty()) ending.emplace(signals);
  options.output.write(options.format == Format::json  ? paths_json(result, machine)
                       : options.format == Format::csv ? paths_csv(result)
                                                       : paths_text(result));
}

int interrupted(detail::Signals& signals, const char* what) {
  note(fmt::format("interrupted; {}", what));
  return 128 + signals.interrupted();
}

int run(const Options& options) {
  check(options);
  const PathsSettings settings = settings_of(options);
  const Topology machine = Topology::discover();
  const Mapping mapping = options.placement.mapping(machine);
  detail::Signals signals;
  Team team(mapping, {.bind = settings.bind, .caller = Caller::joins});
  std::vector<std::string> names;
  PathsResult result = load(options, settings, team, signals, names);
  PathsWatch watch(signals);
  if (!find(options, settings, team, watch, result)) {
    watch.wipe();
    return interrupted(signals, "nothing is written");
  }
  watch.wipe();
  if (options.verify && result.record.verified != true) {
    note("verification failed: with the edges in the reverse order there is another number");
    return kBadResult;
  }
  if (!options.save.empty()) {
    paths::write_diagram(result.run->diagram->with_names(std::move(names)), options.save);
    if (signals.interrupted() != 0) return interrupted(signals, "only the diagram is written");
  }
  tell(options, result, machine, signals);
  return kDone;
}

void add_family_options(CLI::App& command, Options& options) {
  PathsSettings& settings = options.settings;
  command
      .add_option("GRAPH,--graph", settings.graph, "a file of edges, or a rule such as grid:8x8")
      ->capture_default_str();
  command.add_option("--from", settings.from, "where paths begin, a vertex' name")
      ->check(not_empty())
      ->type_name("S");
  command.add_option("--to", settings.to, "where they end")->check(not_empty())->type_name("T");
  command.add_option("--kind", settings.kind, fmt::format("what is counted: {}", kPathsKinds))
      ->capture_default_str();
  command.add_option("--through", settings.through, "vertices that must be visited")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  command.add_option("--avoid", settings.avoid, "vertices that are not there")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  command.add_option("--components", settings.components, "how many, for --kind components")
      ->check(whole_number())
      ->type_name("K");
  command
      .add_option("--degrees", settings.degrees,
                  "numbers of edges that a vertex may have, for --kind degrees")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole_number(0, std::numeric_limits<unsigned>::max()))
      ->type_name("LIST");
  command
      .add_option("--order", options.order,
                  "of the edges: breadth (as Simpath), frontier (small ones), given, automatic")
      ->capture_default_str();
  command
      .add_option("--parallel", options.parallel,
                  "edges that join the same two vertices: merge, or keep each")
      ->capture_default_str();
}

void add_result_options(CLI::App& command, Options& options) {
  command.add_flag("--count", options.count, "how many there are (what is done unasked)");
  command.add_flag("--by-length", options.by_length, "how many there are of each number of edges");
  command.add_option("--enumerate", options.enumerate, "list the first K members")
      ->check(whole_number(1))
      ->type_name("K");
  CLI::Option* const sample =
      command.add_option("--sample", options.sample, "draw K members, each as likely as any other")
          ->check(whole_number(1))
          ->type_name("K");
  command.add_option("--seed", options.seed, "of what is drawn")
      ->check(whole_number())
      ->needs(sample)
      ->capture_default_str();
  command
      .add_option("--spill", options.spill,
                  "keep what memory does not hold on a disk, in files without a name in this "
                  "directory: levels of a count, a diagram's nodes until they are reduced")
      ->check(not_empty("a directory"))
      ->type_name("DIR");
  command
      .add_option(
          "--save", options.save,
          "keep all members as a decision diagram: .kzdd (kinjo's own), .setset (Graphillion's "
          "text), .zbdd (SAPPORO's), .dot (a picture)")
      ->check(not_empty())
      ->type_name("FILE");
  command
      .add_option("--method", options.method,
                  "sweep (counts alone), diagram, grid (corner to corner), automatic")
      ->capture_default_str();
  command.add_option("--memory-limit", options.memory_limit, "bytes that may be taken, as 2G")
      ->type_name("BYTES");
  command.add_flag("--verify", options.verify, "count once more, with the edges reversed");
  add_repeat(command, options.repeat, "counts, of whose times the median is recorded");
}

}  // namespace

void add_paths(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("paths", "Count paths, cycles, trees and the like in a graph");
  add_family_options(*command, *options);
  add_result_options(*command, *options);
  options->placement.add_to(*command);
  add_bind(*command, options->bind);
  add_format(*command, options->format, {Format::text, Format::json, Format::csv});
  options->output.add_to(*command);
  command->footer(
      "Example: kinjo paths grid:8x8\n"
      "Example: kinjo paths roads.el --from Ueno --to Ikebukuro --avoid Tokyo --by-length\n"
      "Example: kinjo paths king:4x4 --kind hamiltonian --sample 3\n"
      "Example: kinjo paths net.col --kind tree --save trees.kzdd\n"
      "Example: kinjo paths complete:13 --memory-limit 1M --spill .");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
