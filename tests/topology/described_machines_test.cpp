/// Machines of peculiar shapes, small enough to know everything about them.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/topology.hpp>

#include "support/expect.hpp"
#include "support/machine_check.hpp"
#include "support/sys_tree.hpp"

namespace kinjo::test {
namespace {

using testing::ElementsAre;

Topology machine_file(const std::string& name) {
  return Topology::from(std::string(KINJO_TEST_MACHINES "/") + name);
}

/// One value of each CPU, in logical order.
std::vector<int> column(const Topology& machine, int Cpu::*field) {
  std::vector<int> values;
  for (const Cpu& cpu : machine.cpus()) values.push_back(cpu.*field);
  return values;
}

Topology from_tree(const SysMachine& machine) {
  const Scratch tree;
  write_sys_tree(tree, machine);
  Topology read = Topology::from(tree.path());
  EXPECT_EQ(fault_of(read), "");
  return read;
}

TEST(DescribedMachine, NumbersCpusAsTheSyntheticIndexesSay) {
  const auto machine = Topology::from("synthetic:pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)");
  EXPECT_THAT(column(machine, &Cpu::cpu), ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
  EXPECT_THAT(column(machine, &Cpu::logical), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(column(machine, &Cpu::package), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(column(machine, &Cpu::core), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(column(machine, &Cpu::smt), ElementsAre(0, 1, 0, 1, 0, 1, 0, 1));
  EXPECT_EQ(machine.find_cpu(5)->logical, 3);
  EXPECT_EQ(machine.find_cpu(8), nullptr);
  EXPECT_EQ(machine.find_cpu(-1), nullptr);
}

TEST(DescribedMachine, MayHaveMoreThan1024Cpus) {
  const auto machine = Topology::from("synthetic:pack:4 numa:2 core:128 pu:2");
  EXPECT_EQ(machine.cpus().size(), 2048u);
  EXPECT_EQ(machine.allowed_cpus().to_string(), "0-2047");
  EXPECT_EQ(machine.find_cpu(2047)->node, 7);
  EXPECT_EQ(machine.nodes().size(), 8u);
  EXPECT_EQ(fault_of(machine), "");
}

TEST(DescribedMachine, RanksCacheDomainsInTheirNodeAndCoresInTheirDomain) {
  const auto machine = Topology::from("synthetic:pack:1 numa:2 l3:2 core:2 pu:1");
  EXPECT_THAT(column(machine, &Cpu::node_rank), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(column(machine, &Cpu::cache_rank), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(column(machine, &Cpu::core_rank), ElementsAre(0, 1, 0, 1, 0, 1, 0, 1));
  EXPECT_THAT(column(machine, &Cpu::core), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(DescribedMachine, CountsPackagesInTheirNodeWhereANodeSpansThem) {
  const auto machine = Topology::from("synthetic:numa:2 pack:2 core:1 pu:2");
  EXPECT_TRUE(machine.nodes_span_packages());
  EXPECT_THAT(column(machine, &Cpu::node_rank), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(column(machine, &Cpu::package_rank), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(column(machine, &Cpu::package), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_FALSE(Topology::from("synthetic:pack:2 numa:2 pu:1").nodes_span_packages());
}

TEST(DescribedMachine, KnowsTheKindsOfItsCores) {
  const auto machine = machine_file("hybrid.xml");
  ASSERT_EQ(machine.core_kinds().size(), 2u);
  EXPECT_EQ(machine.core_kinds()[0].name, "IntelAtom");
  EXPECT_EQ(machine.core_kinds()[1].name, "IntelCore");
  EXPECT_LT(machine.core_kinds()[0].efficiency, machine.core_kinds()[1].efficiency);
  EXPECT_EQ(machine.core_kinds()[1].cpus, (CpuSet{0, 1}));
  EXPECT_THAT(column(machine, &Cpu::kind), ElementsAre(1, 1, 0, 0, 0, 0));
}

TEST(DescribedMachine, HasOneKindOfCoreWhereNothingElseIsSaid) {
  const auto machine = Topology::from("synthetic:pu:4");
  ASSERT_EQ(machine.core_kinds().size(), 1u);
  EXPECT_EQ(machine.core_kinds()[0].cpus, machine.all_cpus());
  EXPECT_EQ(machine.core_kinds()[0].efficiency, -1);
}

TEST(DescribedMachine, ListsHighBandwidthMemoryButDealsNoCpuToIt) {
  const auto machine = machine_file("high_bandwidth.xml");
  EXPECT_EQ(machine.nodes().size(), 4u);
  EXPECT_EQ(machine.find_node(1)->memory_kind, MemoryKind::high_bandwidth);
  EXPECT_EQ(machine.find_node(1)->cpus, (CpuSet{0, 1}));
  EXPECT_THAT(column(machine, &Cpu::node), ElementsAre(0, 0, 2, 2));
  EXPECT_EQ(machine.find_node(0)->memory_bytes, 1073741824u);
}

TEST(DescribedMachine, DealsCpusOfAForbiddenNodeToTheNearestAllowedOne) {
  const auto machine = machine_file("disallowed.xml");
  EXPECT_EQ(machine.allowed_cpus().to_string(), "1-2,4-7");
  EXPECT_EQ(machine.all_cpus().to_string(), "0-7");
  EXPECT_EQ(machine.allowed_nodes(), NodeSet{1});
  EXPECT_THAT(column(machine, &Cpu::node), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_EQ(machine.distance(0, 1), 21);
  EXPECT_EQ(machine.distance(0, 7), std::nullopt);
  EXPECT_TRUE(machine.nodes_span_packages());
  // CPU 0 may not be used, so its sibling 1 is the first of their core.
  EXPECT_EQ(machine.find_cpu(1)->smt, 0);
  EXPECT_EQ(machine.find_cpu(0)->smt, 1);
}

TEST(DescribedMachine, MayHaveNodeNumbersWithGaps) {
  const auto machine =
      from_tree({.cpus = {{0, 0, 0}, {1, 0, 1}, {2, 1, 0}, {3, 1, 1}},
                 .nodes = {{1, {0, 1}, 1024, "10 20"}, {8, {2, 3}, 2048, "20 10"}}});
  EXPECT_EQ(machine.all_nodes(), (NodeSet{1, 8}));
  EXPECT_THAT(column(machine, &Cpu::node), ElementsAre(1, 1, 8, 8));
  EXPECT_THAT(column(machine, &Cpu::package_rank), ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(machine.distance(8, 1), 20);
  EXPECT_EQ(machine.find_node(8)->memory_bytes, 2048u * 1024);
  EXPECT_EQ(machine.find_node(0), nullptr);
}

TEST(DescribedMachine, MayHaveMemoryWithoutCpus) {
  const auto machine = from_tree({.cpus = {{0, 0, 0}, {1, 0, 1}},
                                  .nodes = {{0, {0, 1}, 1024, "10 20"}, {1, {}, 4096, "20 10"}}});
  ASSERT_NE(machine.find_node(1), nullptr);
  EXPECT_EQ(machine.find_node(1)->memory_bytes, 4096u * 1024);
  EXPECT_THAT(column(machine, &Cpu::node), ElementsAre(0, 0));
}

TEST(DescribedMachine, DealsCpusOfANodeWithoutMemoryToTheNearestThatHasSome) {
  const auto machine = from_tree(
      {.cpus = {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}},
       .nodes = {{0, {0}, 1024, "10 40 30"}, {1, {1}, 0, "40 10 20"}, {2, {2}, 1024, "30 20 10"}}});
  EXPECT_EQ(machine.find_cpu(1)->node, 2);
  EXPECT_EQ(machine.find_node(1)->memory_kind, MemoryKind::none);
  EXPECT_THAT(column(machine, &Cpu::node), ElementsAre(0, 2, 2));
}

TEST(DescribedMachine, RanksSiblingsThatAreOnlineAfterOthersWentOffline) {
  // Core 0 has lost CPU 0, core 1 has lost CPU 5.
  const auto machine = from_tree({.cpus = {{4, 0, 0}, {1, 0, 1}, {2, 0, 2}, {6, 0, 2}},
                                  .nodes = {{0, {1, 2, 4, 6}, 1024, "10"}}});
  EXPECT_EQ(machine.find_cpu(4)->smt, 0);
  EXPECT_EQ(machine.find_cpu(1)->smt, 0);
  EXPECT_EQ(machine.find_cpu(2)->smt, 0);
  EXPECT_EQ(machine.find_cpu(6)->smt, 1);
}

TEST(DescribedMachine, IsReadFromATreeWhoseFilesEndInNulBytes) {
  const SysMachine plain{.cpus = {{0, 0, 0}, {1, 0, 1}, {2, 1, 0}},
                         .nodes = {{0, {0, 1}, 1024, "10 21"}, {1, {2}, 1024, "21 10"}}};
  SysMachine dumped = plain;
  dumped.end = std::string("\n\0\0\0", 4);
  const Topology a = from_tree(plain);
  const Topology b = from_tree(dumped);
  EXPECT_EQ(column(a, &Cpu::node), column(b, &Cpu::node));
  EXPECT_EQ(column(a, &Cpu::package), column(b, &Cpu::package));
  EXPECT_EQ(a.distance(0, 1), b.distance(0, 1));
}

TEST(DescribedMachine, IsNotTheOneThatRunsThis) {
  const auto machine = Topology::from("synthetic:pu:2");
  EXPECT_FALSE(machine.support().this_machine);
  EXPECT_FALSE(machine.support().bind_threads);
  EXPECT_FALSE(machine.support().bind_memory);
  EXPECT_FALSE(machine.support().query_pages);
  EXPECT_EQ(machine.cpu_quota(), std::nullopt);
}

TEST(ThisMachine, HasTheCpusThatTheProcessMayUse) {
  const Topology& machine = Topology::this_machine();
  EXPECT_EQ(fault_of(machine), "");
  EXPECT_TRUE(machine.support().this_machine);
  EXPECT_EQ(machine.origin(), "this machine");
  EXPECT_EQ(Topology::discover().allowed_cpus(), machine.allowed_cpus());
}

TEST(ThisMachineDeathTest, IsNoneThatAVariableOfHwlocDescribes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string folder = KINJO_TEST_MACHINES;
  const std::pair<const char*, std::string> cases[] = {
      {"HWLOC_SYNTHETIC", "pack:2 numa:1 core:1 pu:1"},
      {"HWLOC_XMLFILE", folder + "/two_socket_server.xml"},
  };
  for (const auto& [variable, value] : cases) {
    const auto discover = [&] {
      setenv(variable, value.c_str(), 1);
      std::fputs(error_of([] { static_cast<void>(Topology::this_machine()); }).c_str(), stderr);
      std::exit(0);
    };
    EXPECT_EXIT(discover(), testing::ExitedWithCode(0),
                "bad_input: " + std::string(variable) +
                    ": hwloc describes another machine than this one by it: expected it unset");
  }
}

TEST(ThisMachineDeathTest, IsFoundWithoutAChangeOfVariablesThatAreRight) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto discover = [] {
    static char plugins[] = "HWLOC_PLUGINS_PATH=", hide[] = "HWLOC_HIDE_ERRORS=2";
    putenv(plugins);
    putenv(hide);
    Topology::discover();
    const bool are_kept = std::getenv("HWLOC_PLUGINS_PATH") == std::strchr(plugins, '=') + 1 &&
                          std::getenv("HWLOC_HIDE_ERRORS") == std::strchr(hide, '=') + 1;
    std::exit(are_kept ? 0 : 1);
  };
  EXPECT_EXIT(discover(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace kinjo::test
