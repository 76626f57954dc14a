/// Dealing CPUs to threads (S1 section 3.2, tables 3 and 4).
///
/// Every CPU has five coordinates; a policy is an order of them. An `order` policy sorts the
/// allowed CPUs by that tuple. `scatter` sorts within each node and then takes one CPU of each node
/// in turn, so that it stays even where nodes differ. The first N CPUs are the places of N threads.
#include <kinjo/mapping.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo {

namespace {

using Key = std::array<int, 5>;
using Cpus = std::vector<const Cpu*>;

int coordinate(const Cpu& cpu, Level level) {
  switch (level) {
    case Level::package:
      return cpu.package_rank;
    case Level::node:
      return cpu.node_rank;
    case Level::cache:
      return cpu.cache_rank;
    case Level::core:
      return cpu.core_rank;
    case Level::smt:
      return cpu.smt;
  }
  return 0;
}

/// The order as it holds on this machine: where nodes span packages, those two change places.
Policy::Order effective_order(const Topology& machine, Policy::Order order) {
  if (machine.nodes_span_packages()) {
    const auto package = std::find(order.begin(), order.end(), Level::package);
    const auto node = std::find(order.begin(), order.end(), Level::node);
    std::iter_swap(package, node);
  }
  return order;
}

/// Sorts by keys made once: a comparison that made them would be made of inlined loops, on which
/// g++ 12 spends two minutes.
void sort_by(Cpus& cpus, const Policy::Order& order) {
  std::vector<std::tuple<Key, int, const Cpu*>> keyed;
  for (const Cpu* cpu : cpus) {
    Key key{};
    for (std::size_t i = 0; i < order.size(); ++i) key[i] = coordinate(*cpu, order[i]);
    keyed.emplace_back(key, cpu->logical, cpu);
  }
  std::sort(keyed.begin(), keyed.end());
  std::transform(keyed.begin(), keyed.end(), cpus.begin(),
                 [](const auto& entry) { return std::get<const Cpu*>(entry); });
}

/// One CPU of each node in turn. The sorted list holds the nodes in the order of their first CPU
/// and each node's CPUs in their order; only the interleaving is made even.
Cpus deal_round_robin(const Cpus& sorted) {
  std::vector<int> node_order;
  std::map<int, Cpus> by_node;
  for (const Cpu* cpu : sorted) {
    Cpus& cpus = by_node[cpu->node];
    if (cpus.empty()) node_order.push_back(cpu->node);
    cpus.push_back(cpu);
  }
  Cpus dealt;
  for (std::size_t round = 0; dealt.size() < sorted.size(); ++round) {
    for (int node : node_order) {
      if (round < by_node[node].size()) dealt.push_back(by_node[node][round]);
    }
  }
  return dealt;
}

Cpus listed_cpus(const Topology& machine, const Policy& policy) {
  Cpus cpus;
  for (int number : policy.cpu_list()) {
    const Cpu* cpu = machine.find_cpu(number);
    if (!cpu || !cpu->allowed) {
      throw Error(Errc::invalid_argument,
                  fmt::format("CPU {} of policy {} {}: expected CPUs of {}", number,
                              detail::shortened(policy.name()),
                              cpu ? "may not be used by this process" : "does not exist",
                              machine.allowed_cpus().to_string()));
    }
    cpus.push_back(cpu);
  }
  return cpus;
}

/// The CPUs in the order in which the policy deals them.
Cpus deal(const Topology& machine, const Policy& policy) {
  if (policy.kind() == Policy::Kind::cpu_list) return listed_cpus(machine, policy);
  Cpus cpus;
  for (const Cpu& cpu : machine.cpus()) {
    if (cpu.allowed) cpus.push_back(&cpu);
  }
  sort_by(cpus, effective_order(machine, policy.levels()));
  return policy.kind() == Policy::Kind::scatter ? deal_round_robin(cpus) : cpus;
}

Place place_of(std::size_t thread, const Cpu& cpu) {
  return {.thread = static_cast<int>(thread),
          .cpu = cpu.cpu,
          .node = cpu.node,
          .package = cpu.package,
          .core = cpu.core,
          .smt = cpu.smt};
}

void check_threads(std::size_t threads, std::size_t cpus, const Policy& policy,
                   Oversubscribe oversubscribe) {
  if (threads == 0) {
    throw Error(Errc::invalid_argument, fmt::format("0 threads: expected 1 to {}", cpus));
  }
  if (threads > cpus && oversubscribe == Oversubscribe::refuse) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("{} threads exceed the {} CPU{} that policy {} may use: expected 1 to "
                    "{}, or ask to oversubscribe",
                    threads, cpus, cpus == 1 ? "" : "s", detail::shortened(policy.name()), cpus));
  }
  if (threads > Mapping::kMostThreads) {
    throw Error(Errc::invalid_argument,
                fmt::format("{} threads: expected 1 to {}", threads, Mapping::kMostThreads));
  }
}

}  // namespace

std::size_t default_threads(const Topology& machine, const Policy& policy) {
  return policy.kind() == Policy::Kind::cpu_list ? policy.cpu_list().size()
                                                 : machine.allowed_cpus().count();
}

Mapping::Mapping(const Topology& machine, const Policy& policy, std::size_t threads,
                 Oversubscribe oversubscribe)
    : policy_(policy) {
  const Cpus cpus = deal(machine, policy);
  check_threads(threads, cpus.size(), policy, oversubscribe);
  rounds_ = (threads + cpus.size() - 1) / cpus.size();
  std::map<std::pair<int, int>, CpuSet> cores;  // by package and core
  std::map<int, CpuSet> nodes;
  for (const Cpu& cpu : machine.cpus()) {
    if (!cpu.allowed) continue;
    cores[{cpu.package, cpu.core}].insert(cpu.cpu);
    nodes[cpu.node].insert(cpu.cpu);
  }
  for (std::size_t t = 0; t < threads; ++t) {
    const Cpu& cpu = *cpus[t % cpus.size()];
    if (binds()) {
      add(place_of(t, cpu), cores[{cpu.package, cpu.core}], nodes[cpu.node]);
    } else {
      add({.thread = static_cast<int>(t)}, {}, {});
    }
  }
  number_within_nodes();
}

Mapping Mapping::alone() {
  Mapping mapping{Policy::none()};
  mapping.add({.thread = 0}, {}, {});
  mapping.number_within_nodes();
  return mapping;
}

void Mapping::add(const Place& place, const CpuSet& core_cpus, const CpuSet& node_cpus) {
  places_.push_back(place);
  core_cpus_.push_back(core_cpus);
  node_cpus_.push_back(node_cpus);
}

void Mapping::number_within_nodes() {
  std::map<int, int> threads_of;
  for (Place& place : places_) {
    place.rank_in_node = threads_of[place.node]++;
    if (place.rank_in_node == 0) nodes_.push_back(place.node);
  }
  for (Place& place : places_) place.node_threads = threads_of[place.node];
}

std::vector<int> Mapping::threads_on(int node) const {
  std::vector<int> threads;
  for (const Place& place : places_) {
    if (place.node == node) threads.push_back(place.thread);
  }
  return threads;
}

}  // namespace kinjo
