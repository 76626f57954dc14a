#include <gtest/gtest.h>

#include "capi/owned.hpp"

namespace kinjo::test {
namespace {

TEST(CTopology, CountsAndListsADescribedMachine) {
  const CTopology machine = two_nodes();
  ASSERT_TRUE(machine) << kinjo_last_error();
  EXPECT_EQ(kinjo_topology_cpu_count(machine.get()), 16);
  EXPECT_EQ(kinjo_topology_allowed_cpu_count(machine.get()), 16);
  EXPECT_EQ(kinjo_topology_node_count(machine.get()), 2);
  EXPECT_EQ(kinjo_topology_package_count(machine.get()), 2);

  kinjo_cpu cpu;
  ASSERT_EQ(kinjo_topology_get_cpu(machine.get(), 9, &cpu), KINJO_OK);
  EXPECT_EQ(cpu.cpu, 9);
  EXPECT_EQ(cpu.node, 1);
  EXPECT_EQ(cpu.core, 0);
  EXPECT_EQ(cpu.smt, 1);
  EXPECT_EQ(cpu.allowed, 1);

  kinjo_node node;
  ASSERT_EQ(kinjo_topology_get_node(machine.get(), 1, &node), KINJO_OK);
  EXPECT_EQ(node.node, 1);
  EXPECT_EQ(node.cpu_count, 8);
}

TEST(CTopology, FindsByNumber) {
  const CTopology machine = two_nodes();
  kinjo_cpu cpu;
  kinjo_node node;
  EXPECT_EQ(kinjo_topology_find_cpu(machine.get(), 15, &cpu), KINJO_OK);
  EXPECT_EQ(cpu.core, 3);
  EXPECT_EQ(kinjo_topology_find_node(machine.get(), 0, &node), KINJO_OK);
  EXPECT_EQ(kinjo_topology_find_cpu(machine.get(), 16, &cpu), KINJO_NOT_FOUND);
  EXPECT_STREQ(kinjo_last_error(), "there is no CPU 16 in the topology");
  EXPECT_EQ(kinjo_topology_find_node(machine.get(), -1, &node), KINJO_NOT_FOUND);
  EXPECT_EQ(kinjo_topology_distance(machine.get(), 0, 7), KINJO_NOT_FOUND);
  EXPECT_STREQ(kinjo_last_error(), "the machine gives no distance from node 0 to node 7");
}

TEST(CTopology, RefusesNullAndIndicesBeyondTheEnd) {
  const CTopology machine = two_nodes();
  kinjo_cpu cpu;
  EXPECT_EQ(kinjo_topology_from(nullptr), nullptr);
  EXPECT_STREQ(kinjo_last_error(), "input is NULL");
  EXPECT_EQ(kinjo_topology_from("synthetic:nonsense"), nullptr);
  EXPECT_EQ(kinjo_last_status(), KINJO_BAD_INPUT);
  EXPECT_EQ(kinjo_topology_from("/no/such/file.xml"), nullptr);
  EXPECT_EQ(kinjo_last_status(), KINJO_NOT_FOUND);
  EXPECT_EQ(kinjo_topology_cpu_count(nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_topology_get_cpu(machine.get(), 0, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_topology_get_cpu(machine.get(), 16, &cpu), KINJO_NOT_FOUND);
  EXPECT_STREQ(kinjo_last_error(), "no CPU index 16: there are 16, counted from 0");
  EXPECT_EQ(kinjo_topology_get_cpu(machine.get(), -1, &cpu), KINJO_NOT_FOUND);
  kinjo_topology_free(nullptr);
}

TEST(CTopology, DiscoversThisMachine) {
  const CTopology machine(kinjo_topology_discover());
  ASSERT_TRUE(machine) << kinjo_last_error();
  EXPECT_GE(kinjo_topology_allowed_cpu_count(machine.get()), 1);
}

}  // namespace
}  // namespace kinjo::test
