/// The whole solver on problems whose solutions are known, and on random ones, of which the
/// verifier proves that they are solved.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/sdp.hpp>
#include <kinjo/sdp_generators.hpp>
#include <kinjo/sdp_verify.hpp>

#include "base/text.hpp"
#include "sdp/solver_samples.hpp"
#include "support/expect.hpp"

namespace kinjo::sdp {
namespace {

using test::Draw;
using test::sdp_mapping;

constexpr BlockKind kSymmetric = BlockKind::symmetric, kDiagonal = BlockKind::diagonal;

/// max ¼ L • Y over Y_ii = 1 for the cycle of n vertices, n odd: n (1 + cos(π/n)) / 2.
Problem cut_of_cycle(std::uint32_t n) {
  ProblemBuilder builder({{n, kSymmetric}}, std::vector<double>(n, 1.0));
  for (std::size_t i = 0; i < n; ++i) {
    builder.add(0, 0, i, i, 0.5);
    builder.add(0, 0, i, (i + 1) % n, -0.25);
    builder.add(i + 1, 0, i, i, 1);
  }
  return builder.finish();
}

/// min x over x ≥ 3: beside it blocks of no rows, rows that nothing touches, a row that F_0 alone
/// touches, a constraint twice, and one without entries.
Problem with_oddities() {
  ProblemBuilder builder(
      {{0, kSymmetric}, {4, kSymmetric}, {3, kDiagonal}, {0, kDiagonal}, {2, kSymmetric}},
      {1, 1, 0});
  builder.add(0, 1, 1, 1, 3);
  builder.add(1, 1, 1, 1, 1);
  builder.add(2, 1, 1, 1, 1);
  builder.add(0, 1, 3, 3, -2);
  builder.add(0, 2, 0, 0, -1);
  for (std::size_t i = 0; i < 2; ++i) builder.add(0, 4, i, i, -1);
  builder.add(0, 4, 0, 1, 0.5);
  return builder.finish();
}

/// [x 1; 1 −x] ⪰ 0
Problem primal_infeasible() {
  ProblemBuilder builder({{2, kSymmetric}}, {1});
  builder.add(0, 0, 0, 1, -1);
  builder.add(1, 0, 0, 0, 1);
  builder.add(1, 0, 1, 1, -1);
  return builder.finish();
}

/// x ≥ 1, −x ≥ 0, beside a block of which no certificate needs anything
Problem primal_infeasible_linear() {
  ProblemBuilder builder({{2, kDiagonal}, {2, kSymmetric}}, {1, 1});
  builder.add(0, 0, 0, 0, 1);
  builder.add(1, 0, 0, 0, 1);
  builder.add(1, 0, 1, 1, -1);
  builder.add(0, 1, 0, 1, 1);
  for (std::size_t i = 0; i < 2; ++i) builder.add(2, 1, i, i, 1);
  return builder.finish();
}

/// min −x over x I ⪰ F_0
Problem dual_infeasible() {
  ProblemBuilder builder({{2, kSymmetric}}, {-1});
  builder.add(0, 0, 0, 1, 1);
  for (std::size_t i = 0; i < 2; ++i) builder.add(1, 0, i, i, 1);
  return builder.finish();
}

/// min −x over x ≥ 0, 3 ≥ y ≥ −3
Problem dual_infeasible_linear() {
  ProblemBuilder builder({{1, kDiagonal}, {2, kDiagonal}}, {-1, 1});
  builder.add(1, 0, 0, 0, 1);
  for (std::size_t i = 0; i < 2; ++i) builder.add(0, 1, i, i, -3);
  builder.add(2, 1, 0, 0, 1);
  builder.add(2, 1, 1, 1, -1);
  return builder.finish();
}

/// A constraint 0 • Y = 1, which no Y meets.
Problem dual_infeasible_by_a_constraint_without_entries() {
  ProblemBuilder builder({{2, kSymmetric}}, {1, 1});
  for (std::size_t i = 0; i < 2; ++i) builder.add(1, 0, i, i, 1);
  builder.add(0, 0, 0, 1, 1);
  return builder.finish();
}

/// inf x over [x 1; 1 y] ⪰ 0 is 0, and not attained.
Problem infimum_not_attained() {
  ProblemBuilder builder({{2, kSymmetric}}, {1, 0});
  builder.add(0, 0, 0, 1, -1);
  builder.add(1, 0, 0, 0, 1);
  builder.add(2, 0, 1, 1, 1);
  return builder.finish();
}

using Case = test::KnownProblem;

std::vector<Case> cases() {
  const double pi = std::numbers::pi, cosine = std::cos(pi / 9);
  return {{"linear program", test::small_linear_program(), Status::optimal, 4},
          {"least eigenvalue", test::least_eigenvalue_problem(7), Status::optimal,
           2 * std::cos(pi / 8) - 2},
          {"least eigenvalue, larger", test::least_eigenvalue_problem(130), Status::optimal,
           2 * std::cos(pi / 131) - 2},
          {"theta of the pentagon", test::theta_of_cycle(5), Status::optimal, std::sqrt(5)},
          {"theta of the cycle of 9", test::theta_of_cycle(9), Status::optimal,
           9 * cosine / (1 + cosine)},
          {"cut of the pentagon", cut_of_cycle(5), Status::optimal, 2.5 * (1 + std::cos(pi / 5))},
          {"cut of the cycle of 131", cut_of_cycle(131), Status::optimal,
           65.5 * (1 + std::cos(pi / 131))},
          {"oddities", with_oddities(), Status::optimal, 3},
          {"(P) infeasible", primal_infeasible(), Status::primal_infeasible},
          {"(P) infeasible, linear", primal_infeasible_linear(), Status::primal_infeasible},
          {"(D) infeasible", dual_infeasible(), Status::dual_infeasible},
          {"(D) infeasible, linear", dual_infeasible_linear(), Status::dual_infeasible},
          {"(D) infeasible by 0 • Y = 1", dual_infeasible_by_a_constraint_without_entries(),
           Status::dual_infeasible}};
}

void expect_solution(const Case& c, const Solution& solution, double tolerance) {
  EXPECT_STREQ(to_string(solution.status), to_string(c.status));
  EXPECT_EQ(verify(c.problem, solution, tolerance).fault, "");
  EXPECT_EQ(solution.x.size(), c.problem.constraints());
  EXPECT_TRUE(std::ranges::equal(solution.X.blocks(), c.problem.blocks()));
  EXPECT_TRUE(std::ranges::equal(solution.Y.blocks(), c.problem.blocks()));
  EXPECT_FALSE(solution.interrupted);
  if (c.status != Status::optimal) return;
  EXPECT_NEAR(solution.primal_objective, c.value, 1e-6 * (1 + std::abs(c.value)));
  EXPECT_NEAR(solution.dual_objective, c.value, 1e-6 * (1 + std::abs(c.value)));
}

TEST(SdpSolve, SolvesWhatIsKnownInClosedForm) {
  for (const std::size_t threads : {1, 2, 3}) {
    Team team(sdp_mapping(threads));
    for (const Case& c : cases()) {
      SCOPED_TRACE(testing::Message() << c.name << " by " << threads);
      const Solution solution = solve(team, c.problem);
      expect_solution(c, solution, 1e-7);
      EXPECT_FALSE(solution.extended_precision) << "16 digits suffice for it";
    }
  }
}

TEST(SdpSolve, SolvesTheSameWithEveryPreset) {
  Team team(sdp_mapping(2));
  for (const char* name : {"fast", "default", "stable"}) {
    for (const Case& c : cases()) {
      SCOPED_TRACE(testing::Message() << c.name << ", " << name);
      expect_solution(c, solve(team, c.problem, preset(name)), 1e-7);
    }
  }
}

TEST(SdpSolve, KnowsNoOtherPreset) {
  EXPECT_EQ(test::error_of([] { preset("slow"); }),
            "invalid_argument: no preset is called 'slow': expected fast, default or stable");
}

TEST(SdpSolve, RefusesOptionsThatMakeNoSense) {
  Team team(sdp_mapping(1));
  const Problem problem = test::small_linear_program();
  struct Refusal {
    double Options::*option;
    double value;
    const char* words;
  };
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const Refusal& refusal :
       {Refusal{&Options::tolerance, 0, "tolerance is 0: expected a number between 0 and 1"},
        {&Options::tolerance, nan, "tolerance is nan: expected a number between 0 and 1"},
        {&Options::tolerance, 1, "tolerance is 1: expected a number between 0 and 1"},
        {&Options::lambda_star, -1, "lambda_star is -1: expected a number from 0 on"},
        {&Options::lambda_star, infinity, "lambda_star is inf: expected a number from 0 on"},
        {&Options::beta_star, 1, "beta_star is 1: expected a number from 0 to below 1"},
        {&Options::beta_bar, -0.5, "beta_bar is -0.5: expected a number from 0 to below 1"},
        {&Options::gamma_star, 0, "gamma_star is 0: expected a number between 0 and 1"},
        {&Options::gamma_star, 1, "gamma_star is 1: expected a number between 0 and 1"}}) {
    Options options;
    options.*refusal.option = refusal.value;
    const std::string expected = std::string("invalid_argument: ") + refusal.words;
    EXPECT_EQ(test::error_of([&] { solve(team, problem, options); }), expected);
    EXPECT_EQ(test::error_of([&] { plan(team, problem, options); }), expected);
  }
}

TEST(SdpSolve, RefusesToTakeMoreMemoryThanItMay) {
  Team team(sdp_mapping(1));
  const Problem problem = test::theta_of_cycle(9);
  Options options;
  const std::uint64_t need = plan(team, problem).bytes;
  EXPECT_GT(need, 9u * 9u * 2u * sizeof(double));
  options.memory_limit = need - 1;
  std::size_t lines = 0;
  options.go_on = [&](const Iteration&) { return ++lines > 0; };
  EXPECT_EQ(test::error_of([&] { solve(team, problem, options); }),
            fmt::format("out_of_memory: the solution takes {} of memory: {} may be taken",
                        kinjo::detail::format_bytes(need), kinjo::detail::format_bytes(need - 1)));
  EXPECT_EQ(lines, 0u);
  options.memory_limit = need;
  EXPECT_EQ(solve(team, problem, options).status, Status::optimal);
}

TEST(SdpSolve, CountsWholeBlocksOfWhichConstraintsTouchLittle) {
  Team team(sdp_mapping(1));
  constexpr std::uint32_t kOrder = 20000;
  ProblemBuilder builder({{kOrder, kSymmetric}}, {1});
  builder.add(0, 0, 0, 0, 1);
  builder.add(1, 0, 0, 0, 1);
  const Problem problem = builder.finish();
  EXPECT_GE(plan(team, problem).bytes, 2 * sizeof(double) * kOrder * kOrder);
  EXPECT_THROW(solve(team, problem, {.memory_limit = 1 << 20}), Error);
}

TEST(SdpSolve, SolvesFromAnyStart) {
  Team team(sdp_mapping(1));
  for (const double start : {1.0, 100.0, 1e4}) {
    Options options;
    options.lambda_star = start;
    const Case c = {"", test::theta_of_cycle(7), Status::optimal,
                    7 * std::cos(std::numbers::pi / 7) / (1 + std::cos(std::numbers::pi / 7))};
    SCOPED_TRACE(start);
    expect_solution(c, solve(team, c.problem, options), 1e-7);
  }
}

TEST(SdpSolve, MeetsTheToleranceThatIsAskedFor) {
  Team team(sdp_mapping(1));
  for (const double tolerance : {1e-3, 1e-5, 1e-9}) {
    Options options;
    options.tolerance = tolerance;
    const Problem problem = test::theta_of_cycle(5);
    const Solution solution = solve(team, problem, options);
    EXPECT_EQ(solution.status, Status::optimal) << tolerance;
    EXPECT_EQ(verify(problem, solution, tolerance).fault, "");
    EXPECT_NEAR(solution.primal_objective, std::sqrt(5), 10 * tolerance);
  }
}

TEST(SdpSolve, GoesOnInMoreDigitsWhereItMay) {
  Team team(sdp_mapping(1));
  const Problem problem = infimum_not_attained();
  Options options;
  options.tolerance = 1e-9;
  options.extended_precision = false;
  const Solution rough = solve(team, problem, options);
  EXPECT_NE(rough.status, Status::optimal);
  EXPECT_FALSE(rough.extended_precision);
  EXPECT_EQ(verify(problem, rough, options.tolerance).fault, "");
  options.extended_precision = true;
  const Solution fine = solve(team, problem, options);
  EXPECT_EQ(fine.status, Status::optimal);
  EXPECT_TRUE(fine.extended_precision);
  EXPECT_EQ(verify(problem, fine, options.tolerance).fault, "");
  const auto begins = [](const Iteration& line) { return line.number == 0; };
  EXPECT_EQ(std::ranges::count_if(fine.iterations, begins), 2) << "the first ones are listed too";
  const auto first_of_more =
      std::ranges::find_if(fine.iterations.begin() + 1, fine.iterations.end(), begins);
  const auto first_ones = static_cast<std::size_t>(first_of_more - fine.iterations.begin());
  EXPECT_LT(first_ones, rough.iterations.size()) << "sooner given up where more digits will do";

  std::size_t lines = 0;
  options.go_on = [&](const Iteration&) { return ++lines <= first_ones; };
  const Solution stopped = solve(team, problem, options);
  EXPECT_EQ(stopped.status, Status::limit);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.iterations.size(), first_ones + 1);
}

