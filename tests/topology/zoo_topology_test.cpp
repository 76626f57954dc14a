/// Every machine of the zoo against the figures of its index and against its own /sys.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/topology.hpp>

#include "support/expect.hpp"
#include "support/machine_check.hpp"
#include "support/oracle.hpp"
#include "support/scratch.hpp"
#include "support/zoo.hpp"

namespace kinjo::test {
namespace {

std::size_t count_cores(const Topology& machine) {
  std::set<std::pair<int, int>> cores;
  for (const Cpu& cpu : machine.cpus()) cores.insert({cpu.package, cpu.core});
  return cores.size();
}

template <class Numbers>
std::string join(const Numbers& numbers) {
  std::string text;
  for (int number : numbers) {
    if (!text.empty()) text += ',';
    text += std::to_string(number);
  }
  return text;
}

std::string list_nodes(const Topology& machine, bool counted) {
  std::vector<int> nodes;
  for (const Node& node : machine.nodes()) nodes.push_back(node.node);
  return counted ? std::to_string(nodes.size()) + "nodes" : join(nodes);
}

std::string list_distances(const Topology& machine) {
  std::set<int> values;
  for (const Node& node : machine.nodes()) {
    for (const auto& [to, distance] : node.distances) values.insert(distance);
  }
  return join(values);
}

/// The nodes whose size the description does not tell.
std::string list_unsized(const Topology& machine) {
  std::vector<int> nodes;
  for (const Node& node : machine.nodes()) {
    if (!node.memory_bytes) nodes.push_back(node.node);
  }
  return join(nodes);
}

void expect_index_figures(const Topology& machine, const ZooMachine& index) {
  SCOPED_TRACE(machine.origin());
  EXPECT_EQ(machine.packages().size(), index.packages);
  EXPECT_EQ(count_cores(machine), index.cores);
  EXPECT_EQ(machine.cpus().size(), index.cpus);
  EXPECT_EQ(list_nodes(machine, index.nodes.ends_with("nodes")), index.nodes);
  EXPECT_EQ(list_distances(machine), index.distances);
  EXPECT_EQ(list_unsized(machine), index.no_memory);
}

TEST(ZooTopology, HasTheCountsOfTheIndexWhenReadFromXml) {
  KINJO_REQUIRE_ZOO(machines);
  EXPECT_GE(machines->size(), 25u);
  for (const ZooMachine& m : *machines) expect_index_figures(Topology::from(m.xml), m);
}

TEST(ZooTopology, KeepsItsPromisesInEveryForm) {
  KINJO_REQUIRE_ZOO(machines);
  for (const ZooMachine& m : *machines) {
    for (const std::string& input : {m.xml, m.disallowed, m.tree}) {
      if (input.empty()) continue;
      const Topology machine = Topology::from(input);
      EXPECT_EQ(fault_of(machine), "") << input;
      EXPECT_EQ(machine.origin(), input);
      EXPECT_FALSE(machine.support().this_machine || machine.support().bind_threads) << input;
      for (const Cpu& cpu : machine.cpus()) {
        ASSERT_EQ(cpu.node, expected_node(machine, cpu.cpu)) << input << " CPU " << cpu.cpu;
      }
    }
  }
}

/// What may be used is in all forms; what may not is only in some.
TEST(ZooTopology, HasTheSameUsableNodesAndDistancesInEveryForm) {
  KINJO_REQUIRE_ZOO(machines);
  for (const ZooMachine& m : *machines) {
    const Topology a = Topology::from(m.xml);
    for (const std::string& input : {m.disallowed, m.tree}) {
      if (input.empty()) continue;
      const Topology b = Topology::from(input);
      SCOPED_TRACE(input);
      EXPECT_EQ(a.allowed_nodes(), b.allowed_nodes());
      for (int from : a.allowed_nodes()) {
        for (int to : a.allowed_nodes()) EXPECT_EQ(a.distance(from, to), b.distance(from, to));
        const Node* node_a = a.find_node(from);
        const Node* node_b = b.find_node(from);
        ASSERT_TRUE(node_a && node_b) << from;
        EXPECT_EQ(node_a->memory_bytes, node_b->memory_bytes) << from;
        EXPECT_EQ(node_a->memory_kind, node_b->memory_kind) << from;
        EXPECT_EQ(node_a->cpus & a.allowed_cpus(), node_b->cpus & b.allowed_cpus()) << from;
      }
    }
  }
}

/// A mask of the kernel, `ff000000,000000ff` with 32 bits a word, maybe with NUL bytes behind it.
CpuSet read_mask(const std::string& text) {
  CpuSet cpus;
  int bit = 0;
  for (std::size_t i = text.find_last_not_of(std::string_view(" \n\0", 3)) + 1; i-- > 0;) {
    if (text[i] == ',') continue;
    const int digit = std::stoi(std::string(1, text[i]), nullptr, 16);
    for (int b = 0; b < 4; ++b) {
      if ((digit >> b) & 1) cpus.insert(bit + b);
    }
    bit += 4;
  }
  return cpus;
}

/// The kernel calls the two cores of an Opteron's module siblings; hwloc, as AMD, two cores.
constexpr std::string_view kModules = "64amd64-4s2n4ca2co";

TEST(ZooTopology, ReadFromATreeHasTheSiblingsThatTheKernelTells) {
  KINJO_REQUIRE_ZOO(machines);
  std::size_t compared = 0;
  for (const ZooMachine& m : *machines) {
    if (m.tree.empty() || m.name == kModules) continue;
    const Topology machine = Topology::from(m.tree);
    std::map<std::pair<int, int>, CpuSet> cores;
    for (const Cpu& cpu : machine.cpus()) cores[{cpu.package, cpu.core}].insert(cpu.cpu);
    for (const Cpu& cpu : machine.cpus()) {
      const auto path =
          fmt::format("{}/sys/devices/system/cpu/cpu{}/topology/thread_siblings", m.tree, cpu.cpu);
      if (!std::filesystem::exists(path)) continue;
      ++compared;
      ASSERT_EQ((cores[{cpu.package, cpu.core}]), read_mask(read_file(path)) & machine.all_cpus())
          << path;
    }
  }
  EXPECT_GT(compared, 500u);
}

TEST(ZooTopology, ReadFromATreeHasTheNodeCpusThatTheKernelTells) {
  KINJO_REQUIRE_ZOO(machines);
  std::size_t compared = 0;
  for (const ZooMachine& m : *machines) {
    if (m.tree.empty()) continue;
    const Topology machine = Topology::from(m.tree);
    for (const Node& node : machine.nodes()) {
      const auto path = fmt::format("{}/sys/devices/system/node/node{}/cpumap", m.tree, node.node);
      if (!std::filesystem::exists(path)) continue;
      const CpuSet told = read_mask(read_file(path)) & machine.all_cpus();
      // hwloc finds places for nodes without CPUs of their own.
      if (told.empty()) continue;
      ++compared;
      ASSERT_EQ(node.cpus, told) << path;
    }
  }
  EXPECT_GT(compared, 40u);
}

}  // namespace
}  // namespace kinjo::test
