/// Problems without a solution, whose certificates the solver must reach whatever the sizes of the
/// data; and problems with one that sizes alone make look like these, or like solved ones.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/sdp.hpp>
#include <kinjo/sdp_verify.hpp>

#include "sdp/solver_samples.hpp"
#include "sdp/units.hpp"

namespace kinjo::sdp {
namespace {

using test::Draw;
using test::sdp_mapping;

constexpr BlockKind kSymmetric = BlockKind::symmetric;

/// [0 0; 0 x] ⪰ size [1 1; 1 0], which the first row denies.
Problem denied_by_a_row(double size) {
  ProblemBuilder builder({{2, kSymmetric}}, {1});
  builder.add(0, 0, 0, 0, size);
  builder.add(0, 0, 0, 1, size);
  builder.add(1, 0, 1, 1, 1);
  return builder.finish();
}

/// x v vᵀ ⪰ F_0 of whole numbers, times `size`, with uᵀ F_0 u > 0 for a u with uᵀ v = 0.
Problem denied_beside_a_vector(Draw& draw, double size) {
  const auto whole = [&](int most) {
    return static_cast<int>(draw.below(static_cast<std::uint64_t>(2 * most + 1))) - most;
  };
  const std::size_t n = 2 + draw.below(4);
  while (true) {
    std::vector<double> v(n), u(n, 0.0);
    for (double& value : v) value = whole(2);
    u[0] = v[1] == 0 && v[0] == 0 ? 1 : -v[1];
    u[1] = v[0];
    std::vector<double> f(n * n);
    double along = 0;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i <= j; ++i) {
        f[j * n + i] = whole(3);
        along += (i == j ? 1 : 2) * f[j * n + i] * u[i] * u[j];
      }
    }
    if (along == 0 || (v[0] == 0 && v[n - 1] == 0)) continue;
    ProblemBuilder builder({{static_cast<std::uint32_t>(n), kSymmetric}}, {5});
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i <= j; ++i) {
        builder.add(0, 0, i, j, (along > 0 ? size : -size) * f[j * n + i]);
        builder.add(1, 0, i, j, v[i] * v[j]);
      }
    }
    return builder.finish();
  }
}

void expect_no_solution_of_primal(const Problem& problem, const Options& options) {
  Team team(sdp_mapping(1));
  const Solution solution = solve(team, problem, options);
  EXPECT_STREQ(to_string(solution.status), "primal_infeasible");
  EXPECT_EQ(verify(problem, solution).fault, "");
}

TEST(SdpCertificate, OfPrimalIsFoundWhateverTheSizeOfF0) {
  for (const double size : {1e-4, 1.0, 1e3, 1e4, 1e6, 1e8}) {
    for (const bool extended : {false, true}) {
      SCOPED_TRACE(fmt::format("{:g}, {}", size, extended ? "extended" : "double"));
      Options options;
      options.extended_precision = extended;
      expect_no_solution_of_primal(denied_by_a_row(size), options);
    }
    expect_no_solution_of_primal(denied_by_a_row(size), preset("stable"));
    expect_no_solution_of_primal(denied_by_a_row(size), preset("fast"));
  }
}

TEST(SdpCertificate, OfPrimalIsFoundBesideAMatrixOfRankOne) {
  for (const double size : {1.0, 1e3, 1e4, 1e6, 1e8}) {
    Draw draw(5);
    for (int round = 0; round < 40; ++round) {
      SCOPED_TRACE(fmt::format("{:g}, round {}", size, round));
      expect_no_solution_of_primal(denied_beside_a_vector(draw, size), Options());
    }
  }
}

/// min cost · x over size · x I ⪰ e eᵀ
Problem least_multiple(double cost, double size) {
  ProblemBuilder builder({{2, kSymmetric}}, {cost});
  builder.add(0, 0, 0, 0, 1);
  for (std::size_t i = 0; i < 2; ++i) builder.add(1, 0, i, i, size);
  return builder.finish();
}

/// F_i • Y, found as c_i less the residual, is 0 where it is small beside c_i.
TEST(SdpCertificate, IsNotSeenInWhatIsLeftBesideALargeCost) {
  Team team(sdp_mapping(1));
  struct Case {
    double cost, size;
    Options options;
  };
  Options low;
  low.lambda_star = 1e-18;
  for (const Case& c : {Case{1e19, 1, preset("fast")}, Case{1e19, 1, Options()},
                        Case{1, 1e-18, Options()}, Case{1, 1, low}}) {
    SCOPED_TRACE(fmt::format("{:g}, {:g}, from {:g}", c.cost, c.size, c.options.lambda_star));
    const Problem problem = least_multiple(c.cost, c.size);
    const Solution solution = solve(team, problem, c.options);
    EXPECT_STREQ(to_string(solution.status), "optimal");
    EXPECT_EQ(verify(problem, solution).fault, "");
  }
}