/// Blocks of many kinds, cones below and above the order from which they are sparse, Schur
/// complements of every kind. Of each the verifier proves that it is solved.
TEST(SdpSolve, SolvesRandomProblemsOfManyShapes) {
  struct Shape {
    const char* name;
    std::vector<Block> blocks;
    std::size_t constraints;
    test::Densities densities;
  };
  const std::vector<Block> small(150, {3, kSymmetric});
  const Shape shapes[] = {
      {"one dense block", {{20, kSymmetric}}, 30, {.dense = 30}},
      {"mixed",
       {{8, kSymmetric}, {1, kSymmetric}, {15, kSymmetric}, {0, kSymmetric}, {9, kDiagonal}},
       40,
       {.dense = 2, .entries = 6}},
      {"linear", {{60, kDiagonal}}, 25, {.dense = 4, .entries = 3}},
      {"constraints without entries",
       {{10, kSymmetric}, {5, kDiagonal}},
       20,
       {.dense = 2, .empty = 3, .entries = 4}},
      {"a large sparse block",
       {{220, kSymmetric}, {20, kDiagonal}},
       60,
       {.dense = 0, .entries = 4}},
      {"more constraints than a pool takes", {{30, kSymmetric}}, 270, {.dense = 4, .entries = 3}},
      {"a sparse Schur complement", small, 250, {.dense = 0, .entries = 5}},
      {"the same with constraints without entries",
       small,
       250,
       {.dense = 0, .empty = 4, .entries = 5}}};
  Draw draw(1);
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.name);
    const Problem problem = random_problem(draw, shape.blocks, shape.constraints, shape.densities);
    Team team(sdp_mapping(2));
    const Solution solution = solve(team, problem);
    EXPECT_STREQ(to_string(solution.status), "optimal");
    EXPECT_EQ(verify(problem, solution, 1e-7).fault, "");
    EXPECT_EQ(solution.plan.sparse_schur, shape.blocks.size() == small.size());
  }
}

