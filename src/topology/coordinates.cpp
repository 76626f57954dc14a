/// Ranks of CPUs in what encloses them: package, node, cache domain, core, sibling.
///
/// Every level is ranked the same way. Given the group that each CPU is in so far and the thing of
/// the next level that it belongs to, the things of a group are numbered from 0: those with a
/// usable CPU first, then by the smallest logical index. So a machine whose unusable parts are
/// hidden gets the same ranks for the rest as one whose unusable parts are shown.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "topology/builder.hpp"

namespace kinjo::detail {

namespace {

using Groups = std::vector<int>;  // by logical index: a number for the group that a CPU is in

struct Levels {
  const std::vector<Cpu>& cpus;

  /// Ranks the things `child` inside the groups `parent`.
  std::vector<int> rank(const Groups& parent, const Groups& child) const {
    std::map<std::pair<int, int>, std::pair<bool, int>> first;  // thing → (unusable, logical)
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      const std::pair<bool, int> key{!cpus[i].allowed, cpus[i].logical};
      const auto [at, isnew] = first.try_emplace({parent[i], child[i]}, key);
      if (!isnew) at->second = std::min(at->second, key);
    }
    std::map<int, std::vector<std::pair<std::pair<bool, int>, int>>> ordered;
    for (const auto& [thing, key] : first) ordered[thing.first].push_back({key, thing.second});
    std::map<std::pair<int, int>, int> ranks;
    for (auto& [group, things] : ordered) {
      std::sort(things.begin(), things.end());
      int next = 0;
      for (const auto& thing : things) ranks[{group, thing.second}] = next++;
    }
    std::vector<int> result(cpus.size());
    for (std::size_t i = 0; i < cpus.size(); ++i) result[i] = ranks[{parent[i], child[i]}];
    return result;
  }

  /// The groups one level further in.
  Groups refine(const Groups& parent, const Groups& child) const {
    std::map<std::pair<int, int>, int> number;
    Groups result(cpus.size());
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      result[i] =
          number.try_emplace({parent[i], child[i]}, static_cast<int>(number.size())).first->second;
    }
    return result;
  }
};

bool any_node_spans_packages(const std::vector<Cpu>& cpus) {
  std::map<int, std::set<int>> packages_of;
  for (const Cpu& cpu : cpus) {
    if (cpu.allowed) packages_of[cpu.node].insert(cpu.package);
  }
  return std::any_of(packages_of.begin(), packages_of.end(),
                     [](const auto& node) { return node.second.size() > 1; });
}

template <class Get>
Groups column(const std::vector<Cpu>& cpus, Get&& get) {
  Groups result;
  for (const Cpu& cpu : cpus) result.push_back(get(cpu));
  return result;
}

}  // namespace

bool rank_cpus(std::vector<Cpu>& cpus, const std::vector<int>& cache_of,
               const std::vector<int>& core_of) {
  const bool spans = any_node_spans_packages(cpus);
  const Levels levels{cpus};
  const Groups machine(cpus.size(), 0);
  const Groups package = column(cpus, [](const Cpu& c) { return c.package; });
  const Groups node = column(cpus, [](const Cpu& c) { return c.node; });
  const Groups self = column(cpus, [](const Cpu& c) { return c.logical; });

  const Groups& outer = spans ? node : package;
  const Groups& inner = spans ? package : node;
  const Groups in_outer = levels.refine(machine, outer);
  const Groups in_inner = levels.refine(in_outer, inner);
  const Groups in_cache = levels.refine(in_inner, cache_of);
  const Groups in_core = levels.refine(in_cache, core_of);

  const auto outer_rank = levels.rank(machine, outer);
  const auto inner_rank = levels.rank(in_outer, inner);
  const auto cache_rank = levels.rank(in_inner, cache_of);
  const auto core_rank = levels.rank(in_cache, core_of);
  const auto smt = levels.rank(in_core, self);
  const auto core_in_package = levels.rank(package, core_of);

  for (std::size_t i = 0; i < cpus.size(); ++i) {
    cpus[i].package_rank = spans ? inner_rank[i] : outer_rank[i];
    cpus[i].node_rank = spans ? outer_rank[i] : inner_rank[i];
    cpus[i].cache_rank = cache_rank[i];
    cpus[i].core_rank = core_rank[i];
    cpus[i].smt = smt[i];
    cpus[i].core = core_in_package[i];
  }
  return spans;
}

}  // namespace kinjo::detail
