#include "measure/node_memory.hpp"

#include <cerrno>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo {
namespace {

using test::error_of;
using test::Scratch;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kGiB = 1 << 30;

/// Two nodes, each with two caches of 8 MiB.
Topology two_nodes() {
  return Topology::from(
      "synthetic:pack:2 [numa(memory=17179869184)] l3:2(size=8388608) core:1 pu:2");
}

TEST(MeasurableNodes, OfMemoryAloneAreTargetsOnly) {
  const Topology machine = Topology::from(KINJO_TEST_MACHINES "/high_bandwidth.xml");
  const auto cpu_nodes = measurable_cpu_nodes(machine);
  const auto memory_nodes = measurable_memory_nodes(machine);
  EXPECT_LT(cpu_nodes.size(), memory_nodes.size());
  for (int node : cpu_nodes) EXPECT_FALSE(cpus_dealt_to(machine, node).empty());
  for (int node : memory_nodes) EXPECT_NE(machine.find_node(node), nullptr);
}

TEST(CpusDealtTo, HasCoresBeforeTheirSiblings) {
  EXPECT_THAT(cpus_dealt_to(two_nodes(), 1), ElementsAre(4, 6, 5, 7));
  EXPECT_THAT(cpus_dealt_to(two_nodes(), 2), IsEmpty());
}

TEST(LastLevelReach, IsOneCachesAndOneNodes) {
  const CacheReach reach = last_level_reach(two_nodes());
  EXPECT_EQ(reach.one, 8 * kMiB);
  EXPECT_EQ(reach.node, 16 * kMiB);
  EXPECT_EQ(last_level_reach(Topology::from("synthetic:core:2 pu:1")).node, 0u);
}

TEST(NodeFreeBytes, IsReadFromTheNodesFile) {
  const Scratch tree;
  tree.write("sys/devices/system/node/node3/meminfo",
             "Node 3 MemTotal:       4096 kB\nNode 3 MemFree:        1024 kB\n");
  tree.write("sys/devices/system/node/node4/meminfo", "Node 4 MemFree:  many kB\n");
  tree.write("sys/devices/system/node/node5/meminfo", "Node 5 MemFree: 18446744073709551615 kB\n");
  EXPECT_EQ(node_free_bytes(3, tree.path()), kMiB);
  EXPECT_EQ(node_free_bytes(4, tree.path()), std::nullopt);
  EXPECT_EQ(node_free_bytes(5, tree.path()), std::nullopt);
  EXPECT_EQ(node_free_bytes(6, tree.path()), std::nullopt);
}

TEST(NodeBufferPlan, FollowsTheRule) {
  const NodeBufferPlan plan = plan_node_buffers(two_nodes(), 0, {});
  EXPECT_EQ(plan.bytes, 64 * kMiB);  // four times 16 MiB
  EXPECT_THAT(plan.by_node, ElementsAre(Pair(0, 64 * kMiB), Pair(1, 64 * kMiB)));
  EXPECT_EQ(plan.total_bytes, 3 * 64 * kMiB);
  EXPECT_THAT(plan.notes, IsEmpty());
}

TEST(NodeBufferPlan, TakesWhatWasAskedForToTheByte) {
  const NodeBufferPlan plan =
      plan_node_buffers(two_nodes(), 1'000'000'000, {.free = {{0, 8 * kGiB}, {1, 8 * kGiB}}});
  EXPECT_THAT(plan.by_node, ElementsAre(Pair(0, 1'000'000'000), Pair(1, 1'000'000'000)));
  EXPECT_EQ(plan.rule_bytes, 64 * kMiB);
}

TEST(NodeBufferPlan, TakesLessOnANodeThatIsShortAndSaysSo) {
  const NodeBufferPlan plan =
      plan_node_buffers(two_nodes(), 0, {.free = {{0, kGiB}, {1, 100 * kMiB}}});
  EXPECT_THAT(plan.by_node, ElementsAre(Pair(0, 64 * kMiB), Pair(1, 30 * kMiB)));
  EXPECT_EQ(plan.total_bytes, (64 + 30 + 64) * kMiB);
  EXPECT_THAT(plan.notes, ElementsAre("node 1 was measured with 30 MiB instead of 64 MiB: only 100 "
                                      "MiB are free on it"));
}

TEST(NodeBufferPlan, LeavesOutANodeThatIsFull) {
  const NodeBufferPlan plan = plan_node_buffers(two_nodes(), 0, {.free = {{0, kMiB}}});
  EXPECT_THAT(plan.by_node, ElementsAre(Pair(1, 64 * kMiB)));
  EXPECT_THAT(plan.notes, ElementsAre("node 0 was left out: only 1 MiB are free on it"));
}

TEST(NodeBufferPlan, KeepsToWhatTheProcessMayHave) {
  const NodeBufferPlan plan =
      plan_node_buffers(two_nodes(), 0, {.free = {}, .available = 100 * kMiB});
  EXPECT_THAT(plan.by_node, ElementsAre(Pair(0, 20 * kMiB), Pair(1, 20 * kMiB)));
  EXPECT_LE(plan.total_bytes, 60 * kMiB);
  EXPECT_THAT(plan.notes, testing::Contains("node 0 was measured with 20 MiB instead of 64 MiB: "
                                            "only 100 MiB are available to the process"));
}

TEST(NodeBufferPlan, RefusesABufferThatDoesNotFit) {
  EXPECT_EQ(error_of([] {
              plan_node_buffers(two_nodes(), kGiB, {.free = {{0, 8 * kGiB}, {1, 2 * kGiB}}});
            }),
            "out_of_memory: a buffer of 1 GiB does not fit on node 1: expected at most 614 MiB, "
            "since 2 GiB are free on it");
}

TEST(JudgePages, IsSilentWhereAllAreWhereTheyShouldBe) {
  const Whereabouts pages =
      judge_pages({.page_bytes = 4096, .pages = 10, .by_node = {{1, 10}}}, 1, false);
  EXPECT_TRUE(pages.usable);
  EXPECT_EQ(pages.warning, "");
}

TEST(JudgePages, WarnsOfSomeElsewhereAndRejectsMost) {
  const auto judge = [](std::size_t here) {
    return judge_pages({.page_bytes = 4096, .pages = 10, .by_node = {{0, 10 - here}, {1, here}}}, 1,
                       false);
  };
  EXPECT_TRUE(judge(9).usable);
  EXPECT_EQ(judge(9).warning, "only 9 of 10 pages are on node 1");
  EXPECT_TRUE(judge(5).usable);
  EXPECT_FALSE(judge(4).usable);
  EXPECT_EQ(judge(4).warning, "only 4 of 10 pages are on node 1");
}

TEST(JudgePages, SaysThatItDoesNotKnowWhereTheKernelDoesNot) {
  const Audit refused{
      .page_bytes = 4096, .pages = 10, .by_node = {}, .unknown = 10, .refusal = EPERM};
  EXPECT_TRUE(judge_pages(refused, 1, false).usable);
  EXPECT_EQ(judge_pages(refused, 1, false).warning,
            "where its pages are is not known: move_pages returned EPERM");
  EXPECT_EQ(judge_pages(refused, 1, true).warning, "");  // there is no other node
}

TEST(NodeBuffer, IsTouchedUnlessAskedOtherwise) {
  const Topology& machine = Topology::this_machine();
  const int node = measurable_memory_nodes(machine).front();
  const NodeBuffer now(node, 1 << 20, Pages::normal);
  EXPECT_EQ(now.buffer().audit().not_present, 0u);
  const NodeBuffer later(node, 1 << 20, Pages::normal, NodeBuffer::Touch::later);
  EXPECT_EQ(later.buffer().audit().on(node), 0u);
}

}  // namespace
}  // namespace kinjo
