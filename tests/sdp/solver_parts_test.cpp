/// What is measured, the Schur complement's systems, matrices of rank one and facial reduction.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/sdp_verify.hpp>

#include "sdp/face.hpp"
#include "sdp/rank_one.hpp"
#include "sdp/schur.hpp"
#include "sdp/solver.hpp"
#include "sdp/solver_samples.hpp"

namespace kinjo::sdp::detail {
namespace {

using test::Draw;
using test::sdp_mapping;

constexpr BlockKind kSymmetric = BlockKind::symmetric, kDiagonal = BlockKind::diagonal;

TEST(SdpMeasures, WorstErrorIsInfiniteWhereOneIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Measures().worst(), 0);
  EXPECT_EQ((Measures{.primal_error = 1, .dual_error = 2}.worst()), 2);
  EXPECT_EQ((Measures{.primal_objective = 3, .dual_objective = 5}.worst()), 2.0 / 9);
  EXPECT_EQ((Measures{.product = -3}.worst()), 3) << "of rounding";
  EXPECT_EQ((Measures{.rounding = 4}.worst()), 4);
  EXPECT_EQ((Measures{.primal_error = 1, .dual_error = nan}.worst()), infinite);
  EXPECT_EQ((Measures{.primal_error = nan, .dual_error = 1}.worst()), infinite);
  EXPECT_EQ((Measures{.dual_objective = nan}.worst()), infinite);
  EXPECT_EQ((Measures{.product = nan}.worst()), infinite);
}

// Schur

/// m constraints that share inequalities with their neighbours only: few entries of B.
Problem band(std::size_t m) {
  ProblemBuilder builder({{static_cast<std::uint32_t>(m + 1), kDiagonal}},
                         std::vector<double>(m, 1.0));
  for (std::size_t i = 0; i < m; ++i) {
    builder.add(i + 1, 0, i, i, 1);
    builder.add(i + 1, 0, i + 1, i + 1, 1);
  }
  return builder.finish();
}

/// Fills B with tridiag(off, diagonal, off).
void fill(Schur& schur, const Crew& crew, double diagonal, double off) {
  schur.clear(crew);
  for (Index i = 0; i < schur.order(); ++i) {
    schur.values()[schur.place(i, i)] = diagonal;
    if (i > 0) schur.values()[schur.place(i, i - 1)] = off;
  }
}

/// ‖tridiag(off, diagonal, off) x − b‖∞
double residual(double diagonal, double off, const std::vector<double>& x,
                const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double sum = diagonal * x[i] - b[i];
    if (i > 0) sum += off * x[i - 1];
    if (i + 1 < x.size()) sum += off * x[i + 1];
    most = std::max(most, std::abs(sum));
  }
  return most;
}

struct SchurCase {
  std::size_t order, threads;
  bool sparse;
};

class SdpSchur : public testing::TestWithParam<SchurCase> {
 protected:
  Model model_ = make_model(band(GetParam().order));
  Team team_{sdp_mapping(GetParam().threads)};
  Crew crew_{team_};
  Schur schur_{model_};

  void SetUp() override { schur_.allocate(team_); }
};

TEST_P(SdpSchur, CountsItsEntries) {
  const std::size_t m = GetParam().order;
  EXPECT_EQ(schur_.order(), m);
  EXPECT_EQ(schur_.sparse(), GetParam().sparse);
  EXPECT_EQ(schur_.entries(), schur_.sparse() ? 2 * m - 1 : m * (m + 1) / 2);
  EXPECT_EQ(schur_.factor_entries(), schur_.entries());
}

TEST_P(SdpSchur, SolvesWithRefinement) {
  Draw draw(1);
  for (const double diagonal : {3.0, 2.0001}) {
    fill(schur_, crew_, diagonal, -1);
    ASSERT_TRUE(schur_.factorise(crew_));
    EXPECT_EQ(schur_.shift(), 0);
    const std::vector<double> b = draw.numbers(schur_.order());
    std::vector<double> x = b;
    EXPECT_LT(schur_.solve(x), 1e-12);
    EXPECT_LT(residual(diagonal, -1, x, b), 1e-10);
  }
}

/// Two rows that are the same make it singular: as little as helps is added.
TEST_P(SdpSchur, IsMadeDefiniteByALittleOnTheDiagonal) {
  fill(schur_, crew_, 1, 0);
  schur_.values()[schur_.place(1, 0)] = 1;
  ASSERT_TRUE(schur_.factorise(crew_));
  EXPECT_LE(schur_.shift(), 1e-13);
  std::vector<double> x(schur_.order(), 1.0);  // (½, ½, 1, …) solves it
  EXPECT_LT(schur_.solve(x), 1e-8);
  EXPECT_NEAR(x[0] + x[1], 1, 1e-8);
  EXPECT_NEAR(x.back(), 1, 1e-8);
}

