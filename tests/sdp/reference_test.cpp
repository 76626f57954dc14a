#include "sdp/reference.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <kinjo/sdp_files.hpp>
#include <kinjo/sdp_verify.hpp>

#include "base/double_double.hpp"
#include "sdp/solver_samples.hpp"
#include "support/sdplib.hpp"

namespace kinjo::sdp::detail {
namespace {

using kinjo::detail::DoubleDouble;

/// min x + y over x ≥ 1, y ≥ 2, x + y ≥ 4, which is 4.
Problem linear_program() {
  ProblemBuilder builder({{3, BlockKind::diagonal}}, {1, 1});
  const double lower[] = {1, 2, 4};
  for (std::size_t i = 0; i < 3; ++i) builder.add(0, 0, i, i, lower[i]);
  for (const std::size_t i : {0, 2}) builder.add(1, 0, i, i, 1);
  for (const std::size_t i : {1, 2}) builder.add(2, 0, i, i, 1);
  return builder.finish();
}

/// min −t over A − t I ⪰ 0 for A = tridiag(−1, 2, −1) of order n: −λmin = 2 cos(π/(n + 1)) − 2.
Problem smallest_eigenvalue(std::size_t n) {
  ProblemBuilder builder({{static_cast<std::uint32_t>(n), BlockKind::symmetric}}, {-1});
  for (std::size_t i = 0; i < n; ++i) {
    builder.add(0, 0, i, i, -2);
    if (i > 0) builder.add(0, 0, i - 1, i, 1);
    builder.add(1, 0, i, i, -1);
  }
  return builder.finish();
}

/// Lovász' ϑ of the cycle of five vertices, √5.
Problem theta_of_pentagon() {
  ProblemBuilder builder({{5, BlockKind::symmetric}}, {1, 0, 0, 0, 0, 0});
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = i; j < 5; ++j) builder.add(0, 0, i, j, 1);
    builder.add(1, 0, i, i, 1);
    builder.add(2 + i, 0, i, (i + 1) % 5, 1);
  }
  return builder.finish();
}

/// inf x over [x 1; 1 y] ⪰ 0, which is 0 and not attained.
Problem without_minimum() {
  ProblemBuilder builder({{2, BlockKind::symmetric}}, {1, 0});
  builder.add(0, 0, 0, 1, -1);
  builder.add(1, 0, 0, 0, 1);
  builder.add(2, 0, 1, 1, 1);
  return builder.finish();
}

/// Blocks of no rows, one constraint twice, and one block that no constraint touches.
Problem with_oddities() {
  ProblemBuilder builder({{0, BlockKind::symmetric},
                          {1, BlockKind::symmetric},
                          {2, BlockKind::symmetric},
                          {0, BlockKind::diagonal}},
                         {1, 1});
  builder.add(0, 1, 0, 0, 3);
  builder.add(1, 1, 0, 0, 1);
  builder.add(2, 1, 0, 0, 1);
  for (std::size_t i = 0; i < 2; ++i) builder.add(0, 2, i, i, -1);
  return builder.finish();
}

/// [x 1; 1 −x] ⪰ 0
Problem primal_infeasible() {
  ProblemBuilder builder({{2, BlockKind::symmetric}}, {1});
  builder.add(0, 0, 0, 1, -1);
  builder.add(1, 0, 0, 0, 1);
  builder.add(1, 0, 1, 1, -1);
  return builder.finish();
}

/// x ≥ 1, −x ≥ 0
Problem primal_infeasible_linear() {
  ProblemBuilder builder({{2, BlockKind::diagonal}}, {1});
  builder.add(0, 0, 0, 0, 1);
  builder.add(1, 0, 0, 0, 1);
  builder.add(1, 0, 1, 1, -1);
  return builder.finish();
}

/// x ≥ 1, −x ≥ 0, [y 0; 0 y] ⪰ 0: all certificates are singular.
Problem primal_infeasible_singular() {
  ProblemBuilder builder({{2, BlockKind::diagonal}, {2, BlockKind::symmetric}}, {1, 1});
  builder.add(0, 0, 0, 0, 1);
  builder.add(1, 0, 0, 0, 1);
  builder.add(1, 0, 1, 1, -1);
  for (std::size_t i = 0; i < 2; ++i) builder.add(2, 1, i, i, 1);
  return builder.finish();
}

/// min −x over x ≥ 0, 3 ≥ y ≥ −3: all certificates are singular.
Problem dual_infeasible_singular() {
  ProblemBuilder builder({{1, BlockKind::diagonal}, {2, BlockKind::diagonal}}, {-1, 1});
  builder.add(1, 0, 0, 0, 1);
  for (std::size_t i = 0; i < 2; ++i) builder.add(0, 1, i, i, -3);
  builder.add(2, 1, 0, 0, 1);
  builder.add(2, 1, 1, 1, -1);
  return builder.finish();
}

/// min −x over x I ⪰ F_0
Problem dual_infeasible() {
  ProblemBuilder builder({{2, BlockKind::symmetric}}, {-1});
  builder.add(0, 0, 0, 1, 1);
  for (std::size_t i = 0; i < 2; ++i) builder.add(1, 0, i, i, 1);
  return builder.finish();
}

using Case = test::KnownProblem;

