#include "observe/drift.hpp"

#include <gtest/gtest.h>

#include "observe/proc_tree.hpp"

namespace kinjo {
namespace {

using std::chrono::milliseconds;
using test::view_of;

TEST(Drift, OfNothingIsEmpty) {
  const ProcessView view = view_of({0, 2}, {{0, 4096}});
  EXPECT_TRUE(drift(view, view).empty());
}

TEST(Drift, NamesThreadsThatAreElsewhere) {
  const ProcessView before = view_of({0, 2, 3}, {});
  ProcessView now = view_of({0, 1, 3}, {});
  now.threads[2].allowed_cpus = {3};
  now.when = before.when + milliseconds(1500);
  const Drift change = drift(before, now);
  EXPECT_DOUBLE_EQ(change.seconds, 1.5);
  ASSERT_EQ(change.threads.size(), 2u);
  EXPECT_EQ(change.threads[0].tid, 8);
  EXPECT_EQ(change.threads[0].cpu_before, 2);
  EXPECT_EQ(change.threads[0].cpu_now, 1);
  EXPECT_TRUE(change.threads[0].changed_node());
  EXPECT_FALSE(change.threads[0].changed_mask());
  EXPECT_TRUE(change.threads[1].changed_mask());
  EXPECT_FALSE(change.threads[1].changed_cpu());
}

TEST(Drift, TellsANewThreadOfTheSameNumberFromTheOld) {
  const ProcessView before = view_of({0, 2, 3}, {});
  ProcessView now = view_of({0, 1}, {});
  now.threads[1].start_ticks = 99;
  const Drift change = drift(before, now);
  EXPECT_TRUE(change.threads.empty());
  EXPECT_EQ(change.started, 1u);
  EXPECT_EQ(change.ended, 2u);
}

TEST(Drift, CountsWhatMovedApartFromWhatGrew) {
  // 300 bytes left node 0, of which 200 are on node 1 now: the rest was given back.
  const Drift change = drift(view_of({0}, {{0, 1000}}), view_of({0}, {{0, 700}, {1, 200}}));
  EXPECT_EQ(change.memory, (NodeChange{{0, -300}, {1, 200}}));
  EXPECT_EQ(change.moved_bytes, 200u);
  EXPECT_EQ(drift(view_of({0}, {{0, 1000}}), view_of({0}, {{0, 1000}, {1, 50}})).moved_bytes, 0u);
}

TEST(Drift, ComparesAMappingWithItself) {
  ProcessView before = view_of({0}, {{0, 1000}});
  ProcessView now = view_of({0}, {{1, 1000}});
  now.memory->mappings[0].begin = 0x5000;  // the one has gone and another has come
  EXPECT_EQ(drift(before, now).moved_bytes, 0u);
  now.memory->mappings.insert(now.memory->mappings.begin(), before.memory->mappings[0]);
  now.memory->mappings[0].bytes = {{2, 1000}};
  EXPECT_EQ(drift(before, now).moved_bytes, 1000u);
}

TEST(Drift, SumsWhatTheKernelCounts) {
  ProcessView before = view_of({0, 1}, {}), now = before;
  EXPECT_EQ(drift(before, now).migrations, std::nullopt);
  before.threads[0].migrations = 5;
  now.threads[0].migrations = 9;
  before.threads[0].numa_pages_migrated = 0;
  now.threads[0].numa_pages_migrated = 512;
  EXPECT_EQ(drift(before, now).migrations, 4u);
  EXPECT_EQ(drift(before, now).numa_pages_migrated, 512u);
}

TEST(CarryOver, MarksThreadsThatHadACpuMeanwhile) {
  ProcessView before = view_of({0, 0, 0}, {}), now = before;
  now.when = before.when + milliseconds(1000);
  for (ThreadView& thread : now.threads) thread.running = false;
  now.threads[0].cpu_time_ns = 10'000'000;  // one hundredth
  now.threads[1].cpu_time_ns = 9'000'000;
  carry_over(before, now);
  EXPECT_TRUE(now.threads[0].running);
  EXPECT_FALSE(now.threads[1].running);
  EXPECT_FALSE(now.threads[2].running);
}

TEST(CarryOver, AddsUpChangesOfCpu) {
  ProcessView first = view_of({0}, {}), second = view_of({1}, {}), third = view_of({0}, {});
  carry_over(first, second);
  carry_over(second, third);
  EXPECT_EQ(third.threads[0].cpu_changes, 2u);
}

}  // namespace
}  // namespace kinjo
