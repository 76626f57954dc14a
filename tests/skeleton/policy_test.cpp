/// What says that a policy does what is meant, and that a machine is understood.
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

#include "support/machine_check.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;

TEST(SkeletonOfAPolicy, DealsCachesInTurn) {
  const auto machine = Topology::from("synthetic:pack:2 numa:1 l3:2 core:2 pu:1");
  std::vector<int> cpus;
  for (const Place& place : Mapping(machine, Policy::parse("smt,core,package,node,cache"), 8)) {
    cpus.push_back(place.cpu);
  }
  EXPECT_THAT(cpus, ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
}

TEST(SkeletonOfAMachine, HasTheNodesThatItsDataSheetSays) {
  const auto machine = Topology::from(KINJO_TEST_MACHINES "/two_socket_server.xml");
  EXPECT_EQ(machine.nodes().size(), 2u);
  EXPECT_EQ(machine.nodes()[1].cpus.to_string(), "16-31,48-63");
  EXPECT_EQ(test::fault_of(machine), "");  // what must hold on every machine
  for (const Policy& policy : test::tried_policies()) {
    if (policy.kind() == Policy::Kind::none) continue;
    EXPECT_EQ(test::fault_of(Mapping(machine, policy, 64), machine), "") << policy.name();
  }
}

}  // namespace
}  // namespace kinjo
