/// Want of memory at any allocation is reported as such, and nothing is left half done.
#include <gtest/gtest.h>

#include "capi/owned.hpp"
#include "support/failing_new.hpp"

namespace kinjo::test {
namespace {

void expect_out_of_memory(int nth) {
  EXPECT_EQ(kinjo_last_status(), KINJO_OUT_OF_MEMORY) << "at allocation " << nth;
}

template <class Attempt>
int fail_each_c_allocation(Attempt attempt) {
  return fail_each_allocation(attempt, expect_out_of_memory);
}

TEST(AllocationFailure, IsReportedByMappings) {
  const CTopology machine = two_nodes();
  EXPECT_GT(fail_each_c_allocation([&] {
              return CMapping(kinjo_mapping_create(machine.get(), "scatter", 16, 0)) != nullptr;
            }),
            10);
}

TEST(AllocationFailure, IsReportedByBindings) {
  const CMapping mapping = map_here("compact", 1);
  EXPECT_GT(fail_each_c_allocation([&] {
              kinjo_binding* binding = kinjo_binding_create(mapping.get(), 0, 0);
              if (!binding) return false;
              return kinjo_binding_undo(binding) == KINJO_OK;
            }),
            0);
}

TEST(AllocationFailure, IsReportedByTopologies) {
  EXPECT_GT(fail_each_c_allocation([] { return two_nodes() != nullptr; }), 10);
}

TEST(AllocationFailure, IsReportedByTeams) {
  const CMapping mapping = map_two_nodes("none", 3);
  EXPECT_GT(
      fail_each_c_allocation([&] { return CTeam(kinjo_team_create(mapping.get(), 0)) != nullptr; }),
      5);
}

TEST(AllocationFailure, LeavesTheProcessTableAsItWas) {
  ASSERT_EQ(kinjo_policy_set("none", 1, 0), KINJO_OK);
  EXPECT_GT(fail_each_c_allocation([] {
              const bool set = kinjo_policy_set("none", 2, KINJO_OVERSUBSCRIBE) == KINJO_OK;
              EXPECT_EQ(kinjo_thread_count(), set ? 2 : 1);
              return set;
            }),
            5);
}

TEST(AllocationFailure, IsReportedByMemory) {
  ASSERT_EQ(kinjo_policy_set("none", 1, 0), KINJO_OK);
  EXPECT_GT(fail_each_c_allocation([] { return CMemory(kinjo_node_alloc(0, 4096)) != nullptr; }),
            0);
}

}  // namespace
}  // namespace kinjo::test
