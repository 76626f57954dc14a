/// The solver on small problems of SDPLIB and of structural optimisation, against published optima.
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <kinjo/sdp.hpp>
#include <kinjo/sdp_files.hpp>
#include <kinjo/sdp_verify.hpp>

#include "sdp/solver_samples.hpp"
#include "support/sdplib.hpp"

namespace kinjo::sdp {
namespace {

/// Optima from runs in multiple precision; mater-1's is published with seven digits. `digits` is
/// what the problem needs.
enum class Digits { few, many };
struct Known {
  const char* name;
  Status status;
  double optimum = 0;
  Digits digits = Digits::few;
};
constexpr Known kKnown[] = {{"truss1", Status::optimal, -8.9999963152868905},
                            {"truss3", Status::optimal, -9.1099962092020534},
                            {"control1", Status::optimal, 17.784626717523405},
                            {"theta1", Status::optimal, 23},
                            {"mcp100", Status::optimal, 226.15735148330884},
                            {"gpp100", Status::optimal, -44.943550775891146},
                            {"hinf2", Status::optimal, 10.967055621049256, Digits::many},
                            {"qap5", Status::optimal, -436},
                            {"qap7", Status::optimal, -424.81971023200053},
                            {"qap9", Status::optimal, -1409.9410682401829},
                            {"arch0", Status::optimal, 0.56651727321592959},
                            {"mater-1", Status::optimal, -143.4654},
                            {"infd1", Status::dual_infeasible},
                            {"infp1", Status::primal_infeasible}};

void PrintTo(const Known& known, std::ostream* out) { *out << known.name; }

class SdpOfSdplib : public testing::TestWithParam<Known> {};

TEST_P(SdpOfSdplib, IsSolvedToItsPublishedOptimum) {
  const Known& known = GetParam();
  const auto file = test::sdplib_problem(known.name);
  if (!file) GTEST_SKIP() << test::kNoSdplib;
  const Problem problem = read_problem(file->string());
  Team team(test::sdp_mapping(2));
  const Solution solution = solve(team, problem);
  EXPECT_STREQ(to_string(solution.status), to_string(known.status));
  EXPECT_EQ(verify(problem, solution, 1e-7).fault, "");
  EXPECT_EQ(solution.extended_precision, known.digits == Digits::many);
  if (known.status != Status::optimal) return;
  const double tolerance = 1e-6 * (1 + std::abs(known.optimum));
  EXPECT_NEAR(solution.primal_objective, known.optimum, tolerance);
  EXPECT_NEAR(solution.dual_objective, known.optimum, tolerance);
}

INSTANTIATE_TEST_SUITE_P(Problem, SdpOfSdplib, testing::ValuesIn(kKnown), [](const auto& suite) {
  std::string name = suite.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace kinjo::sdp