/// Cuts of a cycle whose sides differ by a given number, which is e eᵀ • Y = d²: a dense matrix of
/// rank one beside sparse ones, in cones of all sizes that the solver makes a difference of.
TEST(SdpSolve, SolvesWithADenseMatrixOfRankOneAmongSparseOnes) {
  Team team(sdp_mapping(2));
  for (const std::uint32_t n : {12, 41, 110, 210}) {
    SCOPED_TRACE(n);
    std::vector<double> costs(n + 1, 1.0);
    costs[n] = n;
    ProblemBuilder builder({{n, kSymmetric}}, costs);
    for (std::size_t i = 0; i < n; ++i) {
      builder.add(0, 0, i, i, 0.5);
      builder.add(0, 0, i, (i + 1) % n, -0.25);
      builder.add(0, 0, i, (i * i + 3) % n, 0.125);
      builder.add(i + 1, 0, i, i, 1);
      for (std::size_t j = i; j < n; ++j) builder.add(n + 1, 0, i, j, 1);
    }
    const Problem problem = builder.finish();
    const Solution solution = solve(team, problem);
    EXPECT_STREQ(to_string(solution.status), "optimal");
    EXPECT_EQ(verify(problem, solution, 1e-7).fault, "");
  }
}

TEST(SdpSolve, ComesNearAnInfimumThatIsNotAttained) {
  Team team(sdp_mapping(1));
  const Case c = {"", infimum_not_attained(), Status::optimal, 0};
  expect_solution(c, solve(team, c.problem), 1e-7);
}