TEST_P(SdpSchur, LeavesAZeroRowHarmless) {
  fill(schur_, crew_, 4, 0);
  schur_.values()[schur_.place(2, 2)] = 0;
  ASSERT_TRUE(schur_.factorise(crew_));
  std::vector<double> x(schur_.order(), 8.0);
  x[2] = 0;
  EXPECT_LT(schur_.solve(x), 1e-12);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], i == 2 ? 0 : 2, 1e-6);
}

TEST_P(SdpSchur, SaysWhenNothingMakesItDefinite) {
  fill(schur_, crew_, 1, 5);
  EXPECT_FALSE(schur_.factorise(crew_));
  fill(schur_, crew_, 3, -1);
  EXPECT_TRUE(schur_.factorise(crew_));
}

TEST_P(SdpSchur, KeepsTheSizeOfAVectorThatIsNotFinite) {
  fill(schur_, crew_, 3, -1);
  ASSERT_TRUE(schur_.factorise(crew_));
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    std::vector<double> x(schur_.order(), bad);
    const double error = schur_.solve(x);
    EXPECT_FALSE(error < 1) << "it has not been solved";
    ASSERT_EQ(x.size(), schur_.order());
    EXPECT_FALSE(std::isfinite(x[0]));
  }
}

TEST_P(SdpSchur, LeavesAZeroVectorAlone) {
  fill(schur_, crew_, 3, -1);
  ASSERT_TRUE(schur_.factorise(crew_));
  std::vector<double> x(schur_.order(), 0.0);
  EXPECT_EQ(schur_.solve(x), 0);
  EXPECT_EQ(x, std::vector<double>(schur_.order(), 0.0));
}

INSTANTIATE_TEST_SUITE_P(Kinds, SdpSchur,
                         testing::Values(SchurCase{5, 1, false}, SchurCase{200, 2, false},
                                         SchurCase{1000, 1, true}, SchurCase{1000, 2, true}),
                         [](const auto& suite) {
                           return (suite.param.sparse ? "Sparse" : "Dense") +
                                  std::to_string(suite.param.order) + "By" +
                                  std::to_string(suite.param.threads);
                         });

// Rank one

std::vector<Term> outer(const std::vector<double>& v, double scale) {
  std::vector<Term> terms;
  for (Index j = 0; j < v.size(); ++j) {
    for (Index i = 0; i <= j; ++i) {
      if (v[i] * v[j] != 0) terms.push_back({i, j, scale * v[i] * v[j]});
    }
  }
  return terms;
}

TEST(SdpRankOne, IsFoundForAnyVectorAndSign) {
  Draw draw(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + draw.below(12);
    std::vector<double> v = draw.numbers(n);
    for (double& value : v) {
      if (draw.below(3) == 0) value = 0;
    }
    v[draw.below(n)] = 1e3;
    const double scale = round % 2 == 0 ? 1 : -1;
    const auto terms = outer(v, scale);
    const RankOne found = find_rank_one(terms, n);
    ASSERT_EQ(found.v.size(), n);
    EXPECT_EQ(found.scale, scale);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_NEAR(found.v[i] * found.v[j], v[i] * v[j], 1e-15 * std::abs(v[i] * v[j]));
      }
    }
  }
}

TEST(SdpRankOne, IsNotFoundWhereThereIsNone) {
  const auto terms = outer({1, 2, 0, 3}, 1);
  EXPECT_FALSE(find_rank_one(terms, 4).v.empty());
  for (std::size_t e = 0; e < terms.size(); ++e) {
    auto changed = terms;
    changed[e].value *= 1 + 1e-12;
    EXPECT_TRUE(find_rank_one(changed, 4).v.empty()) << "entry " << e << " is changed";
    changed[e].value = -terms[e].value;
    EXPECT_TRUE(find_rank_one(changed, 4).v.empty()) << "entry " << e << " has another sign";
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(e));
    EXPECT_TRUE(find_rank_one(changed, 4).v.empty()) << "entry " << e << " is missing";
  }
  EXPECT_TRUE(find_rank_one({}, 3).v.empty());
  const Term off[] = {{0, 1, 1}};
  EXPECT_TRUE(find_rank_one(off, 2).v.empty());
  const Term two[] = {{0, 0, 1}, {1, 1, 1}};
  EXPECT_TRUE(find_rank_one(two, 2).v.empty());
}

// Face

