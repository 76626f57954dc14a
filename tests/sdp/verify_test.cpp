#include <kinjo/sdp_verify.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/sdp_files.hpp>

#include "sdp/solution_samples.hpp"
#include "sdp/verify/definite.hpp"
#include "support/expect.hpp"
#include "support/sdplib.hpp"

namespace kinjo::sdp {
namespace {

using test::corner_problem;
using test::corner_solution;
using test::error_of;
using test::set;
using ::testing::Each;
using ::testing::StartsWith;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(Verify, AcceptsAnExactSolution) {
  const Verification found = verify(corner_problem(), corner_solution(), 1e-15);
  EXPECT_EQ(found.fault, "");
  EXPECT_EQ(found.primal_objective, 2);
  EXPECT_EQ(found.dual_objective, 2);
  // X and Y are singular, so that no factorisation without a shift is a proof.
  EXPECT_THAT(found.dimacs_errors, Each(::testing::Le(1e-27)));
}

TEST(Verify, ObjectsToEveryPartThatIsWrong) {
  const struct {
    const char* part;
    std::function<void(Solution&)> spoil;
    const char* fault;  ///< begins with
  } kFaults[] = {
      {"F_i • Y", [](Solution& s) { s.Y.block(1)[0] = 1e-3; },
       "the status is optimal, but DIMACS error 1 is 0.0005: expected at most 1e-07"},
      {"Y",
       [](Solution& s) {
         set(s.Y.block(0), {1, -1.1, -1.1, 1});
       },
       "the status is optimal, but DIMACS error 2 is 0.05"},
      {"Y, diagonal",
       [](Solution& s) {
         set(s.Y.block(0), {1.25, -1, -1, 1});
         set(s.Y.block(1), {-0.25, 0});
       },
       "the status is optimal, but DIMACS error 2 is 0.125: expected at most 1e-07"},
      {"X is not Σ F_i x_i − F_0", [](Solution& s) { s.X.block(0)[0] += 1e-3; },
       "the status is optimal, but DIMACS error 3 is 0.0005: expected at most 1e-07"},
      {"X is not Σ F_i x_i − F_0, diagonal", [](Solution& s) { s.X.block(1)[1] -= 1e-3; },
       "the status is optimal, but DIMACS error 3 is 0.0005: expected at most 1e-07"},
      {"x", [](Solution& s) { s.x[1] += 1e-3; },
       "the status is optimal, but DIMACS error 3 is 0.000707: expected at most 1e-07"},
      {"X",
       [](Solution& s) {
         s.x[0] = 0.75;
         set(s.X.block(0), {0.75, 1, 1, 1});
         set(s.X.block(1), {0.25, 1});
       },
       "the status is optimal, but DIMACS error 4 is 0.06"},
      {"X, diagonal",
       [](Solution& s) {
         s.x = {0.25, 4};
         set(s.X.block(0), {0.25, 1, 1, 4});
         set(s.X.block(1), {-0.25, 4});
       },
       "the status is optimal, but DIMACS error 4 is 0.125: expected at most 1e-07"},
      {"a gap",
       [](Solution& s) {
         s.x[0] = 2;
         set(s.X.block(0), {2, 1, 1, 1});
         set(s.X.block(1), {1.5, 1});
       },
       "the status is optimal, but DIMACS error 5 is 0.167: expected at most 1e-07"},
      {"the primal objective", [](Solution& s) { s.primal_objective = 2.1; },
       "the primal objective is said to be 2.1, but is 2"},
      {"the dual objective", [](Solution& s) { s.dual_objective = -2; },
       "the dual objective is said to be -2, but is 2"},
      {"an objective that is none", [](Solution& s) { s.dual_objective = std::nan(""); },
       "the dual objective is said to be nan, but is 2"},
      {"the status", [](Solution& s) { s.status = Status::primal_infeasible; },
       "the status is primal_infeasible, but its certificate has the error 0.75: expected at most "
       "1e-07"},
      {"the other status", [](Solution& s) { s.status = Status::dual_infeasible; },
       "the status is dual_infeasible, but the objective of x is 2: expected below 0"},
      {"the size of x", [](Solution& s) { s.x.push_back(0); }, "x has 3 values: expected 2"},
      {"a value of x", [](Solution& s) { s.x[0] = kInfinite; }, "x has a value that is not finite"},
      {"the blocks", [](Solution& s) { s.X = BlockMatrix(); },
       "the blocks of X are not the problem's"},
      {"a value of Y", [](Solution& s) { s.Y.block(1)[1] = std::nan(""); },
       "block 1 of Y has a value that is not finite"},
      {"symmetry", [](Solution& s) { s.X.block(0)[1] = 1.5; },
       "block 0 of X is not symmetric: (0, 1) is 1, (1, 0) is 1.5"},
  };
  for (const auto& [part, spoil, fault] : kFaults) {
    Solution solution = corner_solution();
    spoil(solution);
    const Verification found = verify(corner_problem(), solution, 1e-7);
    EXPECT_THAT(found.fault, StartsWith(fault)) << part;
    EXPECT_FALSE(found.passed()) << part;
  }
}

TEST(Verify, ObjectsToAProductXyThatTheGapHides) {
  ProblemBuilder builder({{2, BlockKind::diagonal}}, {2});
  builder.add(1, 0, 0, 0, 1);
  builder.add(1, 0, 1, 1, 1);
  const Problem problem = builder.finish();
  Solution solution;
  solution.status = Status::optimal;
  solution.x = {0};
  solution.X = solution.Y = BlockMatrix(problem.blocks());
  set(solution.X.block(0), {0.6, 0.6});
  set(solution.Y.block(0), {1, 1});
  EXPECT_EQ(verify(problem, solution, 1).fault,
            "the status is optimal, but DIMACS error 6 is 1.2: expected at most 1");
}

TEST(Verify, AsksForAThousandthOfTheAccuracyWhereThatIsClaimed) {
  Solution solution = corner_solution();
  solution.Y.block(1)[0] = 1e-4;
  EXPECT_FALSE(verify(corner_problem(), solution, 1e-7).passed());
  solution.status = Status::near_optimal;
  EXPECT_EQ(verify(corner_problem(), solution, 1e-7).fault, "");
  EXPECT_EQ(verify(corner_problem(), solution, 1e-8).fault,
            "the status is near_optimal, but DIMACS error 1 is 5e-05: expected at most 1e-05");
}

TEST(Verify, AsksNothingWhereNothingIsClaimed) {
  Solution solution = corner_solution();
  solution.x = {-7, 3};
  for (const Status status : {Status::limit, Status::numerical_failure}) {
    solution.status = status;
    const Verification found = verify(corner_problem(), solution, 1e-7);
    EXPECT_TRUE(found.passed());
    EXPECT_GT(found.dimacs_errors[2], 1);
  }
}

TEST(Verify, RefusesATolerance) {
  for (const double tolerance : {0.0, -1.0, std::nan("")}) {
    EXPECT_EQ(error_of([&] { verify(corner_problem(), corner_solution(), tolerance); }),
              "invalid_argument: the tolerance is " + fmt::to_string(tolerance) +
                  ": expected a number above 0");
  }
}

/// x ≥ 1 and −x ≥ 0, in a diagonal block or in two symmetric ones; units as given.
Problem no_primal_solution(double unit_of_x, double unit_of_F0) {
  ProblemBuilder builder({{2, BlockKind::diagonal}, {2, BlockKind::symmetric}}, {unit_of_x});
  for (std::size_t block = 0; block < 2; ++block) {
    builder.add(0, block, 0, 0, unit_of_F0);
    builder.add(1, block, 0, 0, unit_of_x);
    builder.add(1, block, 1, 1, -unit_of_x);
  }
  return builder.finish();
}

Solution solution_of(const Problem& problem, Status status) {
  Solution solution;
  solution.status = status;
  solution.x.resize(problem.constraints());
  solution.X = solution.Y = BlockMatrix(problem.blocks());
  return solution;
}

TEST(VerifyCertificate, ProvesThatThereIsNoPrimalSolution) {
  const Problem problem = no_primal_solution(1, 1);
  Solution solution = solution_of(problem, Status::primal_infeasible);
  set(solution.Y.block(0), {0.5, 0.5});
  set(solution.Y.block(1), {0.5, 0, 0, 0.5});
  const Verification exact = verify(problem, solution, 1e-7);
  EXPECT_EQ(exact.fault, "");
  EXPECT_EQ(exact.certificate_error, 0);
  set(solution.Y.block(0), {0.5, 0.5 + 1e-3});
  EXPECT_EQ(verify(problem, solution, 1e-7).fault,
            "the status is primal_infeasible, but its certificate has the error 0.000707: expected "
            "at most 1e-07");
  set(solution.Y.block(0), {1, -0.25});
  set(solution.Y.block(1), {0, 0, 0, 1.25});
  EXPECT_EQ(verify(problem, solution, 1e-7).fault,
            "the status is primal_infeasible, but its certificate has the error 0.354: expected at "
            "most 1e-07");
  set(solution.Y.block(0), {-1, 1});
  EXPECT_EQ(verify(problem, solution, 1e-7).fault,
            "the status is primal_infeasible, but F_0 • Y is -1: expected above 0");
}

TEST(VerifyCertificate, ProvesThatThereIsNoDualSolution) {
  // Y ⪰ 0 with Y_11 = −1 and Y_12 = 3
  ProblemBuilder builder({{2, BlockKind::symmetric}}, {-1, 6});
  builder.add(1, 0, 0, 0, 1);
  builder.add(2, 0, 0, 1, 1);
  const Problem problem = builder.finish();
  Solution solution = solution_of(problem, Status::dual_infeasible);
  solution.x = {1, 0};
  EXPECT_EQ(verify(problem, solution, 1e-7).fault, "");
  EXPECT_LE(verify(problem, solution, 1e-7).certificate_error, 1e-14);
  solution.x = {1, 1e-3};
  EXPECT_THAT(verify(problem, solution, 1e-7).fault,
              StartsWith("the status is dual_infeasible, but its certificate has the error 4."));
  solution.x = {-1, 0};
  EXPECT_EQ(verify(problem, solution, 1e-7).fault,
            "the status is dual_infeasible, but the objective of x is 1: expected below 0");
}

TEST(VerifyCertificate, DoesNotDependOnUnits) {
  double first = 0;
  // Of the last ones squares are nothing, or infinite.
  for (const double unit_of_x : {1.0, 1e6, 1e-170, 1e200}) {
    for (const double unit_of_F0 : {1.0, 1e-6, 1e-170, 1e200}) {
      const Problem problem = no_primal_solution(unit_of_x, unit_of_F0);
      Solution solution = solution_of(problem, Status::primal_infeasible);
      set(solution.Y.block(0), {2, 2 + 1e-5});
      const double error = verify(problem, solution, 1e-7).certificate_error;
      if (first == 0) first = error;
      EXPECT_NEAR(error, first, 1e-12);
      EXPECT_NEAR(error, 5e-6 / std::numbers::sqrt2, 1e-10);
    }
  }
}

/// 1 beside the diagonal, `shift` on it: its least eigenvalue is shift − 2 cos(π/(n+1)).
std::vector<double> chain(std::size_t n, double shift) {
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = shift;
  for (std::size_t i = 1; i < n; ++i) matrix[i * n + i - 1] = matrix[(i - 1) * n + i] = 1;
  return matrix;
}

TEST(ProvedDeficiency, IsTheLeastEigenvalueOrALittleMore) {
  // On either side of the order from which on factors in double are the proof.
  for (const std::size_t n : {2u, 3u, 17u, 120u, 450u}) {
    const double extreme = 2 * std::cos(std::numbers::pi / static_cast<double>(n + 1));
    EXPECT_EQ(detail::proved_deficiency(chain(n, 2), n, 0), 0) << n;
    for (const double least : {-1.0, -1e-3, -1e-9}) {
      const double found = detail::proved_deficiency(chain(n, extreme + least), n, 0);
      EXPECT_GE(found, -least * (1 - 1e-6)) << n;
      const double margin = n > 400 ? 3e-10 : 0;  // of a proof in double
      EXPECT_LE(found, -least * 1.06 + margin) << n;
    }
  }
}

TEST(ProvedDeficiency, IsFoundInTwiceThePrecisionWhereDoubleDoesNotDo) {
  constexpr std::size_t n = 450;
  const double extreme = 2 * std::cos(std::numbers::pi / (n + 1));
  const auto matrix = chain(n, extreme + 1e-13);
  EXPECT_GT(detail::proved_deficiency(matrix, n, 1e-9), 0);
  EXPECT_EQ(detail::proved_deficiency(matrix, n, 1e-15), 0);
  EXPECT_EQ(detail::proved_deficiency(chain(n, extreme - 0.7e-13), n, 8e-11), 1e-3 * 8e-11);
  const double rough = detail::proved_deficiency(chain(n, extreme - 1e-12), n, 1e-11);
  EXPECT_GT(rough, 0.9e-12);
  EXPECT_LT(rough, 1.1e-11);
}

TEST(ProvedDeficiency, IsNothingForZero) {
  EXPECT_EQ(detail::proved_deficiency(std::vector<double>(9), 3, 0), 0);
  EXPECT_EQ(detail::proved_deficiency({}, 0, 0), 0);
  EXPECT_NEAR(detail::proved_deficiency(std::vector<double>{-3}, 1, 0), 3, 0.15);
}

/// What CSDP says of its solutions: errors 1, 3, 5 and 6. Its third adds up the norms of blocks, of
/// which it is at least the norm of all.
TEST(VerifyPeers, FindsTheErrorsThatCsdpPrints) {
  const struct {
    const char* problem;
    double error1, error3, error5, error6;
  } kPrinted[] = {{"truss1", 5.05e-13, 3.92e-10, 4.34e-10, 5.16e-10},
                  {"control1", 1.72e-9, 1.65e-9, 2.36e-9, 1.51e-9}};
  for (const auto& printed : kPrinted) {
    const auto file = test::sdplib_problem(printed.problem);
    if (!file) GTEST_SKIP() << test::kNoSdplib;
    const Problem problem = read_problem(file->string());
    const Solution solution =
        read_solution(problem, std::string(KINJO_SDP_PEERS) + "/" + printed.problem + ".sol");
    const Verification found = verify(problem, solution, 1e-7);
    EXPECT_EQ(found.fault, "");
    EXPECT_NEAR(found.dimacs_errors[0], printed.error1, 0.01 * printed.error1);
    EXPECT_LE(found.dimacs_errors[2], printed.error3);
    EXPECT_GE(found.dimacs_errors[2],
              printed.error3 / std::sqrt(static_cast<double>(problem.blocks().size())) * 0.99);
    EXPECT_NEAR(found.dimacs_errors[4], printed.error5, 0.01 * printed.error5);
    EXPECT_NEAR(found.dimacs_errors[5], printed.error6, 0.01 * printed.error6);
    EXPECT_EQ(found.dimacs_errors[1], 0);
    EXPECT_EQ(found.dimacs_errors[3], 0);
  }
}

TEST(VerifyPeers, AcceptsSolutionsOfSdpa) {
  for (const char* name : {"truss1", "control1"}) {
    const auto file = test::sdplib_problem(name);
    if (!file) GTEST_SKIP() << test::kNoSdplib;
    const Problem problem = read_problem(file->string());
    const Solution solution =
        read_solution(problem, std::string(KINJO_SDP_PEERS) + "/" + name + ".result");
    EXPECT_EQ(solution.status, Status::optimal);
    EXPECT_EQ(verify(problem, solution, 1e-7).fault, "");
  }
}

}  // namespace
}  // namespace kinjo::sdp