std::vector<Case> cases() {
  const double eigenvalue = 2 * std::cos(std::numbers::pi / 8) - 2;
  return {{"linear program", linear_program(), Status::optimal, 4},
          {"smallest eigenvalue", smallest_eigenvalue(7), Status::optimal, eigenvalue},
          {"theta of the pentagon", theta_of_pentagon(), Status::optimal, std::sqrt(5)},
          {"infimum that is not attained", without_minimum(), Status::optimal, 0},
          {"oddities", with_oddities(), Status::optimal, 3},
          {"(P) infeasible", primal_infeasible(), Status::primal_infeasible},
          {"(P) infeasible, linear", primal_infeasible_linear(), Status::primal_infeasible},
          {"(P) infeasible, singular", primal_infeasible_singular(), Status::primal_infeasible},
          {"(D) infeasible", dual_infeasible(), Status::dual_infeasible},
          {"(D) infeasible, singular", dual_infeasible_singular(), Status::dual_infeasible}};
}

void expect_solution(const Problem& problem, const Solution& solution, Status status,
                     double value) {
  EXPECT_STREQ(to_string(solution.status), to_string(status));
  EXPECT_EQ(verify(problem, solution, 1e-7).fault, "");
  if (status != Status::optimal) return;
  EXPECT_NEAR(solution.primal_objective, value, 1e-6 * (1 + std::abs(value)));
  EXPECT_NEAR(solution.dual_objective, value, 1e-6 * (1 + std::abs(value)));
}

TEST(SdpReference, SolvesInDoubleWhatIsKnownInClosedForm) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    expect_solution(c.problem, solve_reference<double>(c.problem, {}), c.status, c.value);
  }
}

TEST(SdpReference, SolvesInDoubleDoubleWhatIsKnownInClosedForm) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Solution solution = solve_reference<DoubleDouble>(c.problem, {});
    expect_solution(c.problem, solution, c.status, c.value);
    EXPECT_TRUE(solution.extended_precision);
  }
}

TEST(SdpReference, HasTheDigitsThatAreAskedFor) {
  ReferenceOptions options;
  options.options.tolerance = 1e-13;
  const Solution solution = solve_reference<DoubleDouble>(theta_of_pentagon(), options);
  EXPECT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR(solution.primal_objective, std::sqrt(5), 2e-12);
}

TEST(SdpReference, GoesOnFromARoughSolution) {
  const Problem problem = theta_of_pentagon();
  ReferenceOptions rough;
  rough.options.tolerance = 1e-3;
  const Solution start = solve_reference<double>(problem, rough);
  ReferenceOptions options;
  options.start = &start;
  const Solution fine = solve_reference<DoubleDouble>(problem, options);
  expect_solution(problem, fine, Status::optimal, std::sqrt(5));
  EXPECT_LT(fine.iterations.size(), solve_reference<DoubleDouble>(problem, {}).iterations.size());
}

TEST(SdpReference, StopsWhenItIsTold) {
  ReferenceOptions options;
  options.options.go_on = [](const Iteration& line) { return line.number < 2; };
  const Solution solution = solve_reference<double>(theta_of_pentagon(), options);
  EXPECT_EQ(solution.status, Status::limit);
  EXPECT_TRUE(solution.interrupted);
  EXPECT_EQ(solution.iterations.size(), 3u);
  EXPECT_EQ(solution.x.size(), 6u);
}

TEST(SdpReference, SaysSoWhenIterationsRunOut) {
  ReferenceOptions options;
  options.options.max_iteration = 2;
  const Solution solution = solve_reference<double>(theta_of_pentagon(), options);
  EXPECT_EQ(solution.status, Status::limit);
  EXPECT_FALSE(solution.interrupted);
}

TEST(SdpReference, CountsOperationsByTheSizeOfTheProblem) {
  EXPECT_LT(reference_operations(linear_program()), reference_operations(theta_of_pentagon()));
  EXPECT_LT(reference_operations(smallest_eigenvalue(10)),
            reference_operations(smallest_eigenvalue(100)) / 500);
}

/// Problems that solvers in double fail on, or call infeasible, and their published optima.
TEST(SdpReference, SolvesHardProblemsOfSdplib) {
  struct Hard {
    const char* name;
    double value;
  };
  for (const Hard& hard :
       {Hard{"hinf2", 10.967}, Hard{"hinf6", 448.93}, Hard{"hinf9", 236.249}, Hard{"hinf11", 65.86},
        Hard{"hinf14", 12.99}, Hard{"control1", 17.784627}, Hard{"truss1", -8.999996},
        Hard{"qap5", -436}, Hard{"gpp100", -44.9435}}) {
    const auto file = test::sdplib_problem(hard.name);
    if (!file) GTEST_SKIP() << test::kNoSdplib;
    SCOPED_TRACE(hard.name);
    const Problem problem = read_problem(file->string());
    const Solution solution = solve_reference<DoubleDouble>(problem, {});
    EXPECT_STREQ(to_string(solution.status), "optimal");
    EXPECT_EQ(verify(problem, solution, 1e-7).fault, "");
    EXPECT_NEAR(solution.primal_objective, hard.value, 1e-3 * std::abs(hard.value));
  }
}

TEST(SdpReference, ProvesThatProblemsOfSdplibHaveNoSolution) {
  for (const auto& [name, status] : {std::pair{"infp1", Status::primal_infeasible},
                                     std::pair{"infd1", Status::dual_infeasible}}) {
    const auto file = test::sdplib_problem(name);
    if (!file) GTEST_SKIP() << test::kNoSdplib;
    const Problem problem = read_problem(file->string());
    const Solution solution = solve_reference<DoubleDouble>(problem, {});
    EXPECT_STREQ(to_string(solution.status), to_string(status));
    EXPECT_EQ(verify(problem, solution, 1e-12).fault, "");
  }
}

}  // namespace
}  // namespace kinjo::sdp::detail
