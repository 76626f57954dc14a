/// kinjo blas1: BLAS-1 beside the limit of the machine, at every size.
#include "workload/blas1.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/simd.hpp>

#include "base/text.hpp"
#include "measuring.hpp"
#include "progress.hpp"
#include "report/blas1_text.hpp"
#include "report/configuration.hpp"
#include "report/json.hpp"
#include "workload/blas1_ladder.hpp"
#include "workload/blas1_size.hpp"

namespace kinjo::cli {

namespace {

struct Options : MeasureOptions {
  std::vector<std::string> kernels;
  std::string mode = "fast";
  bool ladder = false;
};

std::vector<Blas1Kernel> kernels_of(const Options& options) {
  const auto parts = parts_of(options.kernels);
  const auto defaults = default_blas1_kernels();
  std::vector<Blas1Kernel> kernels;
  if (parts.empty()) kernels.assign(defaults.begin(), defaults.end());
  for (const std::string& part : parts) {
    if (part == "all") {
      kernels.assign(all_blas1_kernels().begin(), all_blas1_kernels().end());
    } else {
      kernels.push_back(find_blas1_kernel(part));
    }
  }
  return kernels;
}

std::vector<std::size_t> sizes_of(const Options& options) {
  std::vector<std::size_t> sizes;
  for (const std::string& part : parts_of(options.sizes)) sizes.push_back(parse_blas1_size(part));
  std::ranges::sort(sizes);
  return sizes;
}

Blas1Request request_of(const Options& options, const Topology& machine) {
  Blas1Request request{.configurations = options.configurations.mappings_or_alone(machine),
                       .kernels = kernels_of(options),
                       .sizes = sizes_of(options),
                       .rounds = options.repeat};
  Blas1Settings& settings = request.settings;
  if (options.precision == "float") settings.precision = Precision::single_;
  if (options.mode == "reproducible") settings.mode = blas1::Mode::reproducible;
  settings.pages = parse_pages(options.pages);
  settings.bind = parse_bind_level(options.configurations.bind);
  settings.verify = options.verify;
  return request;
}

// ---- Results ------------------------------------------------------------------------------------

std::string header(const Options& options) {
  return fmt::format("BLAS-1 on {}s, mode {}, {}; medians{}, each the best of {} bursts\n",
                     options.precision, options.mode, to_string(simd_level()),
                     rounds_text(options.repeat), kBlas1Bursts);
}

std::string render(const std::vector<Record>& records, const Options& options,
                   const Topology& machine) {
  if (options.format == Format::json) return json_text(records_json(records, machine));
  const bool csv = options.format == Format::csv;
  if (options.ladder) return csv ? ladder_csv(records).to_csv() : ladder_text(records);
  return csv ? blas1_csv(records).to_csv() : header(options) + blas1_table(records).to_text();
}

std::string name_of(const Record& record) {
  return fmt::format("{} of {}", *value_text_of(record.parameters, "kernel"),
                     *value_text_of(record.parameters, "size"));
}

void announce(std::size_t bytes) {
  note(fmt::format("the vectors take {} of memory", detail::format_bytes(bytes)));
}

std::vector<Record> measure(const Options& options, const Blas1Request& request,
                            const Topology& machine) {
  ProgressBar bar;
  const auto show = [&](const Progress& p) { bar.show(p); };
  if (!options.ladder) {
    announce(blas1_memory(machine, request));
    return run_blas1(machine, request, show);
  }
  const LadderRequest ladder{.sizes = request.sizes, .rounds = request.rounds};
  announce(ladder_memory(machine, ladder));
  return run_blas1_ladder(machine, ladder, show);
}

/// The ladder is S0's: doubles, one thread, its four kernels.
void check_ladder(const Options& options) {
  const ConfigurationOptions& asked = options.configurations;
  const auto needs = [&](bool wrong, const char* option, const char* what) {
    if (options.ladder && wrong) {
      throw Error(Errc::invalid_argument,
                  fmt::format("--ladder has {}: {} is not for it", what, option));
    }
  };
  needs(!options.kernels.empty(), "--kernel", "its own kernels");
  needs(options.precision != "double", "--precision", "doubles only");
  needs(options.mode != "fast", "--mode", "its own ways of adding up");
  needs(options.verify, "--verify", "rungs that only tests verify");
  const bool alone = asked.policies.empty() && (asked.threads.empty() || asked.threads == "1");
  needs(!alone, asked.policies.empty() ? "--threads" : "--policy (or KINJO_POLICY)",
        "one thread that nobody places");
}

int run(const Options& options) {
  check_ladder(options);
  options.check_files();
  const Topology& machine = Topology::this_machine();
  const Blas1Request request = request_of(options, machine);
  const std::vector<Record> records = measure(options, request, machine);
  return finish(options, records, request.configurations, machine,
                {render(records, options, machine), name_of,
                 options.ladder ? "The ladder of BLAS-1" : "BLAS-1 beside its limit"});
}

void add_options(CLI::App& command, Options& options) {
  command
      .add_option("--kernel", options.kernels,
                  "sum, sum_of_squares, norm2, dot, axpy (these by default), asum, scale, copy, "
                  "max_abs_index, a list of them, or all")
      ->type_name("LIST");
  options.add_measured(command,
                       "elements of a vector, e.g. 1K,48K,2^20 (K, M and G are powers of 1024); "
                       "default: one for each cache, and one for memory",
                       "--precision");
  command
      .add_option("--mode", options.mode,
                  "how sums and axpy round: fast, or reproducible (the same bits everywhere)")
      ->check(CLI::IsMember({"fast", "reproducible"}))
      ->capture_default_str();
  options.configurations.add_to(command);
  command.add_flag("--verify", options.verify,
                   "check the results with a serial sum in twice the precision");
  command.add_flag("--ladder", options.ladder,
                   "instead show the ladder: what more and more running sums gain, and why");
  add_format(command, options.format, {Format::text, Format::json, Format::csv});
  options.output.add_to(command);
}

}  // namespace

void add_blas1(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "blas1", "Measure sums, products and updates of vectors beside the machine's limit");
  add_options(*command, *options);
  command->footer(
      "Example: kinjo blas1 --size 1K,48K,1M\n"
      "Example: kinjo blas1 --ladder\n"
      "Example: kinjo blas1 --threads all --verify --report blas1.html");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
