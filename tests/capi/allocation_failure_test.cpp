/// Makes the Nth allocation of a call fail, for N = 1, 2 … until the call succeeds.
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "capi/owned.hpp"

namespace {

/// Allocations of this thread until one fails; negative: none fails.
thread_local long allocations_left = -1;

}  // namespace

void* operator new(std::size_t bytes) {
  if (allocations_left > 0 && --allocations_left == 0) throw std::bad_alloc();
  if (void* memory = std::malloc(bytes ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace kinjo::test {
namespace {

/// Calls `attempt` with its Nth allocation failing until none fails any more. Each failure must be
/// reported as want of memory. Returns how many there were.
template <class Attempt>
int fail_each_allocation(Attempt attempt) {
  for (int nth = 1;; ++nth) {
    allocations_left = nth;
    const bool succeeded = attempt();
    const bool none_failed = allocations_left > 0;
    allocations_left = -1;
    if (none_failed) {
      EXPECT_TRUE(succeeded) << kinjo_last_error();
      return nth - 1;
    }
    EXPECT_FALSE(succeeded) << "in spite of allocation " << nth;
    EXPECT_EQ(kinjo_last_status(), KINJO_OUT_OF_MEMORY) << "at allocation " << nth;
    if (testing::Test::HasFailure()) return nth;
  }
}

TEST(AllocationFailure, IsReportedByMappings) {
  const CTopology machine = two_nodes();
  EXPECT_GT(fail_each_allocation([&] {
              return CMapping(kinjo_mapping_create(machine.get(), "scatter", 16, 0)) != nullptr;
            }),
            10);
}

TEST(AllocationFailure, IsReportedByBindings) {
  const CMapping mapping = map_here("compact", 1);
  EXPECT_GT(fail_each_allocation([&] {
              kinjo_binding* binding = kinjo_binding_create(mapping.get(), 0, 0);
              if (!binding) return false;
              return kinjo_binding_undo(binding) == KINJO_OK;
            }),
            0);
}

TEST(AllocationFailure, IsReportedByTopologies) {
  EXPECT_GT(fail_each_allocation([] { return two_nodes() != nullptr; }), 10);
}

TEST(AllocationFailure, IsReportedByTeams) {
  const CMapping mapping = map_two_nodes("none", 3);
  EXPECT_GT(
      fail_each_allocation([&] { return CTeam(kinjo_team_create(mapping.get(), 0)) != nullptr; }),
      5);
}

TEST(AllocationFailure, LeavesTheProcessTableAsItWas) {
  ASSERT_EQ(kinjo_policy_set("none", 1, 0), KINJO_OK);
  EXPECT_GT(fail_each_allocation([] {
              const bool set = kinjo_policy_set("none", 2, KINJO_OVERSUBSCRIBE) == KINJO_OK;
              EXPECT_EQ(kinjo_thread_count(), set ? 2 : 1);
              return set;
            }),
            5);
}

TEST(AllocationFailure, IsReportedByMemory) {
  ASSERT_EQ(kinjo_policy_set("none", 1, 0), KINJO_OK);
  EXPECT_GT(fail_each_allocation([] { return CMemory(kinjo_node_alloc(0, 4096)) != nullptr; }), 0);
}

}  // namespace
}  // namespace kinjo::test
