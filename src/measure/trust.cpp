#include "measure/trust.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
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

constexpr double kShareLetPass = 0.05;
constexpr double kFrequencyLetPass = 0.02;

/// The columns of a CPU's line in /proc/stat, in their order. What guests used is in `user` too.
enum Column : std::size_t { user, nice, system, idle, iowait, irq, softirq, steal, kColumns };

/// The CPU of a line such as `cpu3 …`; none for the line of all CPUs and other lines.
std::optional<int> cpu_of(std::string_view word) {
  if (!word.starts_with("cpu")) return std::nullopt;
  if (word.substr(3).starts_with('-')) return std::nullopt;  // "-0" is a number, and no CPU's
  return detail::parse_number<int>(word.substr(3));
}

std::optional<CpuTime> parse_columns(const std::vector<std::string_view>& words) {
  std::array<std::uint64_t, kColumns> ticks{};
  if (words.size() < 1 + kColumns) return std::nullopt;
  for (std::size_t c = 0; c < kColumns; ++c) {
    const auto value = detail::parse_number<std::uint64_t>(words[1 + c]);
    if (!value) return std::nullopt;
    ticks[c] = *value;
  }
  CpuTime time{.busy = ticks[user] + ticks[nice] + ticks[system] + ticks[irq] + ticks[softirq],
               .steal = ticks[steal]};
  time.total = time.busy + time.steal + ticks[idle] + ticks[iowait];
  return time;
}

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

double ticks_between(std::uint64_t from, std::uint64_t to) {
  // Some kernels let a column step back a little.
  return to > from ? static_cast<double>(to - from) : 0;
}

double process_seconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

}  // namespace

std::optional<CpuTime> parse_cpu_time(std::string_view stat, const CpuSet& cpus) {
  CpuTime sum;
  CpuSet found;
  for (std::string_view line : split(stat, '\n')) {
    const auto words = split(trim(line), ' ');
    const auto cpu = cpu_of(words.front());
    if (!cpu || !cpus.contains(*cpu)) continue;
    const auto time = parse_columns(words);
    if (!time || found.contains(*cpu)) return std::nullopt;
    sum.busy += time->busy;
    sum.steal += time->steal;
    sum.total += time->total;
    found.insert(*cpu);
  }
  if (found != cpus) return std::nullopt;
  return sum;
}

LoadLook read_load(const std::string& root, const CpuSet& cpus) {
  LoadLook look{.own_seconds = process_seconds()};
  constexpr std::size_t kMostBytes = 16 << 20;  // thousands of CPUs and interrupts
  if (const auto stat = read_small_file(root + "/proc/stat", kMostBytes)) {
    look.time = parse_cpu_time(*stat, cpus);
  }
  return look;
}

std::vector<std::string> judge_load(const LoadLook& from, const LoadLook& to, std::size_t cpus,
                                    double ticks_per_second, std::string_view when) {
  if (!from.time || !to.time) return {};
  const double total = ticks_between(from.time->total, to.time->total);
  const double own = (to.own_seconds - from.own_seconds) * ticks_per_second;
  const double others = ticks_between(from.time->busy, to.time->busy) - own;
  const double stolen = ticks_between(from.time->steal, to.time->steal);
  const auto counts = [&](double ticks) {
    return ticks > kShareLetPass * total && ticks > static_cast<double>(cpus);
  };
  std::vector<std::string> warnings;
  if (counts(others)) {
    warnings.push_back(fmt::format("other programs used {:.0f} % of the allowed CPUs' time {}",
                                   100 * others / total, when));
  }
  if (counts(stolen)) {
    warnings.push_back(
        fmt::format("the hypervisor took {:.0f} % of the allowed CPUs' time for others {}",
                    100 * stolen / total, when));
  }
  return warnings;
}

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