/// Where (D) has no interior, a path that begins low ends where B has no digits left.
TEST(SdpSolve, BeginsOnceMoreWhereXGrowsWithoutBound) {
  Team team(sdp_mapping(1));
  const auto beginnings = [&](const Problem& problem, double lambda_star) {
    Options options;
    options.lambda_star = lambda_star;
    options.extended_precision = false;
    std::size_t count = 0;
    for (const Iteration& line : solve(team, problem, options).iterations) {
      count += line.primal_step == 0 && line.dual_step == 0 ? 1 : 0;
    }
    return count;
  };
  const Problem growing = infimum_not_attained();
  EXPECT_EQ(beginnings(growing, 0), 2U);
  EXPECT_EQ(beginnings(growing, 100), 1U) << "where it is to begin was said";
  for (const Case& c : cases()) {
    if (c.status != Status::optimal) continue;
    SCOPED_TRACE(c.name);
    EXPECT_EQ(beginnings(c.problem, 0), 1U);
  }
}

TEST(SdpSolve, SolvesWhatTheRulesMake) {
  Team team(sdp_mapping(2));
  for (const char* rule : {"maxcut:11", "theta:20,60", "control:3", "random:15,20"}) {
    SCOPED_TRACE(rule);
    const Problem problem = problem_by_rule(rule);
    const Solution solution = solve(team, problem);
    EXPECT_STREQ(to_string(solution.status), "optimal");
    EXPECT_EQ(verify(problem, solution, 1e-7).fault, "");
  }
}

