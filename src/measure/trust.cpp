#include "measure/trust.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/cycle_clock.hpp"
#include "base/text.hpp"
#include "measure/clock_probe.hpp"
#include "measure/together.hpp"

namespace kinjo {

namespace {

using detail::printable;
using detail::read_small_file;
using detail::split;
using detail::trim;

constexpr double kFrequencyLetPass = 0.02;

/// A file of one line, or nothing.
std::string read_line(const std::string& path) {
  const auto text = read_small_file(path);
  return text ? printable(trim(*text)) : "";
}

bool has_hypervisor_flag(std::string_view cpuinfo) {
  for (std::string_view line : split(cpuinfo, '\n')) {
    if (!line.starts_with("flags")) continue;
    const auto words = split(line, ' ');
    return std::ranges::find(words, "hypervisor") != words.end();
  }
  return false;
}

/// Products that are virtual machines by their name.
bool names_virtual_machine(std::string_view product) {
  constexpr std::string_view kNames[] = {"QEMU",       "KVM",   "VMware", "Virtual Machine",
                                         "VirtualBox", "Bochs", "BHYVE",  "OpenStack"};
  return std::ranges::any_of(
      kNames, [&](std::string_view name) { return product.find(name) != product.npos; });
}

}  // namespace

std::vector<std::string> judge_quota(std::optional<double> quota, std::size_t cpus) {
  if (!quota || *quota >= static_cast<double>(cpus)) return {};
  return {fmt::format(
      "the control group allows {:.3g} CPUs' worth of time for {} CPUs: threads on all of them are "
      "stopped again and again",
      *quota, cpus)};
}

SystemFacts read_system_facts(const std::string& root, const CpuSet& cpus) {
  SystemFacts facts;
  constexpr std::size_t kMostBytes = 64 << 20;  // a page of flags for each of thousands of CPUs
  if (const auto cpuinfo = read_small_file(root + "/proc/cpuinfo", kMostBytes)) {
    facts.hypervisor_flag = has_hypervisor_flag(*cpuinfo);
  }
  facts.hypervisor = read_line(root + "/sys/hypervisor/type");
  if (facts.hypervisor.empty()) {
    facts.hypervisor = read_line(root + "/proc/device-tree/hypervisor/compatible");
  }
  const std::string dmi = root + "/sys/class/dmi/id/";
  facts.product = std::string(
      trim(fmt::format("{} {}", read_line(dmi + "sys_vendor"), read_line(dmi + "product_name"))));
  for (int cpu : cpus) {
    const std::string governor = read_line(
        fmt::format("{}/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", root, cpu));
    if (!governor.empty()) facts.governors[governor].insert(cpu);
  }
  const std::string sources =
      read_line(root + "/sys/devices/system/clocksource/clocksource0/available_clocksource");
  for (std::string_view source : split(sources, ' ')) {
    if (!source.empty()) facts.clock_sources.emplace_back(source);
  }
  return facts;
}

std::vector<std::string> judge_virtual(const SystemFacts& facts) {
  std::vector<std::string> signs;
  if (facts.hypervisor_flag) signs.push_back("the CPUs have the flag hypervisor");
  if (!facts.hypervisor.empty()) signs.push_back("the hypervisor is " + facts.hypervisor);
  if (names_virtual_machine(facts.product)) signs.push_back("the product is " + facts.product);
  if (signs.empty()) return {};
  return {
      fmt::format("this is a virtual machine ({}): its caches, nodes and CPUs may not be what "
                  "they seem, and its host may serve others meanwhile",
                  fmt::join(signs, ", "))};
}

std::vector<std::string> judge_governors(const SystemFacts& facts) {
  std::vector<std::string> warnings;
  for (const auto& [governor, cpus] : facts.governors) {
    if (governor == "performance") continue;
    warnings.push_back(fmt::format(
        "the frequency governor of CPU {} is {}, not performance: short loads may run slower",
        cpus.to_string(), governor));
  }
  return warnings;
}

std::vector<std::string> judge_frequency(double start_hz, double end_hz) {
  if (std::abs(end_hz / start_hz - 1) <= kFrequencyLetPass) return {};
  return {fmt::format(
      "the core's frequency was {:.2f} GHz at the start and {:.2f} GHz at the end of the "
      "measurement",
      start_hz / 1e9, end_hz / 1e9)};
}

std::vector<std::string> judge_counter(std::string_view counter, bool invariant,
                                       const SystemFacts& facts) {
  std::vector<std::string> warnings;
  if (!invariant) {
    warnings.push_back(fmt::format(
        "the counter {} is not invariant: it follows the core's frequency or stops with the core",
        counter));
  }
  const auto& sources = facts.clock_sources;
  if (counter == "tsc" && !sources.empty() && std::ranges::find(sources, "tsc") == sources.end()) {
    warnings.push_back(
        fmt::format("the kernel does not offer tsc as a clock, only {}: it found it unreliable",
                    fmt::join(sources, ", ")));
  }
  return warnings;
}

TrustWatch::TrustWatch(const Topology& machine) : machine_(machine) {
  constexpr auto kLook = std::chrono::milliseconds(250);
  before_ = read_load("", machine.allowed_cpus());
  std::this_thread::sleep_for(kLook);
  start_ = read_load("", machine.allowed_cpus());
  start_hz_ = core_hz();
}

/// The highest of some samples: what disturbs them can only lower them.
double TrustWatch::core_hz() const {
  // Long enough for a core to come up from its rest.
  constexpr ProbeOptions kShort{.samples = 11, .budget_seconds = 0.08, .sample_seconds = 2e-3};
  Team one(threads_on(machine_, {machine_.allowed_cpus().first()}));
  return measure_core_frequency(one, kShort).summary.max;
}

std::vector<std::string> TrustWatch::warnings() const {
  const CpuSet& cpus = machine_.allowed_cpus();
  const std::size_t count = cpus.count();
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  const LoadLook end = read_load("", cpus);
  const SystemFacts facts = read_system_facts("", cpus);
  std::vector<std::string> all;
  const auto add = [&](std::vector<std::string> some) {
    std::ranges::move(some, std::back_inserter(all));
  };
  add(judge_load(before_, start_, count, ticks, "before the measurement"));
  add(judge_load(start_, end, count, ticks, "during the measurement"));
  add(judge_quota(machine_.cpu_quota(), count));
  add(judge_virtual(facts));
  add(judge_governors(facts));
  add(judge_frequency(start_hz_, core_hz()));
  add(judge_counter(detail::counter_name(), detail::counter_is_invariant(), facts));
  return all;
}

}  // namespace kinjo
