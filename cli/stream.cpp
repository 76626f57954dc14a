#include "workload/stream.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "command.hpp"
#include "configurations.hpp"
#include "measure/statistics.hpp"
#include "progress.hpp"
#include "report/json.hpp"
#include "report/table.hpp"
#include "report/verdict.hpp"

namespace kinjo::cli {

namespace {

struct Options {
  ConfigurationOptions configurations{.policies = {"scatter"}};
  std::string elements;
  std::string stores = "automatic";
  std::string pages = "transparent";
  std::size_t repeat = 7;
  bool verify = false;
  Format format = Format::text;
};

std::size_t elements_of(const Options& options) {
  if (options.elements.empty()) return 0;
  const auto number = detail::parse_number<std::size_t>(options.elements);
  if (number && *number > 0) return *number;
  throw Error(Errc::invalid_argument,
              fmt::format("'{}' elements: expected a positive number", options.elements));
}

StreamRequest request_of(const Options& options, const Topology& machine) {
  StreamRequest request{.configurations = options.configurations.mappings(machine),
                        .rounds = options.repeat};
  request.settings.elements = elements_of(options);
  request.settings.bind = parse_bind_level(options.configurations.bind);
  request.settings.pages = parse_pages(options.pages);
  if (options.stores == "cached") request.settings.stores = StreamStores::cached;
  if (options.stores == "streaming") request.settings.stores = StreamStores::streaming;
  return request;
}

/// Pages on the node that they were asked for, in per cent; `-` where nothing was asked.
std::string pages_cell(const Record& record) {
  const Value* right = find_result(record, "pages_as_asked");
  const Value* all = find_result(record, "pages");
  if (!right || !all) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(std::get<std::int64_t>(*right)) /
                                     static_cast<double>(std::get<std::int64_t>(*all)));
}

Table result_table(const std::vector<Record>& records) {
  Table table({"policy", "threads", "copy", "scale", "add", "triad", "triad spread", "best triad",
               "pages as asked", "verified"});
  for (const Record& record : records) {
    const auto summary = [&](const char* name) {
      return summarize(find_metric(record, name).samples);
    };
    const Summary triad = summary("triad");
    table.add({record.policy, std::to_string(record.threads),
               fmt::format("{:.2f}", summary("copy").median),
               fmt::format("{:.2f}", summary("scale").median),
               fmt::format("{:.2f}", summary("add").median), fmt::format("{:.2f}", triad.median),
               fmt::format("{:.2f} to {:.2f}", triad.low, triad.high),
               fmt::format("{:.2f}", triad.max), pages_cell(record),
               record.verified.value_or(false) ? "yes" : "NO"});
  }
  return table;
}

/// The same for programs: numbers alone, in GB/s and pages.
Table result_csv(const std::vector<Record>& records) {
  std::vector<std::string> header{"policy", "threads"};
  for (const Metric& metric : records.at(0).metrics) {
    for (const char* what : {"median", "low", "high", "best"}) {
      header.push_back(fmt::format("{}_{}", metric.name, what));
    }
  }
  header.insert(header.end(), {"pages", "pages_as_asked", "verified"});
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row{record.policy, std::to_string(record.threads)};
    for (const Metric& metric : record.metrics) {
      const Summary s = summarize(metric.samples);
      for (double value : {s.median, s.low, s.high, s.max}) row.push_back(fmt::format("{}", value));
    }
    for (const char* name : {"pages", "pages_as_asked"}) {
      const Value* pages = find_result(record, name);
      row.push_back(pages ? std::to_string(std::get<std::int64_t>(*pages)) : "");
    }
    row.push_back(record.verified.value_or(false) ? "true" : "false");
    table.add(row);
  }
  return table;
}

std::string header(const StreamRequest& request, const StreamSize& size) {
  return fmt::format(
      "STREAM in GB/s, medians of {} round{}, each the best of {} passes: 3 arrays of {} doubles, "
      "{} "
      "together{}\n",
      request.rounds, request.rounds == 1 ? "" : "s", kStreamPasses, size.elements,
      detail::format_bytes(size.bytes), size.remark.empty() ? "" : "; " + size.remark);
}

int run(const Options& options) {
  const Topology machine = Topology::discover();
  StreamRequest request = request_of(options, machine);
  const StreamSize size = settle_stream_size(machine, request.settings.elements);
  request.settings.elements = size.elements;
  std::vector<Record> records;
  {
    ProgressBar bar;
    records = run_stream(request, [&](const Progress& p) { bar.show(p); });
  }
  if (options.format == Format::json) {
    print(json_text(records_json(records, machine)));
  } else if (options.format == Format::csv) {
    print(result_csv(records).to_csv());
  } else {
    print(header(request, size) + result_table(records).to_text() +
          placement_verdict(records, "triad") + '\n');
  }
  note_refusals(records);
  for (const Record& record : records) {
    if (const Value* fault = find_result(record, "fault")) {
      note(fmt::format("{} with {} threads: {}", record.policy, record.threads,
                       std::get<std::string>(*fault)));
    }
  }
  return status_of(records);
}

}  // namespace

void add_stream(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("stream", "Measure memory bandwidth with STREAM");
  options->configurations.add_to(*command);
  command->add_option("--elements", options->elements,
                      "doubles in each array; default: four times the last-level caches");
  add_repeat(*command, options->repeat, "rounds, each a sample of every configuration");
  command->add_option("--stores", options->stores, "automatic, cached or streaming")
      ->check(CLI::IsMember({"automatic", "cached", "streaming"}))
      ->capture_default_str();
  add_pages(*command, options->pages);
  command->add_flag("--verify", options->verify, "check the results (always done)");
  add_format(*command, options->format, {Format::text, Format::json, Format::csv});
  command->footer("Example: kinjo stream --policy all --threads all");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