/// No entries at all: X is 0 whatever x is.
TEST(SdpSolve, SolvesProblemsWithoutEntries) {
  Team team(sdp_mapping(1));
  const Case none = {"", ProblemBuilder({{3, kSymmetric}}, {0, 0}).finish(), Status::optimal, 0};
  expect_solution(none, solve(team, none.problem), 1e-7);
  const Case costs = {"", ProblemBuilder({{3, kSymmetric}}, {0, 2}).finish(),
                      Status::dual_infeasible, 0};
  expect_solution(costs, solve(team, costs.problem), 1e-7);
}

bool same_bits(const BlockMatrix& a, const BlockMatrix& b) {
  for (std::size_t k = 0; k < a.blocks().size(); ++k) {
    if (!std::ranges::equal(a.block(k), b.block(k))) return false;
  }
  return true;
}

/// Everything but the time.
void expect_same(const Solution& a, const Solution& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_TRUE(a.x == b.x);
  EXPECT_TRUE(same_bits(a.X, b.X));
  EXPECT_TRUE(same_bits(a.Y, b.Y));
  EXPECT_EQ(a.iterations.size(), b.iterations.size());
  EXPECT_EQ(a.dimacs_errors, b.dimacs_errors);
}

/// Cones on either side of the orders at which threads begin to share something, B dense and
/// sparse, X sparse, and one that ends in more digits.
TEST(SdpSolve, GivesTheSameBitsInEveryRunForEveryNumberOfThreads) {
  Draw draw(2);
  const std::vector<Problem> problems = {
      random_problem(draw, {{40, kSymmetric}, {210, kSymmetric}, {30, kDiagonal}}, 290,
                     {.dense = 2, .entries = 5}),
      random_problem(draw, {{130, kSymmetric}, {64, kSymmetric}, {7, kSymmetric}}, 530,
                     {.dense = 1, .entries = 3}),
      problem_by_rule("maxcut:18x18", 1),
      problem_by_rule("theta:60,300", 1),
      problem_by_rule("control:9", 1),
      infimum_not_attained()};
  for (const Problem& problem : problems) {
    std::optional<Solution> first;
    for (const std::size_t threads : {1, 2, 3, 2}) {
      Team team(sdp_mapping(threads));
      Solution solution = solve(team, problem);
      if (first) {
        SCOPED_TRACE(testing::Message() << threads << " threads, order " << problem.order());
        expect_same(solution, *first);
      } else {
        EXPECT_EQ(solution.status, Status::optimal);
        first = std::move(solution);
      }
    }
  }
}

