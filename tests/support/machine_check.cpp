#include "support/machine_check.hpp"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace kinjo::test {

namespace {

/// Members of `seen` that leave a gap: ranks must be 0 … n−1.
bool dense(const std::set<int>& seen) {
  return !seen.empty() && *seen.begin() == 0 && *seen.rbegin() + 1 == static_cast<int>(seen.size());
}

/// Ranks by the group in which they count.
template <class Group>
bool all_dense(const std::map<Group, std::set<int>>& ranks) {
  for (const auto& [group, seen] : ranks) {
    if (!dense(seen)) return false;
  }
  return true;
}

std::string rank_fault(const Topology& machine) {
  std::map<int, std::set<int>> outer, cores, inner;
  std::map<std::pair<int, int>, std::set<int>> caches, threads;
  std::map<std::tuple<int, int, int>, std::set<int>> cores_of_cache;
  for (const Cpu& c : machine.cpus()) {
    if (!c.allowed) continue;
    const bool spans = machine.nodes_span_packages();
    outer[0].insert(spans ? c.node_rank : c.package_rank);
    inner[spans ? c.node_rank : c.package_rank].insert(spans ? c.package_rank : c.node_rank);
    caches[{c.package_rank, c.node_rank}].insert(c.cache_rank);
    cores_of_cache[{c.package_rank, c.node_rank, c.cache_rank}].insert(c.core_rank);
    cores[c.package].insert(c.core);
    threads[{c.package, c.core}].insert(c.smt);
  }
  if (!all_dense(outer) || !all_dense(inner)) return "ranks of packages and nodes have gaps";
  if (!all_dense(caches)) return "ranks of cache domains have gaps";
  if (!all_dense(cores_of_cache)) return "ranks of cores in their cache domains have gaps";
  if (!all_dense(cores)) return "ranks of cores in their packages have gaps";
  if (!all_dense(threads)) return "ranks of siblings have gaps";
  return "";
}

std::string cpu_fault(const Topology& machine, const Cpu& cpu) {
  const auto fault = [&](const char* what) { return fmt::format("CPU {} {}", cpu.cpu, what); };
  if (machine.find_cpu(cpu.cpu) != &cpu) return fault("is not found by its number");
  if (!machine.all_cpus().contains(cpu.cpu)) return fault("is not among all CPUs");
  if (machine.allowed_cpus().contains(cpu.cpu) != cpu.allowed) return fault("is allowed or not");
  if (!machine.find_package(cpu.package)) return fault("is in no package");
  if (cpu.kind < 0 || cpu.kind >= static_cast<int>(machine.core_kinds().size())) {
    return fault("is of no kind");
  }
  if (cpu.node == -1) return "";
  const Node* node = machine.find_node(cpu.node);
  if (!node) return fault("is dealt to a node that does not exist");
  if (!node->allowed) return fault("is dealt to a node that may not be used");
  if (node->memory_kind != MemoryKind::ordinary) return fault("is dealt to special memory");
  return "";
}

std::string node_fault(const Mapping& mapping) {
  std::map<int, int> seen;
  std::vector<int> order;
  for (const Place& place : mapping) {
    if (seen[place.node]++ == 0) order.push_back(place.node);
    if (place.rank_in_node != seen[place.node] - 1) {
      return fmt::format("thread {} has a wrong rank in its node", place.thread);
    }
  }
  for (const Place& place : mapping) {
    if (place.node_threads != seen[place.node]) {
      return fmt::format("thread {} has a wrong number of threads in its node", place.thread);
    }
  }
  if (order != std::vector<int>(mapping.nodes().begin(), mapping.nodes().end())) {
    return "the list of nodes is not in the order of threads";
  }
  return "";
}

}  // namespace

const std::vector<Policy>& tried_policies() {
  static const std::vector<Policy> policies = [] {
    std::vector<Policy> all;
    for (const char* text :
         {"none", "scatter", "compact", "compact-plus", "node", "core", "smt,core,node",
          "cache,smt", "package,smt,core", "core,cache,package,node,smt"}) {
      all.push_back(Policy::parse(text));
    }
    return all;
  }();
  return policies;
}

std::string fault_of(const Topology& machine) {
  if (machine.cpus().empty() || machine.allowed_cpus().empty()) return "no CPU";
  if (machine.packages().empty()) return "no package";
  if (machine.core_kinds().empty()) return "no kind of core";
  if (machine.all_cpus().count() != machine.cpus().size()) return "a CPU's number occurs twice";
  if (machine.all_nodes().count() != machine.nodes().size()) return "a node's number occurs twice";
  for (const Cpu& cpu : machine.cpus()) {
    if (auto fault = cpu_fault(machine, cpu); !fault.empty()) return fault;
  }
  return rank_fault(machine);
}

std::string fault_of(const Mapping& mapping, const Topology& machine) {
  CpuSet dealt;
  for (std::size_t t = 0; t < mapping.size(); ++t) {
    const Place& p = mapping[t];
    const auto fault = [&](const char* what) { return fmt::format("thread {} {}", t, what); };
    if (p.thread != static_cast<int>(t)) return fault("does not know its number");
    if (!mapping.binds()) {
      if (p.cpu != -1 || p.node != -1 || p.package != -1) return fault("is placed by policy none");
      continue;
    }
    const Cpu* cpu = machine.find_cpu(p.cpu);
    if (!cpu || !cpu->allowed) return fault("is on a CPU that may not be used");
    if (dealt.contains(p.cpu) && mapping.rounds() == 1) return fault("shares its CPU");
    dealt.insert(p.cpu);
    if (p.node != cpu->node || p.package != cpu->package || p.core != cpu->core ||
        p.smt != cpu->smt) {
      return fault("has a place that is not its CPU's");
    }
    if (!mapping.core_cpus(t).contains(p.cpu) || !mapping.node_cpus(t).contains(p.cpu)) {
      return fault("is outside its own core or node");
    }
  }
  return node_fault(mapping);
}

}  // namespace kinjo::test
