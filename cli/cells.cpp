/// kinjo cells: programs of cells, which send each other data by PUT, GET and messages.
#include <cstdlib>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <kinjo/comm_start.hpp>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "cells_launch.hpp"
#include "cells_model.hpp"
#include "cells_result.hpp"
#include "command.hpp"
#include "configurations.hpp"
#include "report/cells_text.hpp"
#include "report/json.hpp"
#include "report_file.hpp"
#include "workload/cells_records.hpp"
#include "workload/cells_settings.hpp"
#include "workload/choose.hpp"

namespace kinjo::cli {

namespace {

struct Options {
  CellsApp app = CellsApp::gemm;
  std::string size, ahead, transport = "auto", memory_limit, timeline, report, bind = "cpu";
  std::vector<std::string> forms;
  std::size_t repeat = 5;
  bool verify = false, no_trace = false;
  PlacementOptions placement;
  OutputOption output;
  Format format = Format::text;
};

/// Threads unless somebody has started this process as one of several cells.
CellsTransport transport_of(const Options& options) {
  const auto asked =
      choose<std::optional<CellsTransport>>("transport", options.transport,
                                            {{"auto", std::nullopt},
                                             {"threads", CellsTransport::threads},
                                             {"processes", CellsTransport::processes}});
  if (asked) return *asked;
  return comm::launcher() == comm::Launcher::none ? CellsTransport::threads
                                                  : CellsTransport::joined;
}

std::vector<std::size_t> sizes_of(const Options& options) {
  if (options.size.empty()) return default_cells_sizes(options.app);
  auto sizes = parse_cells_sizes(options.size);
  if (options.app != CellsApp::pingpong && sizes.size() > 1) {
    throw Error(Errc::invalid_argument, fmt::format("'{}' as a size: expected one number",
                                                    detail::printable(options.size)));
  }
  return sizes;
}

CellsSettings settings_of(const Options& options) {
  CellsSettings settings{.app = options.app,
                         .sizes = sizes_of(options),
                         .transport = transport_of(options),
                         .rounds = options.repeat,
                         .verify = options.verify,
                         .bind = parse_bind_level(options.bind)};
  if (!options.forms.empty()) {
    settings.forms.clear();
    for (const std::string& form : parts_of(options.forms)) {
      settings.forms.push_back(parse_form(form));
    }
  }
  if (!options.ahead.empty()) settings.ahead = parse_ahead(options.ahead);
  if (options.no_trace) settings.tracing = comm::Tracing::off;
  return settings;
}

void check_files(const Options& options) {
  if (options.no_trace && !options.timeline.empty()) {
    throw Error(Errc::invalid_argument, "--timeline draws what --no-wait-trace does not note");
  }
  check_apart({{"--output", options.output.file},
               {"--timeline", options.timeline},
               {"--report", options.report}});
  for (const std::string& file : {options.timeline, options.report, options.output.file}) {
    if (!file.empty()) detail::check_writable(file);
  }
}

std::uint64_t limit_of(const Options& options) {
  return options.memory_limit.empty() ? 0 : parse_memory_limit(options.memory_limit);
}

/// Says what is taken.
void announce_memory(const CellsSettings& settings, std::size_t cells) {
  const auto bytes = static_cast<std::uint64_t>(cells_bytes(settings, cells));
  note(fmt::format("{} cell{} take{} {} of memory", cells, cells == 1 ? "" : "s",
                   cells == 1 ? "s" : "", detail::format_bytes(bytes)));
}

std::string rendered(const Options& options, const std::vector<Record>& records,
                     const CellsSettings& settings, const CellsOutcome& outcome,
                     const Mapping* mapping, const Topology& machine) {
  switch (options.format) {
    case Format::json:
      return json_text(records_json(records, machine));
    case Format::csv:
      return cells_csv(records).to_csv();
    default:
      return cells_text(records, settings, outcome, mapping);
  }
}

void draw(const Options& options, const std::vector<Record>& records, const CellsSettings& settings,
          const CellsOutcome& outcome, const Mapping* mapping, const Topology& machine) {
  const auto runs = cells_timelines(outcome);
  const std::string title = "Who waits when: " + cells_title(settings, outcome);
  if (!options.timeline.empty()) {
    detail::write_whole_file(options.timeline, timeline_svg(title, runs).file_text());
  }
  if (options.report.empty()) return;
  Report report{.title = cells_title(settings, outcome),
                .command = own_command_line(),
                .machine = machine,
                .sections = {{.workload = "cells", .records = records}}};
  if (mapping != nullptr && mapping->binds()) report.mappings.push_back(*mapping);
  if (!runs.empty() && !options.no_trace) {
    report.sections.front().waits = timeline_picture(title, runs);
  }
  write_report(std::move(report), options.report);
}

/// Prints and draws what cell 0 has; returns the exit status.
int tell(const Options& options, const CellsSettings& settings, const CellsOutcome& outcome,
         const Mapping* mapping, const Topology& machine) {
  const std::string policy = mapping != nullptr ? mapping->policy().name() : "launcher";
  const auto records = cells_records(settings, outcome, policy);
  options.output.write(rendered(options, records, settings, outcome, mapping, machine));
  draw(options, records, settings, outcome, mapping, machine);
  for (const Record& record : records) {
    if (const Value* fault = find_result(record, "fault")) {
      note("verification failed: " + std::get<std::string>(*fault));
    }
  }
  return status_of(records);
}

/// As one of several cells that a launcher has started: cell 0 alone speaks.
int run_joined(const Options& options, const CellsSettings& settings) {
  const std::size_t cells = launched_cells();
  const std::string& asked = options.placement.threads;
  const char* const variable = std::getenv("KINJO_THREADS");  // it is for whoever starts cells
  const bool is_asked = !asked.empty() && !(variable && asked == variable);
  if (is_asked && parse_threads(asked) != cells) {
    throw Error(Errc::invalid_argument,
                fmt::format("--cells {} in a process that was started as one of {}: the launcher "
                            "decides how many there are",
                            asked, cells));
  }
  check_cells_memory(settings, cells, launched_here(cells), limit_of(options));
  const CellsOutcome outcome = join_cells(settings, cells);
  if (outcome.cell != 0) return kDone;
  return tell(options, settings, outcome, nullptr, Topology::this_machine());
}

int run(const Options& options) {
  const CellsSettings settings = settings_of(options);
  check_files(options);
  if (settings.transport == CellsTransport::joined) return run_joined(options, settings);
  const Topology& machine = Topology::this_machine();
  const Mapping mapping = options.placement.mapping(machine);
  check_cells_memory(settings, mapping.size(), limit_of(options));
  announce_memory(settings, mapping.size());
  return tell(options, settings, run_cells(settings, mapping), &mapping, machine);
}

void add_forms(CLI::App& command, Options& options) {
  command
      .add_option("--form", options.forms,
                  "how data goes: put, get, send (two-sided), direct (loads); a list compares them")
      ->type_name("LIST")
      ->allow_extra_args(false);
  command.add_flag("--verify", options.verify, "compare the result with a serial one");
  command.add_option("--timeline", options.timeline, "draw who waits when")->type_name("FILE.svg");
  command.add_flag("--no-wait-trace", options.no_trace, "do not note who waits when");
}

void add_program(CLI::App& cells, int& status, CellsApp app, const char* help,
                 const char* size_help, const char* examples) {
  auto options = std::make_shared<Options>();
  options->app = app;
  if (app == CellsApp::pingpong) options->repeat = 20;
  CLI::App* command = cells.add_subcommand(to_string(app), help);
  command->add_option("--size", options->size, size_help)
      ->check(not_empty("a size"))
      ->type_name("SIZE");
  if (app != CellsApp::pingpong) add_forms(*command, *options);
  if (app == CellsApp::gemm) {
    command
        ->add_option("--ahead", options->ahead,
                     "to how many cells put puts a block at a time, reading it once; default: 1, "
                     "more where cells share CPUs")
        ->type_name("K");
  }
  options->placement.add_to(*command, "cells");
  command
      ->add_option("--transport", options->transport,
                   "what cells are: auto, threads or processes; auto takes those that mpirun, srun "
                   "or kinjo cells launch has started, else threads")
      ->capture_default_str();
  add_bind(*command, options->bind);
  add_repeat(*command, options->repeat, "rounds, of which the medians are shown");
  command
      ->add_option("--memory-limit", options->memory_limit, "bytes that may be taken, such as 2G")
      ->type_name("BYTES");
  add_report(*command, options->report);
  add_format(*command, options->format, {Format::text, Format::json, Format::csv});
  options->output.add_to(*command);
  command->footer(examples);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace

void add_cells(CLI::App& app, int& status) {
  CLI::App* cells =
      app.add_subcommand("cells", "Run programs of cells: PUT, GET and messages between them");
  cells->require_subcommand(1);
  add_program(*cells, status, CellsApp::pingpong, "Measure latency and bandwidth between two cells",
              "bytes, a list; default: 8,64,1K,16K,256K,1M",
              "Example: kinjo cells pingpong --transport processes --size 8,1M");
  add_program(*cells, status, CellsApp::gemm,
              "Multiply matrices by blocks that are shifted from cell to cell",
              "N, of N × N matrices; default: 2048",
              "Example: kinjo cells gemm --size 2048 --form put,send --verify\n"
              "Example: mpirun -n 4 kinjo cells gemm --timeline waits.svg");
  add_program(*cells, status, CellsApp::scg,
              "Solve Poisson's equation by scaled conjugate gradients",
              "n, of n × n unknowns; default: 512",
              "Example: kinjo cells scg --size 300 --cells 16 --oversubscribe --verify");
  add_cells_launch(*cells, status);
  add_cells_model(*cells, status);
  cells->footer("Example: kinjo cells gemm --form put,send     (options: kinjo cells gemm --help)");
}

}  // namespace kinjo::cli
