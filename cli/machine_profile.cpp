#include "machine_profile.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/simd.hpp>

#include "base/text.hpp"
#include "command.hpp"
#include "measure/cache_probe.hpp"
#include "measure/clock_probe.hpp"
#include "measure/firmware.hpp"
#include "measure/identity.hpp"
#include "measure/trust.hpp"
#include "progress.hpp"
#include "report/profile_file.hpp"

namespace kinjo::cli {

namespace {

const std::vector<std::string> kSections = {"clock", "caches", "nodes", "loaded", "scaling"};

void check_sections(const ProfileRequest& request) {
  for (const std::string& section : request.sections) {
    if (std::ranges::find(kSections, section) == kSections.end()) {
      throw Error(Errc::invalid_argument,
                  fmt::format("unknown section '{}': expected clock, caches, nodes, loaded or "
                              "scaling",
                              section));
    }
  }
}

std::uint64_t buffer_of(const ProfileRequest& request) {
  constexpr std::uint64_t kLeast = 1 << 16;
  if (request.buffer.empty()) return 0;
  const auto bytes = detail::parse_bytes(request.buffer);
  if (bytes && *bytes >= kLeast) return *bytes;
  throw Error(Errc::invalid_argument,
              fmt::format("'{}' of buffer: expected a number of bytes such as 256M, at least 64K",
                          request.buffer));
}

ProbeOptions probe_options(const ProfileRequest& request) {
  ProbeOptions probe{.samples = request.repeat};
  if (request.pages == "normal") probe.pages = Pages::normal;
  if (request.pages == "huge") probe.pages = Pages::huge;
  return probe;
}

NodeProbeRequest node_request(const ProfileRequest& request, double seconds) {
  return {.pairs = request.wants("nodes"),
          .loaded = request.wants("loaded"),
          .scaling = request.wants("scaling"),
          .buffer_bytes = buffer_of(request),
          .budget_seconds = seconds,
          .options = probe_options(request)};
}

void announce(const ProfilePlan& plan) {
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

}  // namespace

bool ProfileRequest::wants(const std::string& section) const {
  return sections.empty() || std::ranges::find(sections, section) != sections.end();
}

bool ProfileRequest::whole() const {
  return std::ranges::all_of(kSections, [&](const std::string& s) { return wants(s); });
}

ProfilePlan plan_profile(const ProfileRequest& request, const Topology& machine) {
  check_sections(request);
  ProfilePlan plan{.options = probe_options(request),
                   .clock = request.wants("clock"),
                   .caches = request.wants("caches")};
  if (plan.clock) plan.seconds += clock_probe_seconds(machine, plan.options);
  if (plan.caches) plan.seconds += cache_probe_seconds(machine, plan.options);
  const NodeProbeRequest nodes =
      node_request(request, std::max(1.0, request.budget_seconds - plan.seconds));
  if (nodes.pairs || nodes.loaded || nodes.scaling) {
    plan.nodes = plan_node_probe(machine, nodes);
    plan.seconds += node_probe_seconds(*plan.nodes);
  }
  return plan;
}

MachineProfile measure_machine(const ProfilePlan& plan, const Topology& machine) {
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

namespace {

/// Whether one of this machine is kept that was measured on more CPUs than this process may use.
bool keeps_a_wider_one(const MachineProfile& profile) {
  try {
    const auto kept = cached_profile(Topology::this_machine());
    return kept && kept->allowed_cpus && kept->allowed_cpus != profile.allowed_cpus;
  } catch (const Error&) {  // damaged, of another machine or of fewer CPUs: nothing is lost with it
    return false;
  }
}

}  // namespace

void keep_for_others(const MachineProfile& profile) {
  if (simd_level() != simd_levels().back()) {
    return note(fmt::format(
        "only a profile of the highest vector level is kept for other commands, not one of {}: "
        "--output FILE keeps this one",
        to_string(simd_level())));
  }
  if (keeps_a_wider_one(profile)) {
    return note(
        "the profile is not kept: the one that is kept was measured on more CPUs than this process "
        "may use; --output FILE keeps this one");
  }
  try {
    keep_profile(profile);
  } catch (const Error& error) {
    note(fmt::format("the profile is not kept: {}", error.what()));
  }
}

}  // namespace kinjo::cli