/// Min x_1 where the ones-vector is in the kernel of Y: to be reduced to a face.
Problem with_a_face() {
  ProblemBuilder builder({{3, kSymmetric}}, {0, 1, 1, 1});
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) builder.add(1, 0, i, j, 1);
    builder.add(2 + i, 0, i, i, 1);
    builder.add(0, 0, i, i, -1.0 - static_cast<double>(i));
  }
  return builder.finish();
}

/// With a face, parts of all kinds, and one that ends in more digits, for which it is made anew.
TEST(SdpSolve, TakesAProblemForGoodAndSolvesItAlike) {
  Draw draw(3);
  Team team(sdp_mapping(2));
  const std::vector<Problem> problems = {
      with_oddities(), with_a_face(), infimum_not_attained(), primal_infeasible(),
      random_problem(draw, {{20, kSymmetric}, {9, kDiagonal}, {7, kSymmetric}}, 30,
                     {.dense = 2, .entries = 5})};
  Options options;
  options.tolerance = 1e-9;
  for (const Problem& problem : problems) {
    const Solution kept = solve(team, problem, options);
    Problem passing = problem;
    // No std::move: it is looked at afterwards.
    const Solution taken = solve(team, static_cast<Problem&&>(passing), options);
    EXPECT_EQ(passing.entries(), 0u);
    EXPECT_EQ(passing.constraints(), 0u);
    expect_same(kept, taken);
    EXPECT_EQ(kept.extended_precision, taken.extended_precision);
  }
}

TEST(SdpSolve, StopsWhenItIsTold) {
  Team team(sdp_mapping(1));
  Options options;
  options.go_on = [](const Iteration& line) { return line.number < 3; };
  const Solution solution = solve(team, test::theta_of_cycle(5), options);
  EXPECT_EQ(solution.status, Status::limit);
  EXPECT_TRUE(solution.interrupted);
  ASSERT_EQ(solution.iterations.size(), 4u);
  EXPECT_EQ(solution.iterations.back().number, 3u);
  EXPECT_EQ(solution.x.size(), 6u);
  EXPECT_EQ(solution.Y.block(0).size(), 25u);
  EXPECT_FALSE(solution.extended_precision);
}

TEST(SdpSolve, StopsAtTheFirstWord) {
  Team team(sdp_mapping(1));
  Options options;
  options.go_on = [](const Iteration&) { return false; };
  const Solution solution = solve(team, test::theta_of_cycle(5), options);
  EXPECT_EQ(solution.status, Status::limit);
  EXPECT_TRUE(solution.interrupted);
  EXPECT_EQ(solution.iterations.size(), 1u);
}

