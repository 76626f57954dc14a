#include "support/oracle.hpp"

#include <algorithm>
#include <climits>
#include <map>
#include <set>
#include <tuple>

namespace kinjo::test {

namespace {

/// What a CPU lies in, as things that can be told apart but have no rank yet.
struct Home {
  int cpu, package, node, cache, core;
};

/// The index of the last-level cache over a CPU, or −1.
int last_level_cache(const Topology& machine, int cpu) {
  int found = -1;
  for (std::size_t c = 0; c < machine.caches().size(); ++c) {
    const Cache& cache = machine.caches()[c];
    if (cache.type == Cache::Type::instruction || !cache.cpus.contains(cpu)) continue;
    if (found < 0 || machine.caches()[static_cast<std::size_t>(found)].level < cache.level) {
      found = static_cast<int>(c);
    }
  }
  return found;
}

std::vector<Home> usable_homes(const Topology& machine) {
  std::vector<Home> homes;
  for (const Cpu& c : machine.cpus()) {
    if (!machine.allowed_cpus().contains(c.cpu)) continue;
    homes.push_back({c.cpu, c.package, expected_node(machine, c.cpu),
                     last_level_cache(machine, c.cpu), c.package * 100000 + c.core});
  }
  return homes;
}

/// How many different things come before `mine` among `homes`, of those in the same group.
template <class Group, class Thing>
int rank(const std::vector<Home>& homes, const Home& mine, Group group, Thing thing) {
  std::vector<int> seen;
  for (const Home& home : homes) {
    if (group(home) != group(mine)) continue;
    if (thing(home) == thing(mine)) break;
    if (std::find(seen.begin(), seen.end(), thing(home)) == seen.end()) seen.push_back(thing(home));
  }
  return static_cast<int>(seen.size());
}

std::map<Level, int> coordinates(const std::vector<Home>& homes, const Home& h, bool spans) {
  const auto all = [](const Home&) { return 0; };
  const auto cpu = [](const Home& x) { return x.cpu; };
  const auto package = [](const Home& x) { return x.package; };
  const auto node = [](const Home& x) { return x.node; };
  const auto cache = [](const Home& x) { return x.cache; };
  const auto core = [](const Home& x) { return x.core; };
  const auto in_node = [](const Home& x) { return std::tuple(x.package, x.node); };
  const auto in_cache = [](const Home& x) { return std::tuple(x.package, x.node, x.cache); };
  const auto in_core = [](const Home& x) { return std::tuple(x.package, x.node, x.cache, x.core); };
  return {{Level::package, spans ? rank(homes, h, node, package) : rank(homes, h, all, package)},
          {Level::node, spans ? rank(homes, h, all, node) : rank(homes, h, package, node)},
          {Level::cache, rank(homes, h, in_node, cache)},
          {Level::core, rank(homes, h, in_cache, core)},
          {Level::smt, rank(homes, h, in_core, cpu)}};
}

/// One CPU of each node in turn, as long as it has one, beginning with the first of the list.
std::vector<int> deal_in_turn(const std::vector<Home>& sorted) {
  std::vector<int> dealt;
  std::set<int> gone;
  while (dealt.size() < sorted.size()) {
    std::set<int> served;
    for (const Home& home : sorted) {
      if (gone.count(home.cpu) || !served.insert(home.node).second) continue;
      gone.insert(home.cpu);
      dealt.push_back(home.cpu);
    }
  }
  return dealt;
}

}  // namespace

int expected_node(const Topology& machine, int cpu) {
  // Distances are counted from the smallest node around the CPU, whatever its memory.
  int from = -1;
  std::size_t smallest = SIZE_MAX;
  for (const Node& node : machine.nodes()) {
    if (node.cpus.contains(cpu) && node.cpus.count() < smallest) {
      smallest = node.cpus.count();
      from = node.node;
    }
  }
  std::vector<std::tuple<bool, int, int>> candidates;  // remote, distance, number
  for (const Node& node : machine.nodes()) {
    if (!node.allowed || node.memory_kind != MemoryKind::ordinary) continue;
    candidates.emplace_back(!node.cpus.contains(cpu),
                            machine.distance(from, node.node).value_or(INT_MAX), node.node);
  }
  if (candidates.empty()) return -1;
  return std::get<2>(*std::min_element(candidates.begin(), candidates.end()));
}

std::vector<int> expected_deal(const Topology& machine, const Policy& policy) {
  const std::vector<Home> homes = usable_homes(machine);
  bool spans = false;
  for (const Home& a : homes) {
    for (const Home& b : homes) spans |= a.node == b.node && a.package != b.package;
  }
  std::vector<std::pair<std::vector<int>, Home>> keyed;
  for (const Home& home : homes) {
    const auto ranks = coordinates(homes, home, spans);
    std::vector<int> key;
    for (Level level : policy.levels()) {
      if (spans && level == Level::package) {
        level = Level::node;
      } else if (spans && level == Level::node) {
        level = Level::package;
      }
      key.push_back(ranks.at(level));
    }
    keyed.emplace_back(key, home);
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Home> sorted;
  for (const auto& [key, home] : keyed) sorted.push_back(home);
  if (policy.kind() == Policy::Kind::scatter) return deal_in_turn(sorted);
  std::vector<int> order;
  for (const Home& home : sorted) order.push_back(home.cpu);
  return order;
}

}  // namespace kinjo::test
