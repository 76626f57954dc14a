/// kinjo stream: McCalpin's STREAM under placement policies.
#include "workload/stream.hpp"

#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "configurations.hpp"
#include "measuring.hpp"
#include "progress.hpp"
#include "report/json.hpp"
#include "report/stream_text.hpp"
#include "report/verdict.hpp"
#include "report_file.hpp"

namespace kinjo::cli {

namespace {

struct Options {
  ConfigurationOptions configurations{.policies = {"scatter"}};
  std::string elements;
  std::string stores = "automatic";
  std::string pages = "transparent";
  std::size_t repeat = 7;
  bool verify = false;
  std::string report;
  OutputOption output;
  Format format = Format::text;
};

StreamRequest request_of(const Options& options, const Topology& machine) {
  StreamRequest request{.configurations = options.configurations.mappings(machine),
                        .rounds = options.repeat};
  if (!options.elements.empty()) {
    request.settings.elements = parse_stream_elements(options.elements);
  }
  request.settings.bind = parse_bind_level(options.configurations.bind);
  request.settings.pages = parse_pages(options.pages);
  if (options.stores == "cached") request.settings.stores = StreamStores::cached;
  if (options.stores == "streaming") request.settings.stores = StreamStores::streaming;
  return request;
}

std::string header(const StreamRequest& request, const StreamSize& size) {
  return fmt::format(
      "STREAM in GB/s, medians{}, each the best of {} passes: 3 arrays of {} doubles, {} "
      "together{}\n",
      rounds_text(request.rounds), kStreamPasses, size.elements, detail::format_bytes(size.bytes),
      size.remark.empty() ? "" : "; " + size.remark);
}

int run(const Options& options) {
  check_apart({{"--output", options.output.file}, {"--report", options.report}});
  for (const std::string& file : {options.report, options.output.file}) {
    if (!file.empty()) detail::check_writable(file);
  }
  const Topology& machine = Topology::this_machine();
  StreamRequest request = request_of(options, machine);
  const StreamSize size = settle_stream_size(machine, request.settings.elements);
  request.settings.elements = size.elements;
  std::vector<Record> records;
  {
    ProgressBar bar;
    records = run_stream(request, [&](const Progress& p) { bar.show(p); });
  }
  if (options.format == Format::json) {
    options.output.write(json_text(records_json(records, machine)));
  } else if (options.format == Format::csv) {
    options.output.write(stream_csv(records).to_csv());
  } else {
    options.output.write(header(request, size) + stream_table(records).to_text() +
                         placement_verdict(records, "triad") + '\n');
  }
  note_faults(records, [](const Record&) { return "STREAM"; });
  if (!options.report.empty()) {
    write_report("STREAM", records, request.configurations, machine, options.report);
  }
  return status_of(records);
}

}  // namespace

void add_stream(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("stream", "Measure memory bandwidth with STREAM");
  options->configurations.add_to(*command);
  command
      ->add_option("--elements", options->elements,
                   "doubles in each array, e.g. 16M or 2^24 (K, M and G are powers of 1024); "
                   "default: four times the last-level caches")
      ->check(not_empty("a number of elements"))
      ->type_name("N");
  add_repeat(*command, options->repeat, "rounds, each a sample of every configuration");
  command->add_option("--stores", options->stores, "automatic, cached or streaming")
      ->check(CLI::IsMember({"automatic", "cached", "streaming"}))
      ->capture_default_str();
  add_pages(*command, options->pages);
  command->add_flag("--verify", options->verify, "check the results (always done)");
  add_format(*command, options->format, {Format::text, Format::json, Format::csv});
  options->output.add_to(*command);
  add_report(*command, options->report);
  command->footer(
      "Example: kinjo stream --policy all --threads all\n"
      "Example: kinjo stream --threads all --report stream.html");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
