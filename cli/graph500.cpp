/// kinjo graph500: Graph500's kernels 1 and 2 on this machine.
#include "workload/graph500.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "configurations.hpp"
#include "graph_input.hpp"
#include "progress.hpp"
#include "report/graph500_text.hpp"
#include "report/json.hpp"
#include "report_file.hpp"

namespace kinjo::cli {

namespace {

struct Options {
  ConfigurationOptions configurations{.policies = {"scatter"}};
  std::string scale, edge_factor = "16", roots = "64", bits = "32", order = "automatic";
  std::string graph, save;
  std::vector<const CLI::Option*> of_rule;
  bool skip_validation = false, listed = false;
  std::string pages = "transparent";
  OutputOption output;
  std::string report;
  Format format = Format::text;
};

Graph500Settings settings_of(const Options& options) {
  Graph500Settings settings{.bind = parse_bind_level(options.configurations.bind),
                            .validate = !options.skip_validation};
  const auto set = [&](const char* name, const std::string& value) {
    set_graph500(settings, name, value);
  };
  if (!options.scale.empty()) set("scale", options.scale);
  set("edgefactor", options.edge_factor);
  set("roots", options.roots);
  set("bits", options.bits);
  settings.listed = options.listed;
  set("order", options.order);
  set("pages", options.pages);
  settings.graph = options.graph;
  settings.save = options.save;
  return settings;
}

void announce(const Graph500Settings& settings, const std::vector<Mapping>& configurations) {
  double seconds = 0;
  for (const Mapping& mapping : configurations) {
    seconds += guess_graph500_seconds(settings, mapping.size());
  }
  const std::string what =
      settings.graph.empty()
          ? fmt::format("scale {}, {} edges a vertex", settings.scale, settings.edge_factor)
          : settings.graph;
  note(fmt::format("{}: up to {} of memory, about {:.2g} s", what,
                   detail::format_bytes(static_cast<std::uint64_t>(graph500_bytes(settings))),
                   std::max(seconds, 0.1)));
}

std::string render(const std::vector<Record>& records, const Options& options,
                   const Topology& machine) {
  if (options.format == Format::json) return json_text(records_json(records, machine));
  if (options.format == Format::csv) return graph500_csv(records).to_csv();
  std::string text;
  for (const Record& record : records) {
    text += (text.empty() ? "" : "\n") + graph500_text(record);
  }
  return text;
}

std::string name_of(const Record&) { return "validation"; }

/// A graph that is named has its own size.
void check_graph(const Options& options) {
  if (options.graph.empty()) return;
  need_none(options.of_rule, "is for a graph that is made by scale: expected no --graph");
}

void check_files(const Options& options) {
  if (!options.save.empty() && !options.save.ends_with(".kgraph")) {
    throw Error(Errc::invalid_argument,
                fmt::format("'{}' for the graph: expected a name that ends in .kgraph",
                            detail::printable(options.save)));
  }
  for (const std::string& file : {options.report, options.output.file, options.save}) {
    if (!file.empty()) detail::check_writable(file);
  }
  check_apart(
      {{"--save", options.save}, {"--report", options.report}, {"--output", options.output.file}});
}

int run(const Options& options) {
  check_graph(options);
  check_files(options);
  const Topology& machine = Topology::this_machine();
  const Graph500Settings settings = settings_of(options);
  const auto configurations = options.configurations.mappings(machine);
  check_graph500(settings);
  if (graph::detail::list_size(graph500_source(settings))) announce(settings, configurations);
  std::vector<Record> records;
  {
    ProgressBar bar;
    records = run_graph500(settings, configurations, [&](const Progress& p) { bar.show(p); });
  }
  options.output.write(render(records, options, machine));
  note_faults(records, name_of);
  if (!options.report.empty()) {
    write_report("Graph500", records, configurations, machine, options.report);
  }
  return status_of(records);
}

void add_graph_options(CLI::App& command, Options& options) {
  options.of_rule = added(command, [&] {
    command.add_option("--scale", options.scale, "2^S vertices; default: 20")->type_name("S");
    command.add_option("--edgefactor", options.edge_factor, "edges a vertex")
        ->type_name("N")
        ->capture_default_str();
  });
  command
      .add_option("--graph", options.graph,
                  "a graph to search instead: a file (docs/graphs.md), or "
                  "kronecker:SCALE[,EDGEFACTOR], uniform:SCALE[,EDGEFACTOR], "
                  "grid:ROWSxCOLUMNS[,scrambled], road:ROWSxCOLUMNS[,scrambled]")
      ->type_name("GRAPH");
  command.add_option("--save", options.save, "keep the graph, to be read by --graph")
      ->type_name("FILE.kgraph");
  command.add_option("--roots", options.roots, "searches, each from another random vertex")
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--skip-validation", options.skip_validation, "do not check the searches");
  command
      .add_option("--bits", options.bits,
                  "of a vertex number in the result: 32 or 64 (a submission needs 48 or more)")
      ->capture_default_str();
  add_listed(command, options.listed, "; either way with --bits 64");
  command
      .add_option("--order", options.order,
                  "how vertices are numbered inside: caller, degree, locality or automatic")
      ->capture_default_str();
}

}  // namespace

void add_graph500(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("graph500", "Search a Kronecker graph breadth-first, as Graph500 does");
  add_graph_options(*command, *options);
  options->configurations.add_to(*command);
  add_pages(*command, options->pages);
  add_format(*command, options->format, {Format::text, Format::json, Format::csv});
  options->output.add_to(*command);
  add_report(*command, options->report);
  command->footer(
      "Example: kinjo graph500 --scale 20\n"
      "Example: kinjo graph500 --scale 18 --policy all --roots 16 --report bfs.html");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
