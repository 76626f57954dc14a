/// Constraints that others imply: B is singular, and what rounding leaves of its pivots must not
/// decide where x goes.
#include <cmath>
#include <cstddef>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/sdp.hpp>

#include "sdp/solver_samples.hpp"

namespace kinjo::sdp {
namespace {

using test::Draw;
using test::sdp_mapping;

using Row = std::vector<double>;

/// max f • y over y ≥ 0 with rows • y = rows • at: as one diagonal block, or as one symmetric
/// block.
Problem problem_of(const std::vector<Row>& rows, const Row& at, const Row& f, BlockKind kind) {
  std::vector<double> costs;
  for (const Row& row : rows) {
    double cost = 0;
    for (std::size_t k = 0; k < at.size(); ++k) cost += row[k] * at[k];
    costs.push_back(cost);
  }
  ProblemBuilder builder({{static_cast<std::uint32_t>(at.size()), kind}}, costs);
  for (std::size_t k = 0; k < at.size(); ++k) {
    builder.add(0, 0, k, k, f[k]);
    for (std::size_t i = 0; i < rows.size(); ++i) builder.add(i + 1, 0, k, k, rows[i][k]);
  }
  return builder.finish();
}

/// `at` is the only feasible point.
void expect_solved(const std::vector<Row>& rows, const Row& at, const Row& f, BlockKind kind) {
  double value = 0;
  for (std::size_t k = 0; k < at.size(); ++k) value += f[k] * at[k];
  Team team(sdp_mapping(1));
  const Solution solution = solve(team, problem_of(rows, at, f, kind), Options());
  ASSERT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR(solution.primal_objective, value, 3e-7 * (1 + 2 * std::abs(value)));
}

TEST(SdpImplied, ConstraintsOfOneNumberAreSolved) {
  expect_solved({{-1}, {6}, {-2}}, {0}, {6.9}, BlockKind::symmetric);
}

TEST(SdpImplied, ConstraintsThatLedFarAwayAreSolved) {
  expect_solved({{-2, 2}, {0, 3}, {-3, 3}, {-4, 4}}, {0, 2}, {0, -2}, BlockKind::diagonal);
  expect_solved({{1, 0}, {-3, 3}, {-1, -2}, {1, -1}}, {2, 2}, {-10, 10}, BlockKind::diagonal);
}

/// Rows of a triangle, so that one point has their products, and integer sums of them before these.
TEST(SdpImplied, ConstraintsByChanceAreSolved) {
  Draw draw(7);
  const auto whole = [&](int least, int most) {
    return least + static_cast<int>(draw.below(static_cast<std::uint64_t>(most - least + 1)));
  };
  for (int round = 0; round < 300; ++round) {
    const auto order = static_cast<std::size_t>(whole(1, 4));
    std::vector<Row> triangle(order, Row(order, 0.0));
    for (std::size_t i = 0; i < order; ++i) {
      for (std::size_t k = i + 1; k < order; ++k) triangle[i][k] = whole(-3, 3);
      triangle[i][i] = whole(0, 1) == 0 ? whole(1, 3) : -whole(1, 3);
    }
    std::vector<Row> rows(static_cast<std::size_t>(whole(0, 3)), Row(order, 0.0));
    for (Row& row : rows) {
      for (const Row& one : triangle) {
        const double factor = whole(-2, 2);
        for (std::size_t k = 0; k < order; ++k) row[k] += factor * one[k];
      }
    }
    rows.insert(rows.end(), triangle.begin(), triangle.end());
    Row at, f;
    for (std::size_t k = 0; k < order; ++k) {
      at.push_back(whole(0, 3));
      f.push_back(whole(-3, 3));
    }
    SCOPED_TRACE(fmt::format("round {}", round));
    expect_solved(rows, at, f, round % 2 == 0 ? BlockKind::diagonal : BlockKind::symmetric);
  }
}

}  // namespace
}  // namespace kinjo::sdp
