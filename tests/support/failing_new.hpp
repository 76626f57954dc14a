/// Makes the Nth allocation of a call fail. Linking failing_new.cpp replaces operator new.
#pragma once

#include <gtest/gtest.h>

namespace kinjo::test {

/// `new`s of the calling thread until one throws `std::bad_alloc`; negative: none does.
extern thread_local long allocations_left;

/// Calls `attempt`, which returns whether it succeeded, with its 1st, 2nd, … allocation failing,
/// until none fails any more: that call must succeed. After each failure `check` is called with the
/// number of the allocation. Returns how many failures there were.
template <class Attempt, class Check>
int fail_each_allocation(Attempt attempt, Check check) {
  for (int nth = 1;; ++nth) {
    allocations_left = nth;
    const bool succeeded = attempt();
    const bool none_failed = allocations_left > 0;
    allocations_left = -1;
    if (none_failed) {
      EXPECT_TRUE(succeeded);
      return nth - 1;
    }
    EXPECT_FALSE(succeeded) << "in spite of allocation " << nth;
    check(nth);
    if (testing::Test::HasFailure()) return nth;
  }
}

}  // namespace kinjo::test