/// max A • Y over Y_ii = 1 for the cycle's adjacency A: 2 n; with Y e = 0, which a constraint of
/// rank one demands, 2 n cos(2π/n): the least frequency but 0 that circulant matrices have.
Problem cycle(std::uint32_t n, std::optional<double> scale) {
  std::vector<double> costs(n, 1.0);
  if (scale) costs.push_back(0);
  ProblemBuilder builder({{2, kDiagonal}, {n, kSymmetric}}, costs);
  builder.add(0, 0, 0, 0, -7);  // an inequality beside it: x_1 + 7 ≥ 0
  builder.add(1, 0, 0, 0, 1);
  for (std::size_t i = 0; i < n; ++i) {
    builder.add(0, 1, i, (i + 1) % n, 1);
    builder.add(i + 1, 1, i, i, 1);
  }
  for (std::size_t j = 0; scale && j < n; ++j) {
    for (std::size_t i = 0; i <= j; ++i) builder.add(n + 1, 1, i, j, *scale);
  }
  return builder.finish();
}

void expect_solved(const Problem& problem, const Solution& solution, double value) {
  EXPECT_STREQ(to_string(solution.status), "optimal");
  EXPECT_EQ(verify(problem, solution, 2e-7).fault, "");
  EXPECT_NEAR(solution.primal_objective, value, 1e-6 * (1 + std::abs(value)));
  EXPECT_NEAR(solution.dual_objective, value, 1e-6 * (1 + std::abs(value)));
}

/// max |X − Σ F_i x_i + F_0|, beside the greatest entry of X
double primal_residual(const Problem& problem, const Solution& solution) {
  BlockMatrix rest = solution.X;
  double most = 0, size = 1;
  for (std::size_t b = 0; b < rest.blocks().size(); ++b) {
    for (const double v : rest.block(b)) size = std::max(size, std::abs(v));
  }
  for (std::size_t i = 0; i <= problem.constraints(); ++i) {
    const double factor = i == 0 ? 1 : -solution.x[i - 1];
    for (const Entry& e : problem.matrix(i)) {
      const auto block = rest.block(e.block);
      const Block& shape = rest.blocks()[e.block];
      if (shape.kind == kDiagonal) {
        block[e.row] += factor * e.value;
        continue;
      }
      block[e.column * shape.order + e.row] += factor * e.value;
      if (e.row != e.column) block[e.row * shape.order + e.column] += factor * e.value;
    }
  }
  for (std::size_t b = 0; b < rest.blocks().size(); ++b) {
    for (const double v : rest.block(b)) most = std::max(most, std::abs(v));
  }
  return most / size;
}

TEST(SdpFace, IsReducedAndRestored) {
  for (const double scale : {1.0, -0.5, 4.0}) {
    for (const std::uint32_t n : {5, 6, 9}) {
      SCOPED_TRACE(testing::Message() << n << " vertices, scale " << scale);
      const Problem problem = cycle(n, scale);
      const FaceReduction face(problem);
      ASSERT_TRUE(face.any());
      EXPECT_EQ(face.reduced().order(), problem.order() - 1);
      EXPECT_EQ(face.reduced().constraints(), problem.constraints());
      EXPECT_TRUE(face.reduced().matrix(n + 1).empty());
      Team team(sdp_mapping(1));
      Solution solution = solve(team, face.reduced());
      const double value = 2 * n * std::cos(2 * std::numbers::pi / n);
      expect_solved(face.reduced(), solution, value);
      face.restore(solution, 1e-7);
      expect_solved(problem, solution, value);
      EXPECT_LT(primal_residual(problem, solution), 1e-12);
      const auto y = solution.Y.block(1);
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += y[j * n + i];
        EXPECT_NEAR(sum, 0, 1e-13);
      }
    }
  }
}

/// Two constraints of rank one in a block, of which one is reduced: the other's x_i is huge.
TEST(SdpFace, IsRestoredBesideHugeNumbers) {
  const std::vector<std::vector<double>> vectors = {{0.9, 0.1, -0.7, -0.9}, {0.5, -0.2, 1, 0.2}};
  const double constant[4][4] = {
      {0.4, 0.2, 1.1, -0.7}, {0, 0.2, -2.3, -1.2}, {0, 0, -2.6, -2.3}, {0, 0, 0, -4}};
  ProblemBuilder builder({{4, kSymmetric}}, {0, 0, 1});
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = 0; i <= j; ++i) {
      builder.add(0, 0, i, j, constant[i][j]);
      for (std::size_t k = 0; k < 2; ++k) {
        builder.add(k + 1, 0, i, j, vectors[k][i] * vectors[k][j]);
      }
    }
    builder.add(3, 0, j, j, 1);
  }
  const Problem problem = builder.finish();
  ASSERT_TRUE(FaceReduction(problem).any());
  Team team(sdp_mapping(1));
  const Solution solution = solve(team, problem);
  EXPECT_STREQ(to_string(solution.status), "optimal");
  EXPECT_EQ(verify(problem, solution).fault, "");
  EXPECT_LT(primal_residual(problem, solution), 1e-12);
}

