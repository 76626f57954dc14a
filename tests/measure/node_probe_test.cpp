#include "measure/node_probe.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/chase.hpp"
#include "measure/loaded_latency.hpp"
#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;
using testing::ElementsAre;

constexpr ProbeOptions kQuick{
    .samples = 2, .budget_seconds = 0, .sample_seconds = 1e-4, .pages = Pages::normal};

NodeProbeRequest quick_request() {
  return {.buffer_bytes = 1 << 20, .budget_seconds = 600, .options = kQuick};
}

void expect_positive(const Bandwidth& bandwidth) {
  for (const auto& figure : {bandwidth.read, bandwidth.write, bandwidth.copy}) {
    ASSERT_TRUE(figure);
    EXPECT_GT(figure->summary.min, 0);
    EXPECT_EQ(figure->summary.count, 2u);
    EXPECT_EQ(figure->unit, "GB/s");
  }
}

TEST(ScalingThreads, AreThoseOfTheTablesAndTheMost) {
  EXPECT_THAT(scaling_threads(1), ElementsAre(1));
  EXPECT_THAT(scaling_threads(2), ElementsAre(1, 2));
  EXPECT_THAT(scaling_threads(8), ElementsAre(1, 2, 3, 4, 6, 8));
  EXPECT_THAT(scaling_threads(20), ElementsAre(1, 2, 3, 4, 6, 8, 12, 16, 20));
}

TEST(NodeProbePlan, CountsTheFiguresThatAreTaken) {
  const Topology& machine = Topology::this_machine();
  NodeProbeRequest request = quick_request();
  request.loaded = request.scaling = false;
  const NodeProbePlan plan = plan_node_probe(machine, request);
  EXPECT_EQ(plan.figures, plan.cpu_nodes.size() * plan.memory_nodes.size() * 9 + 3);
  request = quick_request();
  request.pairs = request.loaded = false;
  EXPECT_EQ(plan_node_probe(machine, request).figures,
            scaling_threads(machine.allowed_cpus().count()).size() * 2 * 3);
}

TEST(ProbeNodes, FillsTheMatrix) {
  const Topology& machine = Topology::this_machine();
  const NodeProbePlan plan = plan_node_probe(machine, quick_request());
  std::vector<std::size_t> done;
  const NodesProfile nodes = probe_nodes(machine, plan, [&](const Progress& p) {
    done.push_back(p.done);
    EXPECT_EQ(p.total, plan.figures);
    EXPECT_LT(p.done, p.total);
    EXPECT_NE(p.now, "");
  });
  EXPECT_TRUE(std::ranges::is_sorted(done));
  EXPECT_EQ(nodes.pages, "normal");
  EXPECT_EQ(nodes.buffer_bytes, 1u << 20);
  ASSERT_EQ(nodes.pairs.size(), plan.cpu_nodes.size() * plan.memory_nodes.size());
  for (const NodePairProfile& pair : nodes.pairs) {
    ASSERT_TRUE(pair.latency_ns && pair.first_touch && pair.second_pass);
    EXPECT_GT(pair.latency_ns->summary.min, 0);
    EXPECT_EQ(pair.first_touch->summary.count, 2u);
    EXPECT_EQ(pair.second_pass->summary.count, 2u);
    expect_positive(pair.one_thread);
    expect_positive(pair.all_threads);
  }
  expect_positive(nodes.all_nodes_local);
}

TEST(ProbeNodes, TellsTheBuffersThatWereTakenAndNotThoseThatWereWanted) {
  const Topology& machine = Topology::this_machine();
  NodeProbeRequest request = quick_request();
  request.loaded = request.scaling = false;
  NodeProbePlan plan = plan_node_probe(machine, request);
  for (auto& [node, bytes] : plan.buffers.by_node) bytes = 1 << 18;
  EXPECT_EQ(probe_nodes(machine, plan, {}).buffer_bytes, 1u << 18);
  EXPECT_FALSE(probe_nodes(machine, plan, {}).largest_buffer_bytes);
}

TEST(ProbeNodes, MeasuresByNumberOfThreadsInBothFillings) {
  const Topology& machine = Topology::this_machine();
  NodeProbeRequest request = quick_request();
  request.pairs = request.loaded = false;
  const NodesProfile nodes = probe_nodes(machine, plan_node_probe(machine, request), {});
  EXPECT_TRUE(nodes.pairs.empty() && nodes.loaded.empty());
  std::vector<std::pair<std::string, std::size_t>> seen, expected;
  for (const ScalingPoint& point : nodes.scaling) {
    seen.emplace_back(point.policy, point.threads);
    expect_positive(point.bandwidth);
  }
  for (const char* policy : {"scatter", "compact"}) {
    for (std::size_t n : scaling_threads(machine.allowed_cpus().count())) {
      expected.emplace_back(policy, n);
    }
  }
  EXPECT_EQ(seen, expected);
}

TEST(ProbeNodes, NotesThatLatencyUnderLoadNeedsTwoCpus) {
  const Topology& machine = Topology::this_machine();
  NodeProbeRequest request = quick_request();
  request.pairs = request.scaling = false;
  const NodesProfile nodes = probe_nodes(machine, plan_node_probe(machine, request), {});
  if (machine.allowed_cpus().count() > 1 && machine.nodes().size() == 1) {
    EXPECT_EQ(nodes.loaded.size(), loading_delays().size());
    for (const LoadedPoint& point : nodes.loaded) EXPECT_GT(point.latency_ns.summary.min, 0);
  } else if (machine.allowed_cpus().count() == 1) {
    EXPECT_TRUE(nodes.loaded.empty());
    EXPECT_THAT(nodes.notes, ElementsAre("latency under load was left out: no node has two CPUs "
                                         "that may be used"));
  }
}

TEST(LoadedLatency, CountsWhatTheLoadingThreadsRead) {
  const Topology& machine = Topology::this_machine();
  const Mapping mapping(machine, Policy::scatter(), 2, Oversubscribe::wrap);
  Team team(mapping);
  const NodeBuffer cycle(mapping[0].node, 1 << 18, Pages::normal);
  const NodeBuffer load(mapping[0].node, 1 << 18, Pages::normal);
  link_chase(cycle.data(), cycle.size());
  const std::span bytes(static_cast<const std::byte*>(load.data()), load.size());
  const LoadedPoint busy = measure_loaded_latency(team, cycle.data(), bytes, 0, kQuick);
  EXPECT_EQ(busy.delay_cycles, 0);
  EXPECT_EQ(busy.latency_ns.unit, "ns");
  EXPECT_EQ(busy.bandwidth.unit, "GB/s");
  EXPECT_EQ(busy.latency_ns.summary.count, busy.bandwidth.summary.count);
  EXPECT_GT(busy.latency_ns.summary.min, 0);
}

}  // namespace
}  // namespace kinjo
