#include "measure/load.hpp"

#include <array>
#include <ctime>

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.hpp"

namespace kinjo {

namespace {

using detail::read_small_file;
using detail::split;
using detail::trim;

constexpr double kShareLetPass = 0.05;

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

std::string load_warning(const LoadLook& from, const LoadLook& to, std::size_t cpus) {
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  if (judge_load(from, to, cpus, ticks, "").empty()) return "";
  return fmt::format("others used more than {:.0f} % of the allowed CPUs' time meanwhile",
                     100 * kShareLetPass);
}

}  // namespace kinjo