/// Where the optimum wants an infinite x_i, X is indefinite by what the solution says, and its
/// status is no better.
TEST(SdpFace, SaysHowIndefiniteItLeavesX) {
  ProblemBuilder builder({{2, kSymmetric}}, {0, 1});
  const double constant[] = {-5.6965601476373013, 0.96987716334226393, -3.5369355490275716};
  const double face[] = {1.0761361176187758, -1.9371333931281207, 3.4869992014350317};
  const double other[] = {-2.1211641451555372, 2.0765553389362417, 1.3472866700913897};
  for (std::size_t k = 0; const double* entries : {constant, face, other}) {
    for (std::size_t e = 0; e < 3; ++e) builder.add(k, 0, e / 2, (e + 1) / 2, entries[e]);
    ++k;
  }
  Team team(sdp_mapping(1));
  const Problem problem = builder.finish();
  ASSERT_TRUE(FaceReduction(problem).any());
  const Solution solution = solve(team, problem);
  const Verification found = verify(problem, solution);
  EXPECT_EQ(found.fault, "") << to_string(solution.status);
  EXPECT_LE(found.dimacs_errors[3], solution.dimacs_errors[3]);
  const auto x = solution.X.block(0);
  EXPECT_EQ(x[1], x[2]);
}

TEST(SdpFace, IsTakenBySolveWithoutAsking) {
  Team team(sdp_mapping(1));
  const Problem with = cycle(7, 1.0), without = cycle(7, std::nullopt);
  expect_solved(with, solve(team, with), 14 * std::cos(2 * std::numbers::pi / 7));
  expect_solved(without, solve(team, without), 14);
  EXPECT_FALSE(FaceReduction(without).any());
}

/// Vectors of some rows only, of any pivot, one for each of two blocks, and constraints of rank one
/// that cost something, which are none.
TEST(SdpFace, IsFoundInEveryBlockAndForAnyVector) {
  const std::vector<std::vector<double>> vectors = {{1, -3, 0, 2}, {0, 0.5, 0, 0.25, 0}};
  ProblemBuilder builder({{4, kSymmetric}, {5, kSymmetric}}, {1, 0, 1, 0, 2});
  const auto add = [&](std::size_t matrix, std::size_t block, const std::vector<double>& v) {
    for (const Term& t : outer(v, 1)) builder.add(matrix, block, t.row, t.column, t.value);
  };
  add(2, 0, vectors[0]);
  add(4, 1, vectors[1]);
  for (std::size_t i = 0; i < 4; ++i) builder.add(1, 0, i, i, 1);
  for (std::size_t i = 0; i < 5; ++i) builder.add(3, 1, i, i, 1);
  add(5, 1, {2, 1, 1, -1, 3});
  builder.add(0, 0, 0, 1, 1);
  builder.add(0, 0, 2, 3, -1);
  builder.add(0, 1, 0, 4, 0.5);
  builder.add(0, 1, 1, 1, 0.75);
  const Problem problem = builder.finish();
  const FaceReduction face(problem);
  ASSERT_TRUE(face.any());
  EXPECT_EQ(face.reduced().blocks()[0].order, 3u);
  EXPECT_EQ(face.reduced().blocks()[1].order, 4u);
  Team team(sdp_mapping(2));
  const Solution solution = solve(team, problem);
  EXPECT_STREQ(to_string(solution.status), "optimal");
  EXPECT_EQ(verify(problem, solution, 2e-7).fault, "");
  EXPECT_LT(primal_residual(problem, solution), 1e-12);
}

TEST(SdpFace, IsNotMadeOfOtherConstraints) {
  for (const auto& [name, problem] :
       {std::pair{"no constraint of rank one", test::theta_of_cycle(5)},
        {"diagonal blocks", test::small_linear_program()}}) {
    EXPECT_FALSE(FaceReduction(problem).any()) << name;
  }
  ProblemBuilder costs({{2, kSymmetric}}, {1});
  for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 1}}) costs.add(1, 0, i, j, 1);
  EXPECT_FALSE(FaceReduction(costs.finish()).any()) << "its cost is not 0";
  ProblemBuilder across({{2, kSymmetric}, {1, kSymmetric}}, {0});
  for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 1}}) across.add(1, 0, i, j, 1);
  across.add(1, 1, 0, 0, 1);
  EXPECT_FALSE(FaceReduction(across.finish()).any()) << "it has entries in two blocks";
}

}  // namespace
}  // namespace kinjo::sdp::detail
