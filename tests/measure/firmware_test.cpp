#include "measure/firmware.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"
#include "support/zoo.hpp"

namespace kinjo {
namespace {

using test::Scratch;
using testing::ElementsAre;
using testing::IsEmpty;

/// Writes what the kernel shows of a node's nearest initiators.
void write_access(const Scratch& tree, int node, const char* access, int initiator,
                  const std::vector<std::pair<const char*, const char*>>& figures) {
  const std::string at = fmt::format("sys/devices/system/node/node{}/{}/initiators/", node, access);
  tree.write(fmt::format("{}node{}/x", at, initiator), "");
  for (const auto& [name, value] : figures) tree.write(at + name, value);
}

std::vector<std::string> texts(const std::vector<FirmwareMemory>& all) {
  std::vector<std::string> texts;
  for (const FirmwareMemory& m : all) {
    texts.push_back(fmt::format("{} from {} (CPUs {}): {} {} ns, {} {} MB/s", m.node,
                                m.initiators.to_string(), m.cpus.to_string(),
                                m.read_latency_ns.value_or(-1), m.write_latency_ns.value_or(-1),
                                m.read_mb_s.value_or(-1), m.write_mb_s.value_or(-1)));
  }
  return texts;
}

TEST(FirmwareMemory, IsReadWithItsInitiators) {
  const Scratch tree;
  tree.write("sys/devices/system/node/node0/cpulist", "0-1\n");
  write_access(tree, 0, "access0", 0,
               {{"read_latency", "90\n"},
                {"write_latency", "95\n"},
                {"read_bandwidth", "64000\n"},
                {"write_bandwidth", "32000\n"}});
  write_access(tree, 2, "access0", 0, {{"read_latency", "250\n"}});
  EXPECT_THAT(texts(read_firmware_memory(tree.path())),
              ElementsAre("0 from 0 (CPUs 0-1): 90 95 ns, 64000 32000 MB/s",
                          "2 from 0 (CPUs 0-1): 250 -1 ns, -1 -1 MB/s"));
}

TEST(FirmwareMemory, IsThatOfTheNearestCpusWhereADeviceIsNearer) {
  const Scratch tree;
  tree.write("sys/devices/system/node/node0/cpumap", "00000001,0000000c\n");
  write_access(tree, 5, "access0", 4, {{"read_latency", "8\n"}});
  write_access(tree, 5, "access1", 0, {{"read_latency", "26\n"}});
  EXPECT_THAT(texts(read_firmware_memory(tree.path())),
              ElementsAre("5 from 0 (CPUs 2-3,32): 26 -1 ns, -1 -1 MB/s"));
}

TEST(FirmwareMemory, IsAbsentWhereTablesSayNothing) {
  const Scratch tree;
  write_access(tree, 0, "access0", 0, {{"read_latency", "0\n"}, {"read_bandwidth", "\n"}});
  write_access(tree, 1, "access0", 0, {{"read_latency", "-5\n"}, {"write_latency", "bogus\n"}});
  EXPECT_THAT(read_firmware_memory(tree.path()), IsEmpty());
  EXPECT_THAT(read_firmware_memory(tree.path("absent")), IsEmpty());
}

TEST(FirmwareMemory, OfRealMachinesIsWhatTheirTablesSay) {
  KINJO_REQUIRE_ZOO(machines);
  bool seen = false;
  for (const test::ZooMachine& machine : *machines) {
    if (machine.tree.empty()) continue;
    const auto found = texts(read_firmware_memory(machine.tree));
    if (machine.name == "fakememinitiators-1np2c+1npp+gi") {
      seen = true;
      EXPECT_THAT(found, ElementsAre("5 from 0 (CPUs 0-1): 26 26 ns, 131072 131072 MB/s",
                                     "6 from 2 (CPUs 4-5): 26 26 ns, 131072 131072 MB/s",
                                     "7 from 0,2 (CPUs 0-1,4-5): 77 77 ns, 78644 78644 MB/s",
                                     "8 from 1 (CPUs 2-3): 26 26 ns, 131072 131072 MB/s",
                                     "9 from 3 (CPUs 6-7): 26 26 ns, 131072 131072 MB/s",
                                     "10 from 1,3 (CPUs 2-3,6-7): 77 77 ns, 78644 78644 MB/s"));
    } else {
      EXPECT_THAT(found, IsEmpty()) << machine.name;  // memorysidecaches has a table of zeros
    }
  }
  EXPECT_TRUE(seen);
}

TEST(FirmwareView, GoesToThePairsThatItHoldsFor) {
  const Topology machine = Topology::from("synthetic:pack:2 [numa(memory=1073741824)] core:2 pu:1");
  NodesProfile nodes;
  for (int cpu_node : {0, 1}) {
    for (int memory_node : {0, 1}) {
      nodes.pairs.push_back({.cpu_node = cpu_node, .memory_node = memory_node});
    }
  }
  add_firmware_view(nodes, machine,
                    {{.node = 1,
                      .initiators = {1},
                      .cpus = {2, 3},
                      .read_latency_ns = 90,
                      .write_latency_ns = 95,
                      .read_mb_s = 64000,
                      .write_mb_s = {}}});
  EXPECT_EQ(nodes.pairs[1].hmat_latency_ns, std::nullopt);  // from node 0
  EXPECT_EQ(nodes.pairs[3].hmat_latency_ns, 90);
  EXPECT_EQ(nodes.pairs[3].hmat_write_latency_ns, 95);
  EXPECT_EQ(nodes.pairs[3].hmat_read_mb_s, 64000);
  EXPECT_EQ(nodes.pairs[3].hmat_write_mb_s, std::nullopt);
}

TEST(FirmwareView, HoldsForNoneOfANodesCpusUnlessForAll) {
  const Topology machine = Topology::from("synthetic:pack:2 [numa(memory=1073741824)] core:2 pu:1");
  NodesProfile nodes{.pairs = {{.cpu_node = 1, .memory_node = 1}}};
  add_firmware_view(nodes, machine,
                    {{.node = 1,
                      .initiators = {1},
                      .cpus = {2},
                      .read_latency_ns = 90,
                      .write_latency_ns = {},
                      .read_mb_s = {},
                      .write_mb_s = {}}});
  EXPECT_EQ(nodes.pairs[0].hmat_latency_ns, std::nullopt);
}

}  // namespace
}  // namespace kinjo
