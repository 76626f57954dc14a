#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/simd.hpp>

#include "base/text.hpp"
#include "base/whole_file.hpp"
#include "command.hpp"
#include "measure/cache_probe.hpp"
#include "measure/clock_probe.hpp"
#include "measure/firmware.hpp"
#include "measure/identity.hpp"
#include "measure/node_probe.hpp"
#include "measure/trust.hpp"
#include "progress.hpp"
#include "report/profile_file.hpp"
#include "report/profile_json.hpp"
#include "report/profile_text.hpp"

namespace kinjo::cli {

namespace {

const std::vector<std::string> kSections = {"clock", "caches", "nodes", "loaded", "scaling"};

struct Options {
  std::vector<std::string> sections;
  std::size_t repeat = 7;
  int budget_seconds = 60;
  std::string buffer;
  std::string pages = "transparent";
  std::string output;
  bool no_cache = false;
  Format format = Format::text;

  bool wants(const std::string& section) const {
    return sections.empty() || std::ranges::find(sections, section) != sections.end();
  }
  /// Everything, so that what is kept of the machine is whole.
  bool whole() const {
    return std::ranges::all_of(kSections, [&](const std::string& s) { return wants(s); });
  }
};

void check_sections(const Options& options) {
  for (const std::string& section : options.sections) {
    if (std::ranges::find(kSections, section) == kSections.end()) {
      throw Error(Errc::invalid_argument,
                  fmt::format("unknown section '{}': expected clock, caches, nodes, loaded or "
                              "scaling",
                              section));
    }
  }
}

std::uint64_t buffer_of(const Options& options) {
  constexpr std::uint64_t kLeast = 1 << 16;
  if (options.buffer.empty()) return 0;
  const auto bytes = detail::parse_bytes(options.buffer);
  if (bytes && *bytes >= kLeast) return *bytes;
  throw Error(Errc::invalid_argument,
              fmt::format("'{}' of buffer: expected a number of bytes such as 256M, at least 64K",
                          options.buffer));
}

ProbeOptions probe_options(const Options& options) {
  ProbeOptions probe{.samples = options.repeat};
  if (options.pages == "normal") probe.pages = Pages::normal;
  if (options.pages == "huge") probe.pages = Pages::huge;
  return probe;
}

/// What is to be measured, and what that will need; settled before anything is.
struct Plan {
  ProbeOptions options;
  bool clock = false;
  bool caches = false;
  std::optional<NodeProbePlan> nodes;
  double seconds = 0;

  std::uint64_t memory_bytes() const { return nodes ? nodes->buffers.total_bytes : 0; }
};

NodeProbeRequest node_request(const Options& options, double seconds) {
  return {.pairs = options.wants("nodes"),
          .loaded = options.wants("loaded"),
          .scaling = options.wants("scaling"),
          .buffer_bytes = buffer_of(options),
          .budget_seconds = seconds,
          .options = probe_options(options)};
}

Plan plan_of(const Options& options, const Topology& machine) {
  Plan plan{.options = probe_options(options),
            .clock = options.wants("clock"),
            .caches = options.wants("caches")};
  if (plan.clock) plan.seconds += clock_probe_seconds(machine, plan.options);
  if (plan.caches) plan.seconds += cache_probe_seconds(machine, plan.options);
  const NodeProbeRequest request =
      node_request(options, std::max(1.0, options.budget_seconds - plan.seconds));
  if (request.pairs || request.loaded || request.scaling) {
    plan.nodes = plan_node_probe(machine, request);
    plan.seconds += node_probe_seconds(*plan.nodes);
  }
  return plan;
}

void announce(const Plan& plan) {
  const std::string memory =
      plan.memory_bytes()
          ? fmt::format(" and {} of memory", detail::format_bytes(plan.memory_bytes()))
          : "";
  note(fmt::format("measuring takes about {:.0f} s{}", std::ceil(plan.seconds), memory));
}

/// While it lives, somebody's wish to stop ends the program as ever, after a line that says what
/// of.
class InterruptionNote {
 public:
  InterruptionNote() {
    struct sigaction said {};
    said.sa_handler = say;
    said.sa_flags = SA_RESETHAND;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &said, nullptr);
    }
  }
  ~InterruptionNote() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  InterruptionNote(const InterruptionNote&) = delete;
  InterruptionNote& operator=(const InterruptionNote&) = delete;

