#include <kinjo/sdp_generators.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo::sdp {
namespace {

using test::error_of;

/// Everything that a problem is made of, in comparable form.
std::vector<std::vector<double>> content(const Problem& problem) {
  std::vector<std::vector<double>> all = {{problem.costs().begin(), problem.costs().end()}};
  for (std::size_t i = 0; i <= problem.constraints(); ++i) {
    for (const Entry& e : problem.matrix(i)) {
      all.push_back({static_cast<double>(i), static_cast<double>(e.block),
                     static_cast<double>(e.row), static_cast<double>(e.column), e.value});
    }
  }
  return all;
}

TEST(SdpRules, HaveTheSizesOfTheirFamilies) {
  struct Case {
    const char* rule;
    std::size_t constraints;
    std::vector<Block> blocks;
  };
  const Case cases[] = {
      {"maxcut:4x5", 20, {{20, BlockKind::symmetric}}},
      {"maxcut:3", 9, {{9, BlockKind::symmetric}}},
      {"theta:10,12", 13, {{10, BlockKind::symmetric}}},
      {"theta:4,6", 7, {{4, BlockKind::symmetric}}},                               // all pairs
      {"control:5", 21, {{10, BlockKind::symmetric}, {5, BlockKind::symmetric}}},  // as control1
      {"random:6,7", 7, {{6, BlockKind::symmetric}}},
  };
  for (const Case& c : cases) {
    ASSERT_TRUE(is_rule(c.rule));
    const Problem problem = problem_by_rule(c.rule);
    EXPECT_EQ(problem.constraints(), c.constraints) << c.rule;
    EXPECT_TRUE(std::ranges::equal(problem.blocks(), c.blocks)) << c.rule;
    for (std::size_t i = 1; i <= problem.constraints(); ++i) {
      EXPECT_FALSE(problem.matrix(i).empty()) << c.rule << " matrix " << i;
    }
  }
}

TEST(SdpRules, DependOnTheSeedAlone) {
  for (const char* rule : {"maxcut:5", "theta:9,10", "control:4", "random:4,3"}) {
    EXPECT_EQ(content(problem_by_rule(rule, 3)), content(problem_by_rule(rule, 3))) << rule;
    EXPECT_NE(content(problem_by_rule(rule, 3)), content(problem_by_rule(rule, 4))) << rule;
  }
}

TEST(SdpRules, MaxCutHasALaplacianWhoseRowsSumToZero) {
  const Problem problem = max_cut(4, 6, 7);
  std::vector<double> sums(24);
  for (const Entry& e : problem.matrix(0)) {
    sums[e.row] += e.value;
    if (e.row != e.column) sums[e.column] += e.value;
  }
  EXPECT_EQ(sums, std::vector<double>(24));
}

TEST(SdpRules, ThetaDrawsDifferentEdges) {
  const Problem problem = theta(20, 50, 2);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::size_t i = 2; i <= problem.constraints(); ++i) {
    ASSERT_EQ(problem.matrix(i).size(), 1u);
    const Entry& e = problem.matrix(i)[0];
    EXPECT_LT(e.row, e.column);
    edges.push_back({e.row, e.column});
  }
  std::ranges::sort(edges);
  EXPECT_EQ(std::ranges::adjacent_find(edges), edges.end());
}

TEST(SdpRules, RefuseOthersWithWhatIsAccepted) {
  const std::pair<const char*, const char*> cases[] = {
      {"knapsack:3",
       "invalid_argument: 'knapsack:3' as a problem: expected a file, maxcut:RxC, "
       "theta:VERTICES,EDGES, control:STATES or random:ORDER,CONSTRAINTS"},
      {"maxcut:2x9",
       "invalid_argument: 'maxcut:2x9' as a problem: expected maxcut:RxC or maxcut:N with at "
       "least 3, such as maxcut:10x8"},
      {"theta:4,7",
       "invalid_argument: 'theta:4,7' as a problem: expected theta:VERTICES,EDGES with at most "
       "one edge for each pair, such as theta:50,100"},
      {"theta:4",
       "invalid_argument: 'theta:4' as a problem: expected theta:VERTICES,EDGES with "
       "at most one edge for each pair, such as theta:50,100"},
      {"control:0",
       "invalid_argument: 'control:0' as a problem: expected control:STATES, such as "
       "control:10"},
      {"random:60000,60000",
       "out_of_memory: a problem 'random:60000,60000' has more than 268435456 entries"},
      {"random:1,268435456",
       "out_of_memory: a problem 'random:1,268435456' has more than 268435456 entries"},
  };
  for (const auto& [rule, message] : cases) {
    EXPECT_EQ(error_of([&, rule = rule] { problem_by_rule(rule); }), message);
  }
  EXPECT_FALSE(is_rule("knapsack:3"));
  EXPECT_FALSE(is_rule("maxcut"));
}

}  // namespace
}  // namespace kinjo::sdp
