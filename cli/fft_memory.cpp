#include "fft_memory.hpp"

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/simd.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "fft_wisdom.hpp"
#include "progress.hpp"
#include "report/configuration.hpp"
#include "report/fft_text.hpp"
#include "report/json.hpp"
#include "workload/fft.hpp"
#include "workload/fft_settings.hpp"

namespace kinjo::cli {

namespace {

FftSettings settings_of(const FftMemoryOptions& options) {
  FftSettings settings{.real = options.real,
                       .in_place = options.in_place,
                       .pages = parse_pages(options.pages),
                       .bind = parse_bind_level(options.configurations.bind),
                       .verify = options.verify};
  set_fft(settings, "precision", options.precision);
  set_fft(settings, "deal", options.deal);
  set_fft(settings, "in_cache", options.in_cache);
  set_fft(settings, "overlap", options.overlap);
  return settings;
}

FftRequest request_of(const FftMemoryOptions& options, const Topology& machine) {
  FftRequest request;
  request.configurations = options.configurations.mappings_or_alone(machine);
  for (const std::string& size : parts_of(options.sizes)) {
    request.sizes.push_back(parse_fft_size(size));
  }
  request.settings = settings_of(options);
  for (const std::string& data : parts_of(options.data)) {
    set_fft(request.settings, "data", data);
    request.placements.push_back(request.settings.placement);
  }
  check_fft_settings(request.settings);
  request.rounds = options.repeat;
  request.measure = options.measure;
  if (!options.wisdom.empty()) {
    request.wisdom = read_wisdom(options.wisdom, options.measure ? Absent::empty : Absent::refused);
  }
  return request;
}

std::string header(const FftMemoryOptions& options) {
  return fmt::format("Fourier transforms of {}s, {}; medians{}\n", options.precision,
                     to_string(simd_level()), rounds_text(options.repeat));
}

/// Each plan once, under the sizes that have it.
std::string plans_text(const std::vector<Record>& records) {
  std::string text, last;
  for (const Record& record : records) {
    const std::string plan = value_text_of(record.result, "plan").value_or("");
    const std::string size = value_text_of(record.parameters, "size").value_or("");
    if (size + plan == last) continue;
    last = size + plan;
    text += fmt::format("\n{}:\n{}", size, plan);
  }
  return text;
}

std::string render(const std::vector<Record>& records, const FftMemoryOptions& options,
                   const Topology& machine) {
  if (options.format == Format::json) return json_text(records_json(records, machine));
  if (options.format == Format::csv) return fft_csv(records).to_csv();
  std::string text = header(options) + fft_table(records).to_text();
  if (!options.real) {
    text +=
        "\nSteps of a transform, the threads' mean in ms:\n" + fft_steps_table(records).to_text();
  }
  return text + plans_text(records);
}

std::vector<Record> measure(FftRequest& request, const Topology& machine) {
  ProgressBar bar;
  return run_fft(machine, request, [&](const Progress& p) { bar.show(p); });
}

std::string name_of(const Record& record) {
  return fmt::format("{}", *value_text_of(record.parameters, "size"));
}

}  // namespace

void FftMemoryOptions::add_to(CLI::App& command) {
  add_measured(command,
               "measure transforms of N numbers in memory, or of arrays, e.g. 2^24,1000003 or "
               "4096x4096 (K, M and G are powers of 1024)",
               "--type");
  command.add_flag("--in-place", in_place, "transform in one array");
  command
      .add_option("--data", data,
                  "where pages lie: block, cyclic (by threads), none, or a list of them")
      ->type_name("LIST")
      ->allow_extra_args(false)
      ->default_str("block");
  command.add_option("--deal", deal, "how lines are dealt to threads: block or cyclic")
      ->check(CLI::IsMember({"block", "cyclic"}))
      ->capture_default_str();
  command.add_option("--in-cache", in_cache, "in-place, stockham, direct or automatic")
      ->check(CLI::IsMember({"in-place", "stockham", "direct", "automatic"}))
      ->capture_default_str();
  command.add_option("--overlap", overlap, "load while computing: on, off or automatic")
      ->check(CLI::IsMember({"on", "off", "automatic"}))
      ->capture_default_str();
  command.add_flag("--measure", measure, "choose plans by trying");
}

int run_fft_memory(const FftMemoryOptions& options) {
  options.check_files();
  check_apart({{"--output", options.output.file}, {"--wisdom", options.wisdom}});
  check_apart({{"--report", options.report}, {"--wisdom", options.wisdom}});
  if (options.measure && !options.wisdom.empty()) detail::check_writable(options.wisdom);
  const Topology& machine = Topology::this_machine();
  FftRequest request = request_of(options, machine);
  note(fmt::format("the transforms take up to {} of memory",
                   detail::format_bytes(fft_memory(request))));
  const std::vector<Record> records = measure(request, machine);
  const int status =
      finish(options, records, request.configurations, machine,
             {render(records, options, machine), name_of, "Fourier transforms, step by step"});
  // What was measured is out, whatever becomes of the plans.
  if (options.measure && !options.wisdom.empty()) add_wisdom(options.wisdom, request.found);
  return status;
}

}  // namespace kinjo::cli