 private:
  /// Calls only what a signal handler may. The signal comes again when it returns, and ends all.
  static void say(int signal) {
    const int number = errno;  // of the call that the signal came into
    constexpr std::string_view kLine =
        "\r\033[Kkinjo: measuring was interrupted: none of its figures is kept\n";
    constexpr std::size_t kWipe = 4;  // characters that clear the progress bar on a terminal
    const std::string_view text = kLine.substr(isatty(STDERR_FILENO) ? 0 : kWipe);
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
    raise(signal);
    errno = number;
  }

  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_;
};

MachineProfile measure(const Plan& plan, const Topology& machine) {
  MachineProfile profile = blank_profile(machine);
  const InterruptionNote interruption;
  announce(plan);
  const TrustWatch watch(machine);
  ProgressBar bar;
  const auto show = [&](const Progress& progress) { bar.show(progress); };
  if (plan.clock) profile.clock = probe_clock(machine, plan.options, show);
  if (plan.caches) profile.caches = probe_caches(machine, plan.options, show);
  if (plan.nodes) {
    profile.nodes = probe_nodes(machine, *plan.nodes, show);
    add_firmware_view(*profile.nodes, machine, read_firmware_memory());
    profile.nodes->contradictions = find_contradictions(*profile.nodes);
  }
  profile.warnings = watch.warnings();
  return profile;
}

std::string render(const MachineProfile& profile, Format format) {
  switch (format) {
    case Format::text:
      return profile_text(profile);
    case Format::json:
      return json_text(profile_json(profile));
    case Format::csv:
      return profile_table(profile).to_csv();
    case Format::svg:
      break;  // not among this command's formats
  }
  return {};
}

/// For the commands that read it again. What cannot be kept was still printed.
void keep(const MachineProfile& profile, const Options& options) {
  if (options.no_cache || !options.output.empty()) return;
  if (!options.whole()) {
    return note(
        "only a profile with all sections is kept for other commands: --output FILE keeps "
        "this one");
  }
  if (simd_level() != simd_levels().back()) {
    return note(fmt::format(
        "only a profile of the highest vector level is kept for other commands, not one of {}: "
        "--output FILE keeps this one",
        to_string(simd_level())));
  }
  try {
    keep_profile(profile);
  } catch (const Error& error) {
    note(fmt::format("the profile is not kept: {}", error.what()));
  }
}

int run(const Options& options) {
  check_sections(options);
  if (!options.output.empty()) detail::check_writable(options.output);
  const Topology& machine = Topology::this_machine();
  const Plan plan = plan_of(options, machine);
  const MachineProfile profile = measure(plan, machine);
  if (!options.output.empty()) write_profile(profile, options.output);
  print(render(profile, options.format));
  keep(profile, options);
  return kDone;
}

void add_options(CLI::App& command, Options& options) {
  command.add_option("section", options.sections,
                     "clock, caches, nodes, loaded (latency under load), scaling (bandwidth by "
                     "number of threads); default: all");
  command.add_option("--repeat", options.repeat, "samples of each figure, at least")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command
      .add_option("--budget", options.budget_seconds,
                  "seconds to aim at: figures of nodes get fewer samples where it is short")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  command
      .add_option("--buffer", options.buffer,
                  "memory to measure with on each node, e.g. 1G; default: four times the caches")
      ->type_name("BYTES");
  command
      .add_option("--pages", options.pages,
                  "normal, transparent (huge pages), or huge (of the system's pool)")
      ->check(CLI::IsMember({"normal", "transparent", "huge"}))
      ->capture_default_str();
  command
      .add_option("--output", options.output,
                  "write the profile (JSON) there instead of keeping it")
      ->type_name("FILE");
  command.add_flag("--no-cache", options.no_cache, "do not keep the profile for other commands");
  add_format(command, options.format, {Format::text, Format::json, Format::csv});
}

}  // namespace

void add_measure(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("measure", "Measure the machine: clock, caches, and node by node");
  add_options(*command, *options);
  command->footer("Example: kinjo measure nodes --pages huge");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace kinjo::cli
