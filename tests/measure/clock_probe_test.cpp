/// The clock's figures on this machine: which there are, their units and counts, and what follows
/// from their definition. No speed is asserted.
#include "measure/clock_probe.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/cycle_clock.hpp"
#include "measure/together.hpp"
#include "simd/operation_kernels.hpp"

namespace kinjo {
namespace {

constexpr ProbeOptions kQuick{.samples = 6, .budget_seconds = 0, .sample_seconds = 2e-5};

class ClockProbeTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    steps_.clear();
    profile_ = probe_clock(Topology::this_machine(), kQuick,
                           [](const Progress& progress) { steps_.push_back(progress); });
  }

  static void expect_figure(const Figure& figure, const std::string& unit) {
    EXPECT_EQ(figure.unit, unit);
    EXPECT_EQ(figure.summary.count, kQuick.samples);
    EXPECT_GT(figure.summary.min, 0);
  }

  static inline ClockProfile profile_;
  static inline std::vector<Progress> steps_;
};

TEST_F(ClockProbeTest, NamesItsCounter) {
  EXPECT_EQ(profile_.counter, detail::counter_name());
  EXPECT_EQ(profile_.invariant, detail::counter_is_invariant());
}

TEST_F(ClockProbeTest, EveryFigureHasItsUnitAndAsManySamplesAsAsked) {
  expect_figure(profile_.frequency_hz, "Hz");
  expect_figure(profile_.read_ns, "ns");
  expect_figure(profile_.core_frequency_hz, "Hz");
  ASSERT_TRUE(profile_.peak_gflops_one);
  ASSERT_TRUE(profile_.peak_gflops_all);
  expect_figure(*profile_.peak_gflops_one, "GFLOP/s");
  expect_figure(*profile_.peak_gflops_all, "GFLOP/s");
}

TEST_F(ClockProbeTest, BoundsTheErrorOfItsFrequency) { EXPECT_GT(profile_.frequency_error_ppm, 0); }

TEST_F(ClockProbeTest, FindsTheStatedFrequencyWithinItsError) {
  const auto stated = detail::stated_counter_hz();
  if (!stated) GTEST_SKIP() << "nobody states this counter's frequency";
  EXPECT_NEAR(profile_.frequency_hz.summary.median / *stated, 1,
              1e-6 * profile_.frequency_error_ppm);
}

TEST_F(ClockProbeTest, KnowsAgreementWhereThereAreTwoCpus) {
  const Topology& machine = Topology::this_machine();
  const bool known = machine.support().bind_threads && machine.allowed_cpus().count() > 1;
  EXPECT_EQ(profile_.disagreement_ns.has_value(), known);
  if (!known) {
    EXPECT_TRUE(profile_.agrees) << "no CPU was seen behind another";
  }
}

TEST_F(ClockProbeTest, HasALatencyForEveryOperationInEveryFormThatTheCpuHas) {
  std::vector<std::string> names;
  for (const OperationLatency& latency : profile_.latencies) {
    names.push_back(latency.form + ' ' + latency.operation);
    expect_figure(latency.cycles, "cycles");
  }
  std::vector<std::string> expected = {"integer add",     "integer multiply", "scalar add",
                                       "scalar multiply", "vector add",       "vector multiply"};
  if (detail::has_fma()) {
    expected.push_back("scalar fma");
    expected.push_back("vector fma");
  }
  EXPECT_THAT(names, testing::UnorderedElementsAreArray(expected));
}

TEST_F(ClockProbeTest, AnnouncesEveryStepOnceAndInOrder) {
  ASSERT_FALSE(steps_.empty());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    EXPECT_EQ(steps_[i].done, i);
    EXPECT_EQ(steps_[i].total, steps_.size());
    EXPECT_NE(steps_[i].now, "");
  }
  EXPECT_EQ(steps_.front().now, "frequency of the counter");
  EXPECT_EQ(steps_.back().now, "peak of all threads");
}

TEST(ClockProbeSeconds, GrowWithTheBudget) {
  const Topology& machine = Topology::this_machine();
  const double little = clock_probe_seconds(machine, {.budget_seconds = 0.1});
  const double much = clock_probe_seconds(machine, {.budget_seconds = 1});
  EXPECT_GT(little, 1);
  EXPECT_GT(much, 9 * little);
}

TEST(ThreadsOn, PinsOneThreadToEachCpuWhereTheSystemCan) {
  const Topology& machine = Topology::this_machine();
  const Mapping mapping = threads_on(machine, machine.allowed_cpus());
  EXPECT_EQ(mapping.size(), machine.allowed_cpus().count());
  EXPECT_EQ(mapping.binds(), machine.support().bind_threads);
}

TEST(RunTogether, RunsTheWorkOfEveryThreadOnce) {
  const Topology& machine = Topology::this_machine();
  Team team(threads_on(machine, machine.allowed_cpus()));
  std::vector<int> runs(team.size());
  EXPECT_GE(
      run_together(team, [&](const Place& me) { ++runs[static_cast<std::size_t>(me.thread)]; }), 0);
  EXPECT_THAT(runs, testing::Each(1));
}

}  // namespace
}  // namespace kinjo
