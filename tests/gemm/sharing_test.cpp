#include "gemm/sharing.hpp"

#include <gtest/gtest.h>
#include <kinjo/topology.hpp>

namespace kinjo::gemm {
namespace {

/// Four threads, two on each of two nodes.
Mapping two_nodes() {
  return {Topology::from("synthetic:numa:2 core:2 pu:1"), Policy::compact(), 4};
}

/// How many tasks copy each operand together, task by task.
std::vector<std::size_t> counts(const char* text, std::size_t copied_at, Level level) {
  Problem p;
  p.m = p.n = p.k = 1000;
  p.b = Order::row_major;
  p.threads = 4;
  p.nodes = 2;
  const Plan plan = Plan::parse(text, p);
  const Sharing sharing(plan, copied_at, level, two_nodes());
  std::vector<std::size_t> all;
  for (std::size_t task = 0; task < 4; ++task) all.push_back(sharing.of(task).count);
  return all;
}

using Counts = std::vector<std::size_t>;

TEST(Sharing, IsAmongTheTasksOfANodeUnlessTheCopyIsTheMachines) {
  EXPECT_EQ(counts("N(n=96)/C(k=64)/P(m)////", 1, Level::node), (Counts{2, 2, 2, 2}));
  EXPECT_EQ(counts("M(n=96)/C(k=64)/P(m)////", 1, Level::machine), (Counts{4, 4, 4, 4}));
  EXPECT_EQ(counts("P(n)//N(n=96)/C(k=64)/P(m)//", 2, Level::node), (Counts{2, 2, 2, 2}));
}

TEST(Sharing, OfAnOperandIsItsOwnAffairWhereTheOtherOneIsTheMachines) {
  EXPECT_EQ(counts("M(n=96)/C(k=64)/S(m=96)/P(n)////", 2, Level::section), (Counts{2, 2, 2, 2}));
}

}  // namespace
}  // namespace kinjo::gemm
