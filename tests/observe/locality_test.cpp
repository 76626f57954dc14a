#include "observe/locality.hpp"

#include <gtest/gtest.h>

#include "observe/proc_tree.hpp"

namespace kinjo {
namespace {

using test::view_of;

struct Case {
  std::vector<int> cpus;  ///< two to a node
  NodeBytes bytes;
  double near, if_shared, if_divided;
};

TEST(Locality, AnswersThreeQuestions) {
  const NodeBytes even = {{0, 100}, {1, 100}, {2, 100}, {3, 100}};
  const std::vector<Case> cases = {
      {{0}, {{0, 100}}, 1, 1, 1},
      {{0}, {{1, 100}}, 0, 0, 0},
      {{0}, {{0, 70}, {1, 30}}, 0.7, 0.7, 0.7},
      {{0, 2, 4, 6}, even, 1, 0.25, 1},                  // as it should be
      {{0, 2, 4, 6}, {{0, 400}}, 1, 0.25, 0.25},         // one thread has touched all
      {{0, 1}, even, 0.25, 0.25, 0.25},                  // interleaved, threads on one node
      {{0, 1, 2}, {{0, 50}, {1, 50}}, 1, 0.5, 5.0 / 6},  // two threads here, one there
      {{-1, 0}, {{0, 100}}, 1, 0.5, 0.5},                // a CPU without a node
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.cpus) + testing::PrintToString(c.bytes));
    const auto local = locality(view_of(c.cpus, c.bytes));
    ASSERT_TRUE(local);
    EXPECT_FALSE(local->none_running);
    EXPECT_DOUBLE_EQ(local->near, c.near);
    EXPECT_DOUBLE_EQ(local->if_shared, c.if_shared);
    EXPECT_DOUBLE_EQ(local->if_divided, c.if_divided);
  }
}

TEST(Locality, CountsRunningThreadsAlone) {
  ProcessView view = view_of({0, 2}, {{0, 100}});
  view.threads[1].running = false;
  EXPECT_DOUBLE_EQ(locality(view)->if_shared, 1);
  EXPECT_EQ(threads_by_node(view, Counted::running), (NodeThreads{{0, 1}}));
  EXPECT_EQ(threads_by_node(view, Counted::all), (NodeThreads{{0, 1}, {1, 1}}));
}

TEST(Locality, CountsAllThreadsIfNoneRuns) {
  ProcessView view = view_of({0, 2}, {{0, 100}});
  for (ThreadView& thread : view.threads) thread.running = false;
  const auto local = locality(view);
  EXPECT_TRUE(local->none_running);
  EXPECT_DOUBLE_EQ(local->if_shared, 0.5);
}

TEST(Locality, IsUnknownWithoutMemory) {
  ProcessView view = view_of({0}, {});
  EXPECT_FALSE(locality(view));
  view.memory.reset();
  EXPECT_FALSE(locality(view));
}

}  // namespace
}  // namespace kinjo
