#include "report/placement_lines.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/binding.hpp>

#include "base/text.hpp"

namespace kinjo {

namespace {

/// Each thread's CPUs in OpenMP's syntax.
std::string openmp_places(const PlacementOfCommand& placement) {
  std::vector<std::string> places;
  for (std::size_t t = 0; t < placement.mapping.size(); ++t) {
    std::vector<int> cpus;
    for (const int cpu : bound_cpus(placement.mapping, t, placement.bind)) cpus.push_back(cpu);
    places.push_back(fmt::format("{{{}}}", fmt::join(cpus, ",")));
  }
  return fmt::format("{}", fmt::join(places, ","));
}

/// The set as Slurm takes it, `0x…` with bit n for CPU n.
std::string hex_mask(const CpuSet& cpus) {
  std::string mask = "0x";
  for (int low = cpus.last() / 4 * 4; low >= 0; low -= 4) {
    unsigned digit = 0;
    for (int bit = 0; bit < 4; ++bit) digit |= (cpus.contains(low + bit) ? 1u : 0u) << bit;
    mask += "0123456789abcdef"[digit];
  }
  return mask;
}

std::string numactl_memory(const detail::MemoryChoice& memory) {
  const std::string nodes = memory.nodes.to_string();
  switch (memory.policy) {
    case detail::MemoryPolicy::interleave:
      return " --interleave=" + nodes;
    case detail::MemoryPolicy::bind:
      return " --membind=" + nodes;
    case detail::MemoryPolicy::preferred:
      return " --preferred=" + nodes;
    case detail::MemoryPolicy::preferred_many:
      return " --preferred-many=" + nodes;
    case detail::MemoryPolicy::local:
      return " --localalloc";
    case detail::MemoryPolicy::standard:
      break;
  }
  return "";
}

/// `NAME=N ` for each variable that tells the number of threads.
std::string thread_assignments(const PlacementOfCommand& placement) {
  std::string text;
  for (const std::string& name : placement.thread_variables) {
    text += fmt::format("{}={} ", name, placement.mapping.size());
  }
  return text;
}

/// The options by which a command of kinjo's own is given the placement.
/// `counted` is what the command calls its threads.
std::string kinjo_options(const Mapping& mapping, BindLevel bind, const char* counted = "threads") {
  return fmt::format("--policy {} --{} {}{}{}", mapping.policy().name(), counted, mapping.size(),
                     mapping.rounds() > 1 ? " --oversubscribe" : "",
                     bind == BindLevel::cpu ? "" : fmt::format(" --bind {}", to_string(bind)));
}

/// How a workload's command is told what a sweep calls a parameter: by the option of that name
/// (`in_cache` as `--in-cache`) but for these.
struct ParameterOption {
  std::string_view workload, parameter;
  std::string_view value;   ///< empty: any, which follows the option
  std::string_view option;  ///< empty: nothing needs to be said
};
constexpr ParameterOption kParameterOptions[] = {
    {"cells", "app", "", ""},  // stands before all options
    {"cells", "rounds", "", "--repeat"},
    {"fft", "precision", "", "--type"},
    {"fft", "numbers", "real", "--real"},
    {"fft", "numbers", "complex", ""},
    {"fft", "place", "in", "--in-place"},
    {"fft", "place", "out", ""},
    {"graph500", "listed", "yes", "--listed"},
    {"graph500", "listed", "no", ""},
    {"graph500", "validate", "yes", ""},
    {"graph500", "validate", "no", "--skip-validation"},
};

/// What a sweep takes unless it is set, where the command takes something else or nothing.
struct SweepDefault {
  std::string_view workload, parameter, value;
};
constexpr SweepDefault kSweepDefaults[] = {{"blas1", "kernel", "dot"},
                                           {"fft", "size", "2^22"},
                                           {"gemm", "size", "2048"},
                                           {"graph500", "roots", "16"},
                                           {"sdp", "problem", "maxcut:20"}};

using Parameters = std::vector<std::pair<std::string, std::string>>;

/// The parameters with the sweep's own defaults behind them.
Parameters with_defaults(std::string_view workload, Parameters parameters) {
  for (const SweepDefault& d : kSweepDefaults) {
    if (d.workload != workload) continue;
    const auto set = std::ranges::find(parameters, d.parameter, &Parameters::value_type::first);
    if (set == parameters.end()) parameters.emplace_back(d.parameter, d.value);
  }
  return parameters;
}

/// One parameter as an option, with a blank before it.
std::string option_text(std::string_view workload, const std::string& parameter,
                        const std::string& value) {
  for (const ParameterOption& o : kParameterOptions) {
    if (o.workload != workload || o.parameter != parameter) continue;
    if (o.value.empty() && !o.option.empty()) {
      return fmt::format(" {} {}", o.option, detail::shell_text({value}));
    }
    if (o.value.empty() || o.value == value) {
      return o.option.empty() ? "" : fmt::format(" {}", o.option);
    }
  }
  std::string name = parameter;
  std::ranges::replace(name, '_', '-');
  return fmt::format(" --{} {}", name, detail::shell_text({value}));
}

/// Whether a program of cells has the parameter: others take no notice of it, and have no option.
bool cells_have(std::string_view app, std::string_view parameter) {
  if (parameter == "form") return app != "pingpong";
  return parameter != "ahead" || app == "gemm";
}

std::string kinjo_run(const PlacementOfCommand& placement) {
  return fmt::format("kinjo run {}{} -- {}", kinjo_options(placement.mapping, placement.bind),
                     placement.memory ? " --memory " + placement.memory->text : "",
                     detail::shell_text(placement.command));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> placement_lines(
    const PlacementOfCommand& placement) {
  const Mapping& mapping = placement.mapping;
  const std::string threads = thread_assignments(placement);
  const std::string memory = placement.memory ? numactl_memory(*placement.memory) : "";
  const std::string command = detail::shell_text(placement.command);
  // What cannot ask for memory itself starts numactl, which does.
  const std::string with_memory = (memory.empty() ? "" : "numactl" + memory + " ") + command;
  std::vector<std::pair<std::string, std::string>> lines;
  const auto add = [&](const char* name, const std::string& line) {
    lines.emplace_back(name, threads + line);
  };
  add("kinjo run", kinjo_run(placement));
  if (!mapping.binds()) {
    add("environment", command);
    if (!memory.empty()) add("numactl", with_memory);
    return lines;
  }
  CpuSet cpus;
  for (std::size_t t = 0; t < mapping.size(); ++t) cpus |= bound_cpus(mapping, t, placement.bind);
  const std::string list = cpus.to_string();
  add("OMP_PLACES",
      fmt::format("OMP_PLACES='{}' OMP_PROC_BIND=close {}", openmp_places(placement), with_memory));
  add("numactl", fmt::format("numactl --physcpubind={}{} {}", list, memory, command));
  add("taskset", fmt::format("taskset --cpu-list {} {}", list, with_memory));
  // One task, whose threads may use the CPUs of all places.
  add("srun", fmt::format("srun --ntasks=1 --cpus-per-task={} --cpu-bind=mask_cpu:{} {}",
                          cpus.count(), hex_mask(cpus), with_memory));
  return lines;
}

std::pair<std::string, std::string> workload_line(
    const std::string& workload, const Mapping& mapping, BindLevel bind,
    const std::vector<std::pair<std::string, std::string>>& parameters) {
  const std::string name = "kinjo " + workload;
  const bool cells = workload == "cells";
  std::string app = "gemm";  // what a sweep takes, unless it is set
  for (const auto& [parameter, value] : parameters) {
    if (parameter == "app") app = value;
  }
  std::string options;
  for (const auto& [parameter, value] : with_defaults(workload, parameters)) {
    if (!cells || cells_have(app, parameter)) options += option_text(workload, parameter, value);
  }
  return {name, fmt::format("{}{} {}{}", name, cells ? ' ' + app : "",
                            kinjo_options(mapping, bind, cells ? "cells" : "threads"), options)};
}

}  // namespace kinjo
