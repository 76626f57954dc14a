#include "tune/sweep.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "tune/simulation.hpp"

namespace kinjo {
namespace {

using test::error_of;
using test::failure_of;
using test::NoSubject;
using test::sample_of;
using test::simulate;
using testing::ElementsAre;

std::string text_of(const SweepRun& run) {
  return fmt::format("{}{}:{}", to_string(run.phase)[0], run.round, run.configuration);
}

TEST(Sweep, WarmsUpThenScreensInTurnThenAlternatesTheBestWithTheDefault) {
  std::vector<std::string> runs;
  const auto outcome = simulate(3, {.rounds = 3, .pairs = 3}, [&](const SweepRun& run) {
    runs.push_back(text_of(run));
    return sample_of(run.configuration == 2 ? 1 : 2);
  });
  EXPECT_THAT(runs, ElementsAre("w0:0", "w0:1", "w0:2",  // warm-up
                                "s0:0", "s0:1", "s0:2",  // each round begins with
                                "s1:1", "s1:2", "s1:0",  // another configuration
                                "s2:2", "s2:0", "s2:1",  //
                                "c0:0", "c0:2", "c1:2", "c1:0", "c2:0", "c2:2"));
  EXPECT_EQ(outcome.runs_done, 18u);
  EXPECT_EQ(outcome.runs_planned, 18u);
  EXPECT_EQ(outcome.verdict->best, 2u);
  EXPECT_EQ(outcome.verdict->metric, "seconds");
  EXPECT_DOUBLE_EQ(outcome.verdict->gain, 2);
  EXPECT_DOUBLE_EQ(*outcome.trials[1].screened_gain, 1);
  EXPECT_DOUBLE_EQ(*outcome.trials[2].screened_gain, 2);
}

TEST(Sweep, EstimatesTheGainFromFreshPairsAlone) {
  // Lucky while it is chosen, then as good as the default.
  const auto outcome = simulate(2, {.rounds = 5, .pairs = 9}, [](const SweepRun& run) {
    return sample_of(run.phase == Phase::screening && run.configuration == 1 ? 1 : 2);
  });
  EXPECT_DOUBLE_EQ(*outcome.trials[1].screened_gain, 2);
  EXPECT_DOUBLE_EQ(outcome.verdict->gain, 1);
  EXPECT_FALSE(outcome.verdict->differs);
}

TEST(Sweep, DoesNotRunAgainWhatFailedAndNeverCountsItsSamples) {
  std::vector<std::string> of_one;
  const auto outcome = simulate(3, {.rounds = 4, .pairs = 6}, [&](const SweepRun& run) {
    if (run.configuration == 1) of_one.push_back(text_of(run));
    const bool fails = run.configuration == 1 && run.phase == Phase::screening && run.round == 1;
    return fails ? failure_of("exit status 3") : sample_of(run.configuration == 1 ? 0.1 : 1);
  });
  EXPECT_THAT(of_one, ElementsAre("w0:1", "s0:1", "s1:1"));
  EXPECT_EQ(outcome.trials[1].fault, "exit status 3");
  EXPECT_EQ(outcome.verdict->best, 2u);
  const auto records = sweep_records(NoSubject(), outcome);
  EXPECT_TRUE(records[1].metrics.empty());
  EXPECT_EQ(records[1].verified, false);
  EXPECT_EQ(records[2].metrics[0].samples.size(), 10u);
}

TEST(Sweep, ConfirmsTheNextBestIfTheBestFailsMeanwhile) {
  const auto outcome = simulate(3, {.rounds = 2, .pairs = 6}, [](const SweepRun& run) {
    const bool fails = run.configuration == 1 && run.phase == Phase::confirmation && run.round == 2;
    if (fails) return failure_of("killed by SIGSEGV");
    return sample_of(run.configuration == 1 ? 1 : run.configuration == 2 ? 2 : 4);
  });
  EXPECT_EQ(outcome.verdict->best, 2u);
  EXPECT_DOUBLE_EQ(outcome.verdict->gain, 2);
  EXPECT_EQ(outcome.trials[0].confirmation.size(), 6u) << "those of the first attempt are gone";
}

TEST(Sweep, HasNoVerdictIfTheDefaultFails) {
  std::vector<std::string> runs;
  const auto outcome = simulate(3, {}, [&](const SweepRun& run) {
    runs.push_back(text_of(run));
    return failure_of("exit status 1");
  });
  EXPECT_THAT(runs, ElementsAre("w0:0"));
  EXPECT_FALSE(outcome.verdict);
  EXPECT_EQ(outcome.trials[0].fault, "exit status 1");
}

TEST(Sweep, HasNoVerdictIfNothingButTheDefaultIsLeft) {
  const auto outcome = simulate(3, {.rounds = 2, .pairs = 6}, [](const SweepRun& run) {
    return run.configuration == 0 ? sample_of(1) : failure_of("did not end within 2 s");
  });
  EXPECT_FALSE(outcome.verdict);
  EXPECT_TRUE(outcome.trials[0].confirmation.empty());
}

TEST(Sweep, LeavesOutWhoseOutputDiffersFromTheDefaults) {
  const auto outcome = simulate(3, {.rounds = 2, .pairs = 6}, [](const SweepRun& run) {
    Sample sample = sample_of(run.configuration == 1 ? 1 : 2);
    if (run.configuration == 1) sample.output = "another";
    return sample;
  });
  EXPECT_EQ(outcome.trials[1].fault,
            "its output differs from the default's (--ignore names what may)");
  EXPECT_EQ(outcome.verdict->best, 2u);
  EXPECT_FALSE(outcome.outputs_vary);
}

TEST(Sweep, LeavesOutWhoseOutputDiffersInTheLastPair) {
  const auto outcome = simulate(3, {.rounds = 2, .pairs = 6}, [](const SweepRun& run) {
    Sample sample = sample_of(run.configuration == 1 ? 1 : 2);
    const bool last = run.phase == Phase::confirmation && run.round == 5;
    if (run.configuration == 1 && last) sample.output = "another";
    return sample;
  });
  EXPECT_EQ(outcome.trials[1].fault,
            "its output differs from the default's (--ignore names what may)");
  EXPECT_EQ(outcome.verdict->best, 2u);
}

TEST(Sweep, ComparesNoOutputsIfTheDefaultsOwnVaries) {
  int count = 0;
  const auto outcome = simulate(2, {.rounds = 2, .pairs = 6}, [&](const SweepRun&) {
    Sample sample = sample_of(1);
    sample.output = std::to_string(++count);
    return sample;
  });
  EXPECT_TRUE(outcome.outputs_vary);
  EXPECT_EQ(outcome.trials[1].fault, "");
  EXPECT_TRUE(outcome.verdict);
}

TEST(Sweep, EndsWhereItIsInterrupted) {
  std::size_t left = 5;
  const auto outcome =
      simulate(3, {.rounds = 3, .pairs = 6}, [&](const SweepRun&) -> std::optional<Sample> {
        if (left-- == 0) return std::nullopt;
        return sample_of(1);
      });
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_FALSE(outcome.verdict);
  EXPECT_EQ(outcome.runs_done, 5u);
  EXPECT_EQ(outcome.runs_planned, 24u);
}

TEST(Sweep, SpendsItsBudgetAndNotMore) {
  for (const double budget : {40.0, 100.0, 400.0}) {
    double spent = 0;
    const auto outcome = simulate(4, {.budget_s = budget}, [&](const SweepRun&) {
      spent += 1;
      return sample_of(1);
    });
    EXPECT_LE(spent, budget);
    EXPECT_TRUE(outcome.verdict);
    EXPECT_GE(outcome.verdict->pairs, 6u);
  }
}

TEST(Sweep, RefusesABudgetThatIsTooShort) {
  EXPECT_EQ(
      error_of([] { simulate(4, {.budget_s = 19}, [](const SweepRun&) { return sample_of(1); }); }),
      "invalid_argument: a budget of 19 s is too short: 1 round of 4 configurations and 6 "
      "pairs take 20 s with the warm-up; expected at least that, or fewer configurations");
}

}  // namespace
}  // namespace kinjo
