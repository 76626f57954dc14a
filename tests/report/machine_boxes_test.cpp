#include "report/machine_boxes.hpp"

#include <algorithm>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/zoo.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The tree in words: the first line of each box, memory in [ ], children in ( ).
std::string outline(const MachineBox& box) {
  std::string text = box.lines.empty() ? "group" : box.lines[0].text;
  for (const MachineBox& memory : box.memory) text += " [" + memory.lines[0].text + "]";
  if (box.children.empty()) return text;
  text += " (";
  for (const MachineBox& child : box.children) {
    text += (&child == &box.children[0] ? "" : ", ") + outline(child);
  }
  return text + ")";
}

/// What the machine holds.
std::string outline_of(const std::string& machine, MachineDetail detail = MachineDetail::full) {
  MachineBox box = machine_boxes(Topology::from("synthetic:" + machine), detail);
  box.lines = {{"machine"}};
  return outline(box).substr(std::string("machine ").size());
}

TEST(MachineBoxes, NestAsTheCpusDo) {
  EXPECT_EQ(outline_of("pack:1 [numa(memory=1073741824)] l2:1(size=1048576) core:2 pu:2"),
            "(package 0 [node 0: 1 GiB] (L2 1 MiB (core 0 (0, 1), core 1 (2, 3))))");
}

TEST(MachineBoxes, PutMemoryIntoPackagesOrGroupsOfItsOwn) {
  EXPECT_EQ(outline_of("pack:2 [numa] core:1 pu:1"),
            "(package 0 [node 0] (core 0 (0)), package 1 [node 1] (core 0 (1)))");
  EXPECT_EQ(outline_of("pack:1 group:2 [numa] core:2 pu:1"),
            "(package 0 (group [node 0] (core 0 (0), core 1 (1)), "
            "group [node 1] (core 2 (2), core 3 (3))))");
}

TEST(MachineBoxes, ShowMemoryThatSeveralPackagesShareInTheMachine) {
  EXPECT_EQ(outline_of("[numa] pack:2 core:1 pu:1"),
            "[node 0] (package 0 (core 0 (0)), package 1 (core 0 (1)))");
}

TEST(MachineBoxes, JoinDataAndInstructionCachesOfTheSameCpus) {
  const Topology topology = Topology::from(
      "synthetic:pack:1 l2:1(size=1048576) l1d:1(size=32768) l1i:1(size=65536) core:1 pu:1");
  const MachineBox box = machine_boxes(topology, MachineDetail::full);
  const MachineBox& l1 = box.children[0].children[0].children[0];
  ASSERT_EQ(l1.lines.size(), 2u);
  EXPECT_EQ(l1.lines[0].text, "L1d 32 KiB");
  EXPECT_EQ(l1.lines[1].text, "L1i 64 KiB");
}

TEST(MachineBoxes, LeaveOutWhatBelongsToOneCoreInTheCompactForm) {
  const char* machine =
      "pack:1 [numa] l3:1(size=4194304) l2:2(size=1048576) l1d:1(size=32768) "
      "core:1 pu:2";
  EXPECT_EQ(outline_of(machine, MachineDetail::compact),
            "(package 0 [node 0] (L3 4 MiB (core 0 (0, 1), core 1 (2, 3))))");
  EXPECT_THAT(private_caches(Topology::from(std::string("synthetic:") + machine)),
              ElementsAre("each core: L2 1 MiB, L1d 32 KiB"));
}

TEST(PrivateCaches, AreNamedForEachKindOfCore) {
  KINJO_REQUIRE_ZOO(machines);
  const auto hybrid =
      std::ranges::find(*machines, "20em64t-hybrid-1p6c2t+2ca4co1t", &test::ZooMachine::name);
  ASSERT_NE(hybrid, machines->end());
  EXPECT_THAT(private_caches(Topology::from(hybrid->xml)),
              ElementsAre("each core of CPUs 0-11: L2 1.2 MiB, L1d 48 KiB, L1i 32 KiB",
                          "each core of CPUs 12-19: L1d 32 KiB, L1i 64 KiB"));
}

TEST(PrivateCaches, AreNoneWhereNoneAreKnown) {
  EXPECT_THAT(private_caches(Topology::from("synthetic:pu:2")), IsEmpty());
}

TEST(MachineBoxes, MarkWhatMayNotBeUsed) {
  const Topology topology = Topology::from(KINJO_TEST_MACHINES "/disallowed.xml");
  std::size_t refused = 0;
  const std::function<void(const MachineBox&)> count = [&](const MachineBox& box) {
    if (box.kind == BoxKind::cpu && !box.allowed) {
      ++refused;
      EXPECT_THAT(box.tip, testing::EndsWith(", may not be used"));
    }
    for (const MachineBox& child : box.children) count(child);
  };
  count(machine_boxes(topology, MachineDetail::full));
  EXPECT_EQ(refused, topology.all_cpus().count() - topology.allowed_cpus().count());
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace kinjo
