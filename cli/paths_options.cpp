#include "paths_options.hpp"

#include <limits>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "workload/choose.hpp"

namespace kinjo::cli {

namespace {

/// Members are taken from a diagram, and lengths are counted level by level: settles what
/// `--method automatic` is, and refuses any other method.
void settle_method(const PathsOptions& options, PathsSettings& settings) {
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

/// Where a file has numbers alone, they are those of the edges as given: of any other order nobody
/// could tell which edge is meant.
void settle_order(const PathsOptions& options, PathsSettings& settings) {
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

/// Throws where what is written would take the place of something else.
void check_files(const PathsOptions& options) {
  if (!options.save.empty()) {
    paths::diagram_format_of(options.save);
    detail::check_writable(options.save);
  }
  if (!options.output.file.empty()) detail::check_writable(options.output.file);
  if (!options.spill.empty()) paths::spill_room(options.spill);  // also where nothing will need it
  check_apart({{"GRAPH", options.settings.graph},
               {"--save", options.save},
               {"--output", options.output.file}});
}

void add_family_options(CLI::App& command, PathsOptions& options) {
  PathsSettings& settings = options.settings;
  command.add_option("--from", settings.from, "where paths begin, a vertex' name")
      ->check(not_empty())
      ->type_name("S");
  command.add_option("--to", settings.to, "where they end")->check(not_empty())->type_name("T");
  command.add_option("--kind", settings.kind, fmt::format("what is counted: {}", kPathsKinds))
      ->capture_default_str();
  command
      .add_option("--through", settings.through, "vertices that must be visited, joined by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  command.add_option("--avoid", settings.avoid, "vertices that are not there, joined by commas")
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

void add_result_options(CLI::App& command, PathsOptions& options) {
  command.add_flag("--count", options.count, "how many there are (what is done unasked)");
  command.add_flag("--by-length", options.by_length, "how many there are of each number of edges");
  command.add_option("--enumerate", options.enumerate, "list the first K members")
      ->check(whole_number(1))
      ->type_name("K");
  CLI::Option* const sample =
      command.add_option("--sample", options.sample, "draw K members, each as likely as any other")
          ->check(whole_number(1))
          ->type_name("K");
  command.add_option("--seed", options.seed, "of what --sample draws")
      ->check(whole_number())
      ->needs(sample)
      ->capture_default_str();
  command
      .add_option(
          "--save", options.save,
          "keep all members as a decision diagram: .kzdd (kinjo's own), .setset (Graphillion's "
          "text), .zbdd (SAPPORO's), .dot (a picture)")
      ->check(not_empty())
      ->type_name("FILE");
}

/// What is of a graph and of no diagram that was saved.
void add_search_options(CLI::App& command, PathsOptions& options) {
  command
      .add_option("--spill", options.spill,
                  "keep what memory does not hold on a disk, in files without a name in this "
                  "directory: levels of a count, a diagram's nodes until they are reduced")
      ->check(not_empty("a directory"))
      ->type_name("DIR");
  command
      .add_option("--method", options.method,
                  "sweep (counts alone), diagram, grid (corner to corner), determinant (spanning "
                  "trees), automatic")
      ->capture_default_str();
  command.add_flag("--verify", options.verify,
                   "count once more in another way: with the edges reversed, or by other primes");
}

}  // namespace

bool has_names(paths::DiagramFormat format) {
  return format != paths::DiagramFormat::graphillion && format != paths::DiagramFormat::sapporo;
}

std::uint64_t memory_limit_of(const PathsOptions& options) {
  return options.memory_limit.empty() ? 0 : parse_memory_limit(options.memory_limit);
}

std::uint64_t memory_under(std::uint64_t limit) {
  return limit != 0 ? limit : available_memory_bytes();
}

PathsSettings settings_of(const PathsOptions& options) {
  PathsSettings settings = options.settings;
  set_paths(settings, "order", options.order);
  set_paths(settings, "method", options.method);
  settings.parallel =
      choose<paths::Parallel>("parallel edges", options.parallel,
                              {{"merge", paths::Parallel::merge}, {"keep", paths::Parallel::keep}});
  settings.bind = parse_bind_level(options.bind);
  settle_method(options, settings);
  settle_order(options, settings);
  settings.memory_limit = memory_limit_of(options);
  return settings;
}

void check(const PathsOptions& options) {
  const int asked = (options.count ? 1 : 0) + (options.by_length ? 1 : 0) +
                    (options.enumerate ? 1 : 0) + (options.sample ? 1 : 0);
  if (asked > 1) {
    throw Error(Errc::invalid_argument,
                "expected one of --count, --by-length, --enumerate and --sample");
  }
  if (!options.spill.empty() && (options.method == "grid" || options.method == "determinant")) {
    throw Error(Errc::invalid_argument,
                fmt::format("method '{}' keeps all in memory: expected --spill with another one",
                            options.method));
  }
  if (options.order != "automatic" &&
      (options.method == "grid" || options.method == "determinant")) {
    throw Error(Errc::invalid_argument,
                fmt::format("method '{}' decides no edges: expected --order with another one",
                            options.method));
  }
  if (options.by_length && !options.save.empty()) {
    throw Error(Errc::invalid_argument,
                "--by-length counts without a diagram: expected no --save beside it");
  }
  check_files(options);
}

void add_paths_options(CLI::App& command, PathsOptions& options) {
  command
      .add_option("GRAPH,--graph", options.settings.graph,
                  "a file of edges, a rule such as grid:8x8, or a diagram that was saved")
      ->capture_default_str();
  options.of_graph = added(command, [&] { add_family_options(command, options); });
  add_result_options(command, options);
  const auto more = added(command, [&] { add_search_options(command, options); });
  options.of_graph.insert(options.of_graph.end(), more.begin(), more.end());
  command.add_option("--memory-limit", options.memory_limit, "bytes that may be taken, such as 2G")
      ->type_name("BYTES");
  add_repeat(command, options.repeat, "counts, of whose times the median is recorded");
  options.of_threads = added(command, [&] {
    options.placement.add_to(command);
    add_bind(command, options.bind);
  });
  add_format(command, options.format, {Format::text, Format::json, Format::csv});
  options.output.add_to(command);
}

}  // namespace kinjo::cli
