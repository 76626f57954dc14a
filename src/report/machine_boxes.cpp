#include "report/machine_boxes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "report/machine_text.hpp"

namespace kinjo {

namespace {

using CoreKey = std::pair<int, int>;  // package and core

/// The cores in logical order, with their CPUs.
std::vector<std::pair<CoreKey, CpuSet>> cores_in_order(const Topology& machine) {
  std::vector<std::pair<CoreKey, CpuSet>> cores;
  std::map<CoreKey, std::size_t> index;
  for (const Cpu& cpu : machine.cpus()) {
    const auto [at, fresh] = index.try_emplace({cpu.package, cpu.core}, cores.size());
    if (fresh) cores.push_back({at->first, {}});
    cores[at->second].second.insert(cpu.cpu);
  }
  return cores;
}

/// Whether all CPUs of a cache are of one core.
bool within_a_core(const Topology& machine, const Cache& cache) {
  const Cpu* first = machine.find_cpu(cache.cpus.first());
  if (!first) return false;
  return std::all_of(cache.cpus.begin(), cache.cpus.end(), [&](int number) {
    const Cpu* cpu = machine.find_cpu(number);
    return cpu && cpu->package == first->package && cpu->core == first->core;
  });
}

std::vector<MachineBox> package_boxes(const Topology& machine) {
  std::vector<MachineBox> boxes;
  for (const Package& package : machine.packages()) {
    MachineBox box{.kind = BoxKind::package, .cpus = package.cpus, .number = package.package};
    box.lines.push_back({fmt::format("package {}", package.package)});
    box.tip = box.lines[0].text;
    const std::string model = detail::printable(package.model);
    if (!model.empty()) {
      box.lines.push_back({model, false});
      box.tip += ": " + model;
    }
    if (package.cpus.empty()) box.lines.push_back({"no CPUs"});
    boxes.push_back(std::move(box));
  }
  return boxes;
}

/// The caches, those of one level with the same CPUs (data and instructions) in one box.
std::vector<MachineBox> cache_boxes(const Topology& machine, MachineDetail detail) {
  std::vector<MachineBox> boxes;
  std::map<std::pair<int, std::vector<int>>, std::size_t> index;
  for (const Cache& cache : machine.caches()) {
    if (cache.cpus.empty()) continue;
    if (detail == MachineDetail::compact && within_a_core(machine, cache)) continue;
    const auto [at, fresh] = index.try_emplace(
        {cache.level, std::vector<int>(cache.cpus.begin(), cache.cpus.end())}, boxes.size());
    if (fresh) {
      boxes.push_back({.kind = BoxKind::cache,
                       .tip = fmt::format("CPUs {}", folded_list(cache.cpus)),
                       .cpus = cache.cpus,
                       .level = cache.level});
    }
    MachineBox& box = boxes[at->second];
    box.lines.push_back({cache_name(cache)});
    box.tip.insert(0, cache_name(cache) + ", ");
  }
  return boxes;
}

std::vector<MachineBox> core_boxes(const Topology& machine) {
  std::vector<MachineBox> boxes;
  for (const auto& [key, cpus] : cores_in_order(machine)) {
    MachineBox box{.kind = BoxKind::core, .cpus = cpus, .number = key.second};
    box.lines.push_back({fmt::format("core {}", key.second)});
    box.tip = fmt::format("core {} of package {}: CPU{} {}", key.second, key.first,
                          cpus.count() == 1 ? "" : "s", folded_list(cpus));
    boxes.push_back(std::move(box));
  }
  return boxes;
}

MachineBox cpu_box(const Cpu& cpu) {
  MachineBox box{.kind = BoxKind::cpu,
                 .lines = {{std::to_string(cpu.cpu)}},
                 .cpus = {cpu.cpu},
                 .number = cpu.cpu,
                 .allowed = cpu.allowed};
  const std::string node = cpu.node < 0 ? "no node" : fmt::format("node {}", cpu.node);
  box.tip = fmt::format("CPU {}: package {}, {}, core {}, smt {}{}", cpu.cpu, cpu.package, node,
                        cpu.core, cpu.smt, cpu.allowed ? "" : ", may not be used");
  return box;
}

MachineBox memory_box(const Node& node) {
  MachineBox box{
      .kind = BoxKind::memory, .cpus = node.cpus, .number = node.node, .allowed = node.allowed};
  std::string name = fmt::format("node {}", node.node);
  if (node.memory_kind == MemoryKind::none) {
    name += ": no memory";
  } else if (node.memory_bytes) {
    name += ": " + detail::format_bytes(*node.memory_bytes);
  }
  box.lines.push_back({name});
  if (node.memory_kind != MemoryKind::none && node.memory_kind != MemoryKind::ordinary) {
    box.lines.push_back({to_string(node.memory_kind)});
  }
  if (!node.allowed) box.lines.push_back({"may not be used"});
  box.tip = name + (node.cpus.empty() ? std::string(", no CPUs")
                                      : fmt::format(", local to CPUs {}", folded_list(node.cpus)));
  return box;
}

/// Frames for CPUs that have a memory of their own, and nothing else in common.
std::vector<MachineBox> group_boxes(const Topology& machine,
                                    const std::vector<MachineBox>& others) {
  std::vector<MachineBox> groups;
  const auto same = [](const CpuSet& cpus) {
    return [&cpus](const MachineBox& box) { return box.cpus == cpus; };
  };
  for (const Node& node : machine.nodes()) {
    if (node.cpus.empty() || std::ranges::any_of(others, same(node.cpus)) ||
        std::ranges::any_of(groups, same(node.cpus))) {
      continue;
    }
    groups.push_back({.kind = BoxKind::group,
                      .tip = fmt::format("CPUs {}", folded_list(node.cpus)),
                      .cpus = node.cpus});
  }
  return groups;
}

/// Puts a box into the innermost one that has its CPUs. All sets are those of one tree (hwloc's),
/// so one that has the first has all. What has no CPUs, a package that the cpuset leaves none,
/// stays at the root.
void insert(MachineBox& into, MachineBox box) {
  const int first = box.cpus.first();
  for (MachineBox& child : into.children) {
    if (child.cpus.contains(first)) return insert(child, std::move(box));
  }
  into.children.push_back(std::move(box));
}

MachineBox& home_of(MachineBox& box, const CpuSet& cpus) {
  if (box.cpus == cpus) {
    // A package alone in its machine is nearer to its memory than the machine is.
    const bool outer = box.kind == BoxKind::machine && box.children.size() == 1 &&
                       box.children[0].kind == BoxKind::package && box.children[0].cpus == cpus;
    return outer ? box.children[0] : box;
  }
  for (MachineBox& child : box.children) {
    if (!cpus.empty() && child.cpus.contains(cpus.first())) return home_of(child, cpus);
  }
  return box;
}

void sort_children(const Topology& machine, MachineBox& box) {
  const auto place = [&](const MachineBox& child) {
    int least = static_cast<int>(machine.cpus().size());
    for (int number : child.cpus) {
      if (const Cpu* cpu = machine.find_cpu(number)) least = std::min(least, cpu->logical);
    }
    return least;
  };
  std::vector<std::pair<int, MachineBox>> keyed;
  for (MachineBox& child : box.children) {
    sort_children(machine, child);
    keyed.emplace_back(place(child), std::move(child));
  }
  std::ranges::stable_sort(keyed, {}, [](const auto& pair) { return pair.first; });
  box.children.clear();
  for (auto& [key, child] : keyed) box.children.push_back(std::move(child));
}

/// From the outside in: more CPUs first, then by kind, then caches of a higher level.
void sort_for_insertion(std::vector<MachineBox>& boxes) {
  std::vector<std::pair<std::size_t, MachineBox>> keyed;
  for (MachineBox& box : boxes) {
    const std::size_t count = box.cpus.count();
    keyed.emplace_back(count, std::move(box));
  }
  std::ranges::stable_sort(keyed, [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    if (a.second.kind != b.second.kind) return a.second.kind < b.second.kind;
    return a.second.level > b.second.level;
  });
  for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = std::move(keyed[i].second);
}

}  // namespace

std::string cache_name(const Cache& cache) {
  const char* suffix = cache.type == Cache::Type::data          ? "d"
                       : cache.type == Cache::Type::instruction ? "i"
                                                                : "";
  const std::string name = fmt::format("L{}{}", cache.level, suffix);
  return cache.size_bytes ? name + ' ' + detail::format_bytes(cache.size_bytes) : name;
}

MachineBox machine_boxes(const Topology& machine, MachineDetail detail) {
  MachineBox root{.cpus = machine.all_cpus()};
  root.lines = {{kinjo::detail::printable(machine.origin()), false}, {machine_counts(machine)}};
  root.tip = root.lines[0].text + ": " + root.lines[1].text;
  std::vector<MachineBox> boxes = package_boxes(machine);
  const auto append = [&](std::vector<MachineBox> more) {
    std::ranges::move(more, std::back_inserter(boxes));
  };
  append(cache_boxes(machine, detail));
  append(core_boxes(machine));
  boxes.push_back({.cpus = root.cpus});
  std::vector<MachineBox> groups = group_boxes(machine, boxes);
  boxes.pop_back();
  append(std::move(groups));
  for (const Cpu& cpu : machine.cpus()) boxes.push_back(cpu_box(cpu));
  sort_for_insertion(boxes);
  for (MachineBox& box : boxes) insert(root, std::move(box));
  sort_children(machine, root);
  for (const Node& node : machine.nodes()) {
    home_of(root, node.cpus).memory.push_back(memory_box(node));
  }
  return root;
}

std::vector<std::string> private_caches(const Topology& machine) {
  std::vector<Cache> outermost_first(machine.caches().begin(), machine.caches().end());
  std::ranges::stable_sort(outermost_first, std::ranges::greater{}, &Cache::level);
  std::map<CoreKey, std::string> of_core;
  for (const Cache& cache : outermost_first) {
    if (!within_a_core(machine, cache)) continue;
    const Cpu* cpu = machine.find_cpu(cache.cpus.first());
    std::string& text = of_core[{cpu->package, cpu->core}];
    text += (text.empty() ? "" : ", ") + cache_name(cache);
  }
  std::vector<std::pair<std::string, CpuSet>> alike;
  for (const auto& [key, cpus] : cores_in_order(machine)) {
    const std::string& text = of_core[key];
    auto found = std::ranges::find(alike, text, [](const auto& pair) { return pair.first; });
    if (found == alike.end()) found = alike.insert(alike.end(), {text, {}});
    found->second |= cpus;
  }
  std::vector<std::string> sentences;
  for (const auto& [text, cpus] : alike) {
    if (text.empty()) continue;
    const std::string cores =
        alike.size() == 1 ? "each core" : "each core of CPUs " + folded_list(cpus);
    sentences.push_back(cores + ": " + text);
  }
  return sentences;
}

}  // namespace kinjo
