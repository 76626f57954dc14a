#include "workload/sdp.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <kinjo/sdp_generators.hpp>

#include "support/expect.hpp"
#include "workload/registry.hpp"
#include "workload/run_records.hpp"

namespace kinjo {
namespace {

using test::error_of;
using test::text_of;

Configuration configuration(std::size_t threads) {
  return {Mapping(test::machine(), Policy::scatter(), threads, Oversubscribe::wrap)};
}

TEST(SdpSubject, SolvesVerifiesAndTellsOfItsPhases) {
  for (const char* problem : {"maxcut:4x3", "theta:8,9", "control:2", "random:5,4"}) {
    SdpSubject subject({.problem = problem});
    const auto sample = subject.run(configuration(2));
    ASSERT_TRUE(sample) << problem;
    EXPECT_EQ(sample->fault, "") << problem;
    EXPECT_EQ(text_of(sample->result, "status"), "optimal") << problem;
    ASSERT_EQ(sample->values.size(), subject.metrics().size());
    double phases = 0;
    for (std::size_t p = 1; p <= sdp::kPhases; ++p) phases += sample->values[p];
    EXPECT_NEAR(phases, sample->values[0], 1e-3 + 0.05 * sample->values[0]) << problem;
    EXPECT_GE(sample->values.back(), 1) << problem;
  }
}

TEST(SdpSubject, HasItsMetricsByName) {
  std::vector<std::string> names;
  const SdpSubject subject({});
  for (const MetricKind& kind : subject.metrics()) names.push_back(kind.name);
  EXPECT_EQ(names, (std::vector<std::string>{"seconds", "elements_seconds", "cholesky_seconds",
                                             "direction_seconds", "step_seconds", "others_seconds",
                                             "iterations"}));
}

TEST(SdpSubject, SaysWhereIterationsRanOut) {
  SdpSettings settings{.problem = "maxcut:4"};
  set_sdp(settings, "max_iteration", "1");
  SdpSubject subject(settings);
  const auto sample = subject.run(configuration(1));
  ASSERT_TRUE(sample);
  EXPECT_EQ(text_of(sample->result, "status"), "limit");
  EXPECT_EQ(sample->fault, "no solution: limit after 1 iteration");
}

TEST(SdpSubject, BelievesCertificatesAtTheirOwnAccuracy) {
  sdp::ProblemBuilder builder({{2, sdp::BlockKind::symmetric}}, {1});
  builder.add(0, 0, 0, 0, 1);
  builder.add(1, 0, 1, 1, 1);
  const sdp::Problem problem = builder.finish();
  SdpRun run;
  run.solution.status = sdp::Status::primal_infeasible;
  run.solution.x = {0};
  run.solution.X = run.solution.Y = sdp::BlockMatrix(problem.blocks());
  const auto fault = [&](double error, double tolerance) {
    run.solution.Y.block(0)[0] = 1;
    run.solution.Y.block(0)[3] = error;  // F_1 • Y, which should be 0
    return sdp_fault(problem, run, tolerance);
  };
  EXPECT_EQ(fault(5e-8, 1e-10), "");
  EXPECT_EQ(fault(5e-8, 1e-4), "");
  EXPECT_NE(fault(2e-7, 1e-10), "");
  EXPECT_EQ(fault(2e-7, 1e-4), "");
}

TEST(SdpSettings, PresetComesBeforeWhatItSets) {
  const Workload& workload = find_workload("sdp");
  const auto subject =
      workload.make(test::machine(), {.parameters = {{"gamma_star", "0.8"}, {"preset", "stable"}}});
  EXPECT_EQ(text_of(subject->parameters(), "preset"), "stable");
  EXPECT_EQ(text_of(subject->parameters(), "gamma_star"), "0.8");
}

TEST(SdpSettings, RefuseOthersWithWhatIsAccepted) {
  SdpSettings settings;
  const auto refusal = [&](const char* name, const char* value) {
    return error_of([&] { set_sdp(settings, name, value); });
  };
  EXPECT_EQ(refusal("depth", "3"),
            "invalid_argument: sdp has no parameter 'depth': expected problem, seed, preset, "
            "tolerance, lambda_star, beta_star, beta_bar, gamma_star, max_iteration, precision");
  EXPECT_EQ(refusal("tolerance", "nan"),
            "invalid_argument: 'nan' as tolerance: expected a number such as 1e-7");
  EXPECT_EQ(refusal("max_iteration", "-1"),
            "invalid_argument: '-1' as max_iteration: expected a whole number");
  EXPECT_EQ(refusal("precision", "half"),
            "invalid_argument: unknown precision 'half': expected one of double, extended");
}

}  // namespace
}  // namespace kinjo
