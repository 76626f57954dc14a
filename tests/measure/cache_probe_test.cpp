/// What is measured on which machine, and on this one that it is.
#include "measure/cache_probe.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/zoo.hpp"

namespace kinjo {
namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

std::vector<CachePlan> plans_of(const std::string& machine) {
  return plan_caches(Topology::from(machine));
}

TEST(CachePlans, TakeHalfOfTheInnermostAndAQuarterOfTheWayToTheOthers) {
  const auto plans = plans_of(
      "synthetic:pack:2 l3:1(size=33554432) l2:4(size=1048576) l1d:1(size=32768) core:1 pu:2");
  ASSERT_EQ(plans.size(), 3u);
  EXPECT_EQ(plans[0].level, 1);
  EXPECT_EQ(plans[0].size_bytes, 32 * kKiB);
  EXPECT_EQ(plans[0].working_set_bytes, 16 * kKiB);
  EXPECT_EQ(plans[0].shared_set_bytes, 16 * kKiB);
  EXPECT_EQ(plans[0].cpus, (CpuSet{0, 1}));
  EXPECT_EQ(plans[1].working_set_bytes, 32 * kKiB + (1024 - 32) * kKiB / 4);
  EXPECT_EQ(plans[1].cpus, (CpuSet{0, 1}));
  EXPECT_EQ(plans[2].working_set_bytes, 1 * kMiB + 31 * kMiB / 4);
  EXPECT_EQ(plans[2].shared_set_bytes, plans[2].working_set_bytes)
      << "more than twice the four caches of 1 MiB inside";
  EXPECT_EQ(plans[2].cpus, (CpuSet{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(CachePlans, TakeTwiceTheInnerCachesForAllThreadsWhereThatFits) {
  const auto plans =
      plans_of("synthetic:pack:1 l3:1(size=33554432) l2:8(size=1048576) core:1 pu:1");
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[1].working_set_bytes, 1 * kMiB + 31 * kMiB / 4);
  EXPECT_EQ(plans[1].shared_set_bytes, 16 * kMiB);
}

TEST(CachePlans, HaveNoPartsForAllThreadsWhereTheInnerCachesWouldHoldThem) {
  const auto plans =
      plans_of("synthetic:pack:1 l3:1(size=33554432) l2:16(size=2097152) core:1 pu:1");
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[1].working_set_bytes, 2 * kMiB + 30 * kMiB / 4);
  EXPECT_EQ(plans[1].shared_set_bytes, 0u);
}

TEST(CachePlans, LeaveOutCachesThatAreNotLargerThanTheOneInside) {
  const auto plans = plans_of("synthetic:pack:1 l3:1(size=1048576) l2:1(size=1048576) core:1 pu:1");
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_EQ(plans[0].level, 2);
}

TEST(CachePlans, AreNoneWhereNoCacheIsKnown) {
  EXPECT_TRUE(plans_of("synthetic:pack:2 core:4 pu:2").empty());
}

/// `L1 32768 on 0-1` for each plan.
std::vector<std::string> short_forms(const std::vector<CachePlan>& plans) {
  std::vector<std::string> forms;
  for (const CachePlan& plan : plans) {
    forms.push_back(
        fmt::format("L{} {} on {}", plan.level, plan.size_bytes, plan.cpus.to_string()));
  }
  return forms;
}

TEST(CachePlans, LeaveOutCachesOfInstructionsAndTakeTheFirstOfEachLevel) {
  EXPECT_THAT(
      short_forms(plans_of(KINJO_TEST_MACHINES "/two_socket_server.xml")),
      testing::ElementsAre("L1 49152 on 0,32", "L2 1310720 on 0,32", "L3 37748736 on 0-15,32-47"));
}

TEST(CachePlans, TakeEachSizeOfALevelWhereCoresDiffer) {
  KINJO_REQUIRE_ZOO(machines);
  for (const auto& machine : *machines) {
    if (machine.name != "20em64t-hybrid-1p6c2t+2ca4co1t") continue;
    EXPECT_THAT(short_forms(plans_of(machine.xml)),
                testing::ElementsAre("L1 49152 on 0-1", "L1 32768 on 12", "L2 1310720 on 0-1",
                                     "L2 2097152 on 12-15", "L3 25165824 on 0-19"));
  }
}

TEST(CachePlans, HoldTheirPromisesOnEveryMachine) {
  KINJO_REQUIRE_ZOO(machines);
  for (const auto& described : *machines) {
    const Topology machine = Topology::from(described.xml);
    for (const CachePlan& plan : plan_caches(machine)) {
      SCOPED_TRACE(described.name + " L" + std::to_string(plan.level));
      const std::uint64_t granule = 2 * plan.line_bytes * plan.cpus.count();
      EXPECT_GT(plan.working_set_bytes, 0u);
      EXPECT_EQ(plan.working_set_bytes % granule, 0u);
      EXPECT_EQ(plan.shared_set_bytes % granule, 0u);
      EXPECT_LE(plan.working_set_bytes, std::max(plan.size_bytes, granule));
      EXPECT_LE(plan.shared_set_bytes, plan.size_bytes / 4 * 3);
      EXPECT_FALSE(plan.cpus.empty());
      EXPECT_EQ(plan.cpus & machine.allowed_cpus(), plan.cpus);
    }
  }
}

constexpr ProbeOptions kQuick{.samples = 6, .budget_seconds = 0, .sample_seconds = 2e-5};

void expect_figure(const std::optional<Figure>& figure, const std::string& unit) {
  ASSERT_TRUE(figure);
  EXPECT_EQ(figure->unit, unit);
  EXPECT_EQ(figure->summary.count, kQuick.samples);
  EXPECT_GT(figure->summary.min, 0);
}

TEST(CacheProbe, MeasuresEveryCacheThatIsPlanned) {
  const Topology& machine = Topology::this_machine();
  const auto plans = plan_caches(machine);
  std::vector<Progress> steps;
  const auto profiles =
      probe_caches(machine, kQuick, [&](const Progress& progress) { steps.push_back(progress); });
  ASSERT_EQ(profiles.size(), plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    SCOPED_TRACE("L" + std::to_string(plans[i].level));
    EXPECT_EQ(profiles[i].level, plans[i].level);
    EXPECT_EQ(profiles[i].working_set_bytes, plans[i].working_set_bytes);
    EXPECT_EQ(profiles[i].shared_set_bytes, plans[i].shared_set_bytes);
    EXPECT_EQ(profiles[i].cpus, plans[i].cpus);
    expect_figure(profiles[i].latency_ns, "ns");
    for (const Bandwidth& bandwidth : {profiles[i].one_thread, profiles[i].all_threads}) {
      expect_figure(bandwidth.read, "GB/s");
      if (plans[i].shared_set_bytes == 0 && plans[i].cpus.count() > 1) continue;
      expect_figure(bandwidth.write, "GB/s");
      expect_figure(bandwidth.copy, "GB/s");
    }
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].done, i);
    EXPECT_EQ(steps[i].total, steps.size());
  }
}

TEST(CacheProbe, MeasuresInNormalPagesToo) {
  ProbeOptions options = kQuick;
  options.pages = Pages::normal;
  for (const CacheProfile& profile : probe_caches(Topology::this_machine(), options)) {
    expect_figure(profile.latency_ns, "ns");
  }
}

}  // namespace
}  // namespace kinjo
