#include <kinjo/mapping.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/machine_check.hpp"
#include "support/oracle.hpp"

namespace kinjo::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

std::vector<int> deal(const Topology& machine, const char* policy, std::size_t threads) {
  std::vector<int> cpus;
  for (const Place& place : Mapping(machine, Policy::parse(policy), threads)) {
    cpus.push_back(place.cpu);
  }
  return cpus;
}

TEST(Mapping, DealsTwoPackagesOfTwoCoresOfTwoSiblingsAsThePoliciesSay) {
  const auto machine = Topology::from("synthetic:pack:2 numa:1 core:2 pu:2");
  EXPECT_THAT(deal(machine, "scatter", 8), ElementsAre(0, 4, 2, 6, 1, 5, 3, 7));
  EXPECT_THAT(deal(machine, "compact", 8), ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
  EXPECT_THAT(deal(machine, "compact-plus", 8), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
  EXPECT_THAT(deal(machine, "core,smt", 8), ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
  EXPECT_THAT(deal(machine, "package", 8), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(deal(machine, "none", 2), ElementsAre(-1, -1));
  EXPECT_THAT(deal(machine, "cpus:7,0-2", 3), ElementsAre(7, 0, 1));
}

TEST(Mapping, ExchangesPackageAndNodeWhereANodeSpansPackages) {
  const auto machine = Topology::from("synthetic:numa:2 pack:2 core:1 pu:2");
  EXPECT_THAT(deal(machine, "scatter", 4), ElementsAre(0, 4, 2, 6));
  EXPECT_THAT(deal(machine, "compact", 8), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(deal(machine, "compact-plus", 8), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
}

TEST(Mapping, OnSmallMachinesObeysTheSameRulesAsOnTheZoo) {
  for (const char* input :
       {"synthetic:pack:2 numa:2 l3:2 core:2 pu:2", "synthetic:numa:2 pack:2 l3:1 core:2 pu:2",
        "synthetic:pack:3 core:1 pu:4", "synthetic:pu:5", "synthetic:pack:4 numa:2 core:128 pu:2",
        KINJO_TEST_MACHINES "/disallowed.xml", KINJO_TEST_MACHINES "/hybrid.xml",
        KINJO_TEST_MACHINES "/high_bandwidth.xml"}) {
    const auto machine = Topology::from(input);
    for (const Policy& policy : tried_policies()) {
      // The plain oracle needs the cube of the number of CPUs.
      if (machine.cpus().size() > 512) continue;
      const Mapping mapping(machine, policy, machine.allowed_cpus().count());
      EXPECT_EQ(fault_of(mapping, machine), "") << input << " " << policy.name();
      if (!mapping.binds()) continue;
      std::vector<int> cpus;
      for (const Place& place : mapping) cpus.push_back(place.cpu);
      EXPECT_THAT(cpus, ElementsAreArray(expected_deal(machine, policy)))
          << input << " " << policy.name();
    }
  }
}

TEST(Mapping, TellsEachThreadWhereItIs) {
  const auto machine = Topology::from("synthetic:pack:2 numa:1 core:2 pu:2");
  const Mapping mapping(machine, Policy::scatter(), 5);
  EXPECT_EQ(mapping[3], (Place{.thread = 3,
                               .cpu = 6,
                               .node = 1,
                               .package = 1,
                               .core = 1,
                               .smt = 0,
                               .rank_in_node = 1,
                               .node_threads = 2}));
  EXPECT_EQ(mapping[4], (Place{.thread = 4,
                               .cpu = 1,
                               .node = 0,
                               .package = 0,
                               .core = 0,
                               .smt = 1,
                               .rank_in_node = 2,
                               .node_threads = 3}));
  EXPECT_THAT(mapping.nodes(), ElementsAre(0, 1));
  EXPECT_THAT(mapping.threads_on(0), ElementsAre(0, 2, 4));
  EXPECT_THAT(mapping.threads_on(9), ElementsAre());
  EXPECT_EQ(mapping.core_cpus(3), (CpuSet{6, 7}));
  EXPECT_EQ(mapping.node_cpus(3), (CpuSet{4, 5, 6, 7}));
}

TEST(Mapping, OfNoneLeavesEverythingToTheSystemButCountsTheThreads) {
  const Mapping mapping(Topology::from("synthetic:pu:4"), Policy::none(), 3);
  EXPECT_FALSE(mapping.binds());
  EXPECT_EQ(mapping[2], (Place{.thread = 2, .rank_in_node = 2, .node_threads = 3}));
  EXPECT_THAT(mapping.nodes(), ElementsAre(-1));
  EXPECT_TRUE(mapping.core_cpus(0).empty());
}

TEST(Mapping, OfOneAloneIsThatOfNoneOnAnyMachine) {
  const Mapping alone = Mapping::alone();
  for (const char* machine : {"synthetic:pu:1", "synthetic:pack:2 numa:2 core:2 pu:2"}) {
    const Mapping none(Topology::from(machine), Policy::none(), 1);
    ASSERT_EQ(alone.size(), 1u);
    EXPECT_EQ(alone[0], none[0]);
    EXPECT_EQ(alone.policy().name(), none.policy().name());
    EXPECT_EQ(alone.rounds(), none.rounds());
    EXPECT_THAT(alone.nodes(), ElementsAreArray(none.nodes()));
    EXPECT_EQ(alone.threads_on(-1), none.threads_on(-1));
    EXPECT_EQ(alone.core_cpus(0), none.core_cpus(0));
    EXPECT_EQ(alone.node_cpus(0), none.node_cpus(0));
  }
}

TEST(Mapping, WrapsAroundAndSaysSoWhenOversubscribed) {
  const auto machine = Topology::from("synthetic:pack:2 numa:1 core:2 pu:1");
  const Mapping mapping(machine, Policy::compact(), 9, Oversubscribe::wrap);
  EXPECT_EQ(mapping.rounds(), 3u);
  for (std::size_t t = 0; t < 9; ++t) EXPECT_EQ(mapping[t].cpu, static_cast<int>(t % 4)) << t;
  EXPECT_EQ(mapping[8].rank_in_node, 4);
  EXPECT_EQ(mapping[8].node_threads, 5);
  EXPECT_EQ(Mapping(machine, Policy::compact(), 4, Oversubscribe::wrap).rounds(), 1u);
}

TEST(Mapping, OfBadInputIsRefusedWithWhatIsAccepted) {
  const auto machine = Topology::from(KINJO_TEST_MACHINES "/disallowed.xml");
  const struct {
    const char* policy;
    std::size_t threads;
    const char* message;
  } cases[] = {
      {"scatter", 0, "invalid_argument: 0 threads: expected 1 to 6"},
      {"none", 0, "invalid_argument: 0 threads: expected 1 to 6"},
      {"scatter", 7,
       "invalid_argument: 7 threads exceed the 6 CPUs that policy scatter may use: expected 1 to "
       "6, or ask to oversubscribe"},
      {"cpus:4", 2,
       "invalid_argument: 2 threads exceed the 1 CPU that policy cpus:4 may use: expected 1 to 1, "
       "or ask to oversubscribe"},
      {"cpus:0", 1,
       "invalid_argument: CPU 0 of policy cpus:0 may not be used by this process: expected CPUs of "
       "1-2,4-7"},
      {"cpus:1,99", 1,
       "invalid_argument: CPU 99 of policy cpus:1,99 does not exist: expected CPUs of 1-2,4-7"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(error_of([&] { Mapping(machine, Policy::parse(c.policy), c.threads); }), c.message);
  }
  EXPECT_EQ(error_of([&] { Mapping(machine, Policy::scatter(), 2'000'000, Oversubscribe::wrap); }),
            "invalid_argument: 2000000 threads: expected 1 to 1048576");
}

}  // namespace
}  // namespace kinjo::test
