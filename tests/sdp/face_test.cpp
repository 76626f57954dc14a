/// Problems with a constraint F_i • Y = 0 of rank one, which are reduced to a face and restored.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/sdp.hpp>
#include <kinjo/sdp_verify.hpp>

#include "sdp/face.hpp"
#include "sdp/solver_samples.hpp"

namespace kinjo::sdp {
namespace {

using test::Draw;
using test::sdp_mapping;

/// An entry of the one block of F_matrix.
struct Item {
  std::size_t matrix, row, column;
  double value;
};

Problem problem_of(std::vector<double> costs, const std::vector<Item>& items) {
  ProblemBuilder builder({{2, BlockKind::symmetric}}, std::move(costs));
  for (const Item& item : items) builder.add(item.matrix, 0, item.row, item.column, item.value);
  return builder.finish();
}

/// (P) has none of its least values: x_1 grows without bound on the way there.
Problem least_value_far_away() {
  return problem_of(
      {0, 1},
      {{0, 0, 1, 1}, {1, 0, 0, 1}, {1, 0, 1, 1}, {1, 1, 1, 1}, {2, 0, 0, 3}, {2, 1, 1, -2}});
}

/// Another one, of which the reduced problem's X • Y is not the whole one's.
Problem product_that_changes() {
  return problem_of({0, 1, -3}, {{0, 0, 0, -5},
                                 {0, 1, 1, 5},
                                 {1, 0, 0, 1},
                                 {1, 0, 1, 1},
                                 {1, 1, 1, 1},
                                 {2, 0, 0, -2},
                                 {2, 1, 1, 3},
                                 {3, 0, 0, -1},
                                 {3, 0, 1, 1}});
}

/// (D) has no solution, and F_0 is large beside what proves that.
Problem without_dual_solution(double size) {
  return problem_of({0, -3, -5}, {{0, 0, 0, size},
                                  {1, 0, 0, 1},
                                  {1, 0, 1, 1},
                                  {1, 1, 1, 1},
                                  {2, 0, 0, 1},
                                  {2, 0, 1, -2},
                                  {2, 1, 1, 4},
                                  {3, 1, 1, 1}});
}

void expect_verified(const Problem& problem, Status status) {
  Team team(sdp_mapping(1));
  ASSERT_TRUE(detail::FaceReduction(problem).any());
  const Solution solution = solve(team, problem);
  EXPECT_STREQ(to_string(solution.status), to_string(status));
  const Verification found = verify(problem, solution);
  EXPECT_EQ(found.fault, "");
  if (status != Status::optimal) return;
  for (std::size_t k = 0; k < found.dimacs_errors.size(); ++k) {
    if (k == 3) {
      EXPECT_GE(solution.dimacs_errors[k] + 5e-9, found.dimacs_errors[k]);
    } else {
      EXPECT_NEAR(solution.dimacs_errors[k], found.dimacs_errors[k], 1e-10) << "error " << k + 1;
    }
  }
}

TEST(SdpFace, IsLeftAgainWhereNoXRestoresTheWhole) {
  expect_verified(least_value_far_away(), Status::optimal);
  expect_verified(product_that_changes(), Status::optimal);
}

TEST(SdpFace, GivesCertificatesThatHoldInTheirOwnUnits) {
  for (const double size : {1.0, 1e2, 2e4, 1e6}) {
    SCOPED_TRACE(size);
    expect_verified(without_dual_solution(size), Status::dual_infeasible);
  }
}

/// Whole numbers, e eᵀ • Y = 0, and interior points of both problems but for that: Y = n I − e eᵀ,
/// X = I.
Problem of_whole_numbers(Draw& draw) {
  const std::size_t n = 2 + draw.below(2), m = 2 + draw.below(3);
  std::vector<Item> items;
  std::vector<double> costs(m, 0.0);
  for (std::size_t k = 1; k <= m; ++k) {
    const double x = static_cast<double>(draw.below(5)) - 2;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i <= j; ++i) {
        const double value = k == 1 ? 1 : static_cast<double>(draw.below(7)) - 3;
        items.push_back({k, i, j, value});
        items.push_back({0, i, j, x * value});
        costs[k - 1] += i == j ? (static_cast<double>(n) - 1) * value : -2 * value;
      }
    }
  }
  ProblemBuilder builder({{static_cast<std::uint32_t>(n), BlockKind::symmetric}}, costs);
  for (const Item& item : items) builder.add(item.matrix, 0, item.row, item.column, item.value);
  for (std::size_t i = 0; i < n; ++i) builder.add(0, 0, i, i, -1);
  return builder.finish();
}

TEST(SdpFace, SolvesProblemsOfWholeNumbersByChance) {
  Draw draw(11);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    expect_verified(of_whole_numbers(draw), Status::optimal);
  }
}

TEST(SdpFace, ListsTheLinesOfBothRunsAndStopsInEither) {
  Team team(sdp_mapping(1));
  const Problem problem = least_value_far_away();
  const std::size_t all = solve(team, problem).iterations.size();
  const std::size_t first = solve(team, detail::FaceReduction(problem).reduced()).iterations.size();
  EXPECT_GT(all, first);
  for (const std::size_t most : {first - 2, first + 2}) {
    std::size_t lines = 0;
    Options options;
    options.go_on = [&](const Iteration&) { return ++lines < most; };
    const Solution stopped = solve(team, problem, options);
    EXPECT_STREQ(to_string(stopped.status), "limit");
    EXPECT_TRUE(stopped.interrupted);
    EXPECT_EQ(stopped.iterations.size(), most);
    EXPECT_EQ(stopped.X.block(0).size(), 4u);
  }
}

/// An x of 1e10 seems to prove that (D) has no solution, until its terms are rounded to doubles.
TEST(SdpFace, ClaimsNothingThatRoundingTakesBack) {
  Team team(sdp_mapping(1));
  const Problem problem = problem_of({0, -0.0081, -10.6423, 5.73}, {{0, 0, 0, -1.2366},
                                                                    {0, 0, 1, -0.518},
                                                                    {0, 1, 1, -1.8446},
                                                                    {1, 0, 0, 100},
                                                                    {1, 0, 1, 100},
                                                                    {1, 1, 1, 100},
                                                                    {2, 0, 0, -4.8999},
                                                                    {2, 0, 1, -0.1559},
                                                                    {2, 1, 1, 4.5847},
                                                                    {3, 0, 0, -2.7095},
                                                                    {3, 0, 1, -0.3469},
                                                                    {3, 1, 1, -2.3807},
                                                                    {4, 0, 0, -1.1175},
                                                                    {4, 0, 1, 1.2707},
                                                                    {4, 1, 1, 6.0261}});
  const Solution solution = solve(team, problem);
  EXPECT_STRNE(to_string(solution.status), "dual_infeasible");
  EXPECT_EQ(verify(problem, solution).fault, "");
}

/// The second run is a chance, for which there must be memory beside the first solution.
TEST(SdpFace, KeepsTheFirstSolutionWhereMemoryEndsBeforeAnother) {
  Team team(sdp_mapping(1));
  const Problem problem = least_value_far_away();
  Options options;
  options.memory_limit = plan(team, problem).bytes;
  const Solution solution = solve(team, problem, options);
  EXPECT_STREQ(to_string(solution.status), "near_optimal");
  EXPECT_EQ(verify(problem, solution).fault, "");
}

}  // namespace
}  // namespace kinjo::sdp
