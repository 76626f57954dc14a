#include "report/machine_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/simd.hpp>

#include "base/text.hpp"

namespace kinjo {

namespace {

std::string plural(std::size_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

using Core = std::pair<int, int>;  // package and core

std::set<Core> cores_of(const Topology& machine, const CpuSet& cpus) {
  std::set<Core> cores;
  for (int cpu : cpus) {
    if (const Cpu* c = machine.find_cpu(cpu)) cores.insert({c->package, c->core});
  }
  return cores;
}

std::string summary(const Topology& machine) {
  return fmt::format("{}: {}\n", detail::printable(machine.origin()), machine_counts(machine));
}

/// CPU models, the packages that have each folded into a list.
std::string models(const Topology& machine) {
  std::vector<std::pair<std::string, std::set<int>>> by_model;
  for (const Package& package : machine.packages()) {
    if (package.model.empty()) continue;
    if (by_model.empty() || by_model.back().first != package.model) {
      by_model.push_back({package.model, {}});
    }
    by_model.back().second.insert(package.package);
  }
  std::string text;
  for (const auto& [model, packages] : by_model) {
    text += fmt::format("  package {}: {}\n", folded_list(packages), detail::printable(model));
  }
  return text;
}

/// The CPUs dealt to each node; CPUs without a node under −1.
std::map<int, CpuSet> cpus_by_node(const Topology& machine) {
  std::map<int, CpuSet> cpus;
  for (const Node& node : machine.nodes()) cpus[node.node];
  for (const Cpu& cpu : machine.cpus()) cpus[cpu.node].insert(cpu.cpu);
  return cpus;
}

std::string memory_of(const Node* node) {
  if (!node) return "-";
  std::string text = node->memory_bytes ? detail::format_bytes(*node->memory_bytes) : "unknown";
  if (node->memory_kind != MemoryKind::ordinary && node->memory_kind != MemoryKind::none) {
    text += fmt::format(" ({})", to_string(node->memory_kind));
  }
  return text;
}

std::string node_rows(const Topology& machine) {
  Table table({"node", "package", "memory", "cores", "CPUs", "CPU numbers", "may be used"});
  for (const auto& [number, cpus] : cpus_by_node(machine)) {
    const Node* node = machine.find_node(number);
    std::set<int> packages;
    for (int cpu : cpus) packages.insert(machine.find_cpu(cpu)->package);
    const CpuSet allowed = cpus & machine.allowed_cpus();
    const std::string memory_use = !node || node->allowed ? "" : "not its memory";
    std::string use = allowed == cpus   ? (cpus.empty() ? "" : "all")
                      : allowed.empty() ? "no CPU"
                                        : folded_list(allowed);
    if (!memory_use.empty()) use += (use.empty() ? "" : ", ") + memory_use;
    table.add({number < 0 ? "none" : std::to_string(number),
               cpus.empty() ? "-" : folded_list(packages), memory_of(node),
               std::to_string(cores_of(machine, cpus).size()), std::to_string(cpus.count()),
               cpus.empty() ? "-" : folded_list(cpus), use});
  }
  return table.to_text();
}

std::string cache_lines(const Topology& machine) {
  // level, type, size and how many cores share it → how many there are
  std::map<std::tuple<int, Cache::Type, std::uint64_t, std::size_t>, std::size_t> alike;
  for (const Cache& cache : machine.caches()) {
    ++alike[{-cache.level, cache.type, cache.size_bytes, cores_of(machine, cache.cpus).size()}];
  }
  std::string text;
  for (const auto& [key, count] : alike) {
    const auto& [level, type, bytes, cores] = key;
    const char* suffix = type == Cache::Type::data          ? "d"
                         : type == Cache::Type::instruction ? "i"
                                                            : "";
    text += fmt::format(
        "  L{}{} {} × {}, {}\n", -level, suffix, detail::format_bytes(bytes), count,
        cores == 1 ? "one for each core" : fmt::format("each shared by {}", plural(cores, "core")));
  }
  return text.empty() ? "" : "caches\n" + text;
}

std::string kind_lines(const Topology& machine) {
  if (machine.core_kinds().size() < 2) return "";
  std::string text = "kinds of cores, the least powerful first\n";
  for (const CoreKind& kind : machine.core_kinds()) {
    text +=
        fmt::format("  {}: CPUs {}\n", kind.name.empty() ? "unnamed" : detail::printable(kind.name),
                    folded_list(kind.cpus));
  }
  return text;
}

std::string distance_rows(const Topology& machine) {
  constexpr std::size_t kMostColumns = 16;
  std::vector<int> nodes;
  for (const Node& node : machine.nodes()) {
    if (!node.distances.empty()) nodes.push_back(node.node);
  }
  if (nodes.empty()) return "";
  if (nodes.size() > kMostColumns) {
    std::set<int> values;
    for (int from : nodes) {
      for (const auto& [to, distance] : machine.find_node(from)->distances) values.insert(distance);
    }
    return fmt::format("distances between {} nodes: {}\n", nodes.size(), fmt::join(values, ", "));
  }
  std::vector<std::string> header{"distances"};
  for (int node : nodes) header.push_back(std::to_string(node));
  Table table(header);
  for (int from : nodes) {
    std::vector<std::string> row{fmt::format("  node {}", from)};
    for (int to : nodes) {
      const auto distance = machine.distance(from, to);
      row.push_back(distance ? std::to_string(*distance) : "-");
    }
    table.add(row);
  }
  return table.to_text();
}

/// Which vector instructions kernels use on this machine.
std::string vector_line(const Topology& machine) {
  if (!machine.support().this_machine) return "";
  std::vector<const char*> levels;
  for (SimdLevel level : simd_levels()) levels.push_back(to_string(level));
  return fmt::format("vector kernels: {} (of {})\n", to_string(simd_level()),
                     fmt::join(levels, ", "));
}

std::string limits(const Topology& machine) {
  std::string text;
  if (machine.cpu_quota()) {
    text += fmt::format("CPU quota: {:.2f} CPUs' worth of time for {}\n", *machine.cpu_quota(),
                        plural(machine.allowed_cpus().count(), "allowed CPU"));
  }
  const Support& support = machine.support();
  if (!support.this_machine) return text;
  const auto refused = [&](bool works, const char* what) {
    if (!works) text += fmt::format("refused by the system: {}\n", what);
  };
  refused(support.bind_threads, "pinning threads");
  refused(support.bind_memory, "binding memory");
  refused(support.query_pages, "asking where pages are");
  return text;
}

}  // namespace

std::string machine_counts(const Topology& machine) {
  std::uint64_t memory = 0;
  for (const Node& node : machine.nodes()) memory += node.memory_bytes.value_or(0);
  std::string text = fmt::format("{}, {}, {}, {}", plural(machine.packages().size(), "package"),
                                 plural(machine.nodes().size(), "node"),
                                 plural(cores_of(machine, machine.all_cpus()).size(), "core"),
                                 plural(machine.cpus().size(), "CPU"));
  return memory ? text + ", " + detail::format_bytes(memory) : text;
}

std::string folded_list(const CpuSet& cpus) {
  return folded_list(std::set<int>(cpus.begin(), cpus.end()));
}

std::string folded_list(const std::set<int>& numbers) {
  const std::vector<int> all(numbers.begin(), numbers.end());
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < all.size();) {
    // The longest run of equal strides from here; two numbers are no run unless adjacent.
    std::size_t last = i;
    const int stride = i + 1 < all.size() ? all[i + 1] - all[i] : 1;
    while (last + 1 < all.size() && all[last + 1] - all[last] == stride) ++last;
    if (last == i || (stride != 1 && last < i + 2)) {
      parts.push_back(std::to_string(all[i]));
      ++i;
      continue;
    }
    parts.push_back(stride == 1 ? fmt::format("{}-{}", all[i], all[last])
                                : fmt::format("{}-{}:{}", all[i], all[last], stride));
    i = last + 1;
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

Table cpu_table(const Topology& machine) {
  Table table({"cpu", "logical", "package", "node", "core", "smt", "kind", "allowed"});
  for (const Cpu& c : machine.cpus()) {
    table.add({std::to_string(c.cpu), std::to_string(c.logical), std::to_string(c.package),
               std::to_string(c.node), std::to_string(c.core), std::to_string(c.smt),
               std::to_string(c.kind), c.allowed ? "true" : "false"});
  }
  return table;
}

std::string machine_text(const Topology& machine) {
  return summary(machine) + models(machine) + node_rows(machine) + cache_lines(machine) +
         kind_lines(machine) + distance_rows(machine) + vector_line(machine) + limits(machine);
}

}  // namespace kinjo
