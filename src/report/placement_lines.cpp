#include "report/placement_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/binding.hpp>

namespace kinjo {

namespace {

std::string shell_word(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

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

std::string kinjo_run(const PlacementOfCommand& placement) {
  const Mapping& mapping = placement.mapping;
  return fmt::format(
      "kinjo run --policy {} --threads {}{}{}{} -- {}", mapping.policy().name(), mapping.size(),
      mapping.rounds() > 1 ? " --oversubscribe" : "",
      placement.bind == BindLevel::cpu ? "" : fmt::format(" --bind {}", to_string(placement.bind)),
      placement.memory ? " --memory " + placement.memory->text : "", shell_text(placement.command));
}

}  // namespace

std::string shell_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

std::vector<std::pair<std::string, std::string>> placement_lines(
    const PlacementOfCommand& placement) {
  const Mapping& mapping = placement.mapping;
  const std::string command = shell_text(placement.command);
  const std::string threads = fmt::format("OMP_NUM_THREADS={}", mapping.size());
  const std::string memory = placement.memory ? numactl_memory(*placement.memory) : "";
  std::vector<std::pair<std::string, std::string>> lines = {{"kinjo run", kinjo_run(placement)}};
  const auto add = [&](const char* name, const std::string& line) {
    lines.emplace_back(name, fmt::format("{} {} {}", threads, line, command));
  };
  if (!mapping.binds()) {
    lines.emplace_back("OMP_NUM_THREADS", fmt::format("{} {}", threads, command));
    if (!memory.empty()) add("numactl", "numactl" + memory);
    return lines;
  }
  CpuSet cpus;
  for (std::size_t t = 0; t < mapping.size(); ++t) cpus |= bound_cpus(mapping, t, placement.bind);
  const std::string list = cpus.to_string();
  add("OMP_PLACES", fmt::format("OMP_PLACES='{}' OMP_PROC_BIND=close", openmp_places(placement)));
  add("numactl", fmt::format("numactl --physcpubind={}{}", list, memory));
  add("taskset", fmt::format("taskset --cpu-list {}", list));
  // One task, whose threads may use the CPUs of all places.
  add("srun", fmt::format("srun --ntasks=1 --cpus-per-task={} --cpu-bind=mask_cpu:{}", cpus.count(),
                          hex_mask(cpus)));
  return lines;
}

}  // namespace kinjo