TEST(SdpSolve, SaysSoWhenIterationsRunOut) {
  Team team(sdp_mapping(1));
  for (const std::size_t most : {1, 4}) {
    Options options;
    options.max_iteration = most;
    const Solution solution = solve(team, test::theta_of_cycle(5), options);
    EXPECT_EQ(solution.status, Status::limit);
    EXPECT_FALSE(solution.interrupted);
    EXPECT_EQ(solution.iterations.back().number, most);
    EXPECT_EQ(solution.iterations.size(), most + 1);
  }
}

TEST(SdpSolve, ListsItsIterations) {
  Team team(sdp_mapping(1));
  std::vector<Iteration> seen;
  Options options;
  options.go_on = [&](const Iteration& line) {
    seen.push_back(line);
    return true;
  };
  const Solution solution = solve(team, test::theta_of_cycle(5), options);
  ASSERT_EQ(solution.iterations.size(), seen.size());
  for (std::size_t k = 0; k < seen.size(); ++k) {
    EXPECT_EQ(solution.iterations[k].number, k);
    EXPECT_EQ(seen[k].number, k);
    EXPECT_EQ(seen[k].primal_objective, solution.iterations[k].primal_objective);
    EXPECT_GT(seen[k].mu, 0);
  }
  EXPECT_EQ(solution.iterations.back().primal_objective, solution.primal_objective);
}

TEST(SdpSolve, EntersEveryPhase) {
  Team team(sdp_mapping(1));
  std::set<Phase> entered;
  Options options;
  options.enter = [&](Phase phase) { entered.insert(phase); };
  solve(team, test::theta_of_cycle(5), options);
  EXPECT_EQ(entered.size(), kPhases);
}

TEST(SdpSolve, StaysUsableAfterACallbackHasThrown) {
  Team team(sdp_mapping(2));
  Options options;
  options.go_on = [](const Iteration& line) -> bool {
    if (line.number == 2) throw std::runtime_error("enough");
    return true;
  };
  EXPECT_THROW(solve(team, test::theta_of_cycle(5), options), std::runtime_error);
  EXPECT_EQ(solve(team, test::theta_of_cycle(5)).status, Status::optimal);
}

TEST(SdpPlan, SaysHowAProblemIsSolved) {
  Team team(sdp_mapping(1));
  const Plan odd = plan(team, with_oddities());
  EXPECT_EQ(odd.symmetric_blocks, 1u);
  EXPECT_EQ(odd.linear, 3u);
  EXPECT_EQ(odd.largest_block, 2u);
  EXPECT_EQ(odd.schur_entries, 6u);
  EXPECT_FALSE(odd.sparse_schur);
  const Plan cut = plan(team, cut_of_cycle(131));
  EXPECT_EQ(cut.symmetric_blocks, 1u);
  EXPECT_EQ(cut.sparse_blocks, 1u);
  EXPECT_EQ(cut.formulas, (std::array<std::uint64_t, 3>{0, 0, 131}));
  const Solution solution = solve(team, cut_of_cycle(131));
  EXPECT_EQ(solution.plan.formulas, cut.formulas);
  EXPECT_EQ(solution.plan.factor_entries, cut.factor_entries);
  EXPECT_EQ(solution.plan.bytes, cut.bytes);
}

TEST(SdpPlan, CountsTheMatricesThatAreKept) {
  Team team(sdp_mapping(1));
  // B, of which the constraints are as many as rows, is one more matrix of X's size, and the pool
  // of its sums half of one.
  constexpr std::uint64_t kSquare = 131 * 131 * sizeof(double);
  const std::uint64_t bytes = plan(team, cut_of_cycle(131)).bytes;
  EXPECT_GE(bytes, 21 * kSquare / 2);
  EXPECT_LE(bytes, 23 * kSquare / 2);
}

}  // namespace
}  // namespace kinjo::sdp