/// The x that follows from both rows is huge, and cᵀx what rounding leaves of two terms.
TEST(SdpCertificate, IsNotBelievedOfTermsThatCancel) {
  Team team(sdp_mapping(1));
  ProblemBuilder builder({{1, BlockKind::diagonal}}, {-59336231.14832525, 65972977.884627126});
  builder.add(0, 0, 0, 0, -0.00024021470661398674);
  builder.add(1, 0, 0, 0, -0.59336231148325247);
  builder.add(2, 0, 0, 0, 0.65972977884627126);
  const Problem problem = builder.finish();
  for (const double start : {0.0, 1e2, 1e4}) {
    for (const char* name : {"fast", "default", "stable"}) {
      SCOPED_TRACE(fmt::format("{}, {:g}", name, start));
      Options options = preset(name);
      options.extended_precision = true;
      options.lambda_star = start;
      EXPECT_EQ(verify(problem, solve(team, problem, options)).fault, "");
    }
  }
}

/// A part of the dual objective is 3/4 · 2²⁹ and cancels.
TEST(SdpObjectives, AreNotBelievedOfTermsThatCancel) {
  Team team(sdp_mapping(1));
  ProblemBuilder builder({{3, kSymmetric}}, {0, 3e8, 0});
  const double constant[] = {0, 0.75, -0.5, 0.25, -0.75, 1};
  const double matrices[][6] = {{0, 0, 0, 0.25, -0.75, 0.5},
                                {0.75, -0.75, 0, 0, 0.25, -0.75},
                                {0, -0.75, 0.5, 0.25, -0.75, 0}};
  for (std::size_t j = 0, at = 0; j < 3; ++j) {
    for (std::size_t i = 0; i <= j; ++i, ++at) {
      builder.add(0, 0, i, j, constant[at]);
      for (std::size_t k = 0; k < 3; ++k) builder.add(k + 1, 0, i, j, matrices[k][at]);
    }
  }
  const Problem problem = builder.finish();
  const Solution solution = solve(team, problem);
  EXPECT_STREQ(to_string(solution.status), "optimal");
  EXPECT_EQ(verify(problem, solution).fault, "");
}

TEST(SdpUnits, DivideF0AndCostsByPowersOfTwo) {
  ProblemBuilder builder({{2, kSymmetric}}, {-3e-5, 1e-7});
  builder.add(0, 0, 0, 1, 1e4);
  builder.add(1, 0, 0, 0, 0.1);
  const Problem problem = builder.finish();
  const detail::Units units(problem);
  EXPECT_TRUE(units.differ());
  const Problem divided = units.divided(problem);
  EXPECT_EQ(divided.matrix(0)[0].value, 1e4 / 8192);
  EXPECT_EQ(divided.costs()[0], -3e-5 * 65536);
  EXPECT_EQ(divided.costs()[1], 1e-7 * 65536);
  EXPECT_EQ(divided.matrix(1)[0].value, 0.1);
  EXPECT_FALSE(detail::Units(divided).differ());
  EXPECT_FALSE(detail::Units(ProblemBuilder({}, {0}).finish()).differ());
}

TEST(SdpUnits, GiveSolutionsBack) {
  const Problem problem = least_multiple(4, 1);  // units of 1 and of 4
  const detail::Units units(problem);
  Solution solution;
  solution.x = {3};
  solution.X = solution.Y = BlockMatrix(problem.blocks());
  solution.X.block(0)[0] = solution.Y.block(0)[0] = 1;
  solution.primal_objective = 3;
  const auto given_back = [&](Status status) {
    Solution back = solution;
    back.status = status;
    units.multiply(back);
    return back;
  };
  const Solution optimal = given_back(Status::optimal);
  EXPECT_EQ(optimal.x[0], 3);
  EXPECT_EQ(optimal.X.block(0)[0], 1);
  EXPECT_EQ(optimal.Y.block(0)[0], 4);
  EXPECT_EQ(optimal.primal_objective, 12);
  const Solution no_primal = given_back(Status::primal_infeasible);
  EXPECT_EQ(no_primal.Y.block(0)[0], 1) << "F_0 • Y = 1";
  const Solution no_dual = given_back(Status::dual_infeasible);
  EXPECT_EQ(no_dual.x[0], 0.75) << "cᵀx = −1";
  EXPECT_EQ(no_dual.X.block(0)[0], 0.25);
  EXPECT_EQ(no_dual.primal_objective, 3);
}

}  // namespace
}  // namespace kinjo::sdp
