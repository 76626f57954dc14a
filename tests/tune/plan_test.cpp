#include "tune/plan.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;

const std::vector<double> kThree = {2, 1, 3};  // a round takes 6 s, a pair at best 3 s

TEST(Plan, HasFiveRoundsAndFifteenPairsUnlessAskedOtherwise) {
  const SweepPlan plan = plan_sweep(kThree, {});
  EXPECT_EQ(plan.rounds, 5u);
  EXPECT_EQ(plan.pairs, 15u);
  EXPECT_DOUBLE_EQ(plan.seconds, 5 * 6 + 15 * 3);
  EXPECT_EQ(plan_sweep(kThree, {.rounds = 2, .pairs = 7}).rounds, 2u);
  EXPECT_EQ(plan_sweep(kThree, {.rounds = 2, .pairs = 7}).pairs, 7u);
}

TEST(Plan, SharesABudgetTwoToThreeBetweenScreeningAndConfirmation) {
  const SweepPlan plan = plan_sweep(kThree, {.budget_s = 156});
  EXPECT_EQ(plan.rounds, 10u);  // 40 % of the 150 s after the warm-up
  EXPECT_EQ(plan.pairs, 30u);
  EXPECT_DOUBLE_EQ(plan.seconds, 150);
}

TEST(Plan, TakesTheLeastThatAVerdictNeedsWhereItMayExceedItsBudget) {
  const SweepPlan plan = plan_sweep(kThree, {.budget_s = 1, .short_budget = ShortBudget::exceed});
  EXPECT_EQ(plan.rounds, 1u);
  EXPECT_EQ(plan.pairs, 6u);
  EXPECT_DOUBLE_EQ(plan.seconds, 6 + 6 * 3);
}

TEST(Plan, StaysWithinEveryBudgetThatItAccepts) {
  for (double budget = 30; budget < 1000; budget += 1) {
    for (const SweepSettings& settings :
         {SweepSettings{.budget_s = budget}, SweepSettings{.rounds = 1, .budget_s = budget},
          SweepSettings{.pairs = 6, .budget_s = budget}}) {
      EXPECT_LE(plan_sweep(kThree, settings).seconds + 6, budget);
    }
  }
}

TEST(Plan, RefusesABudgetThatIsTooShortAndNamesOneThatSuffices) {
  const struct {
    std::vector<double> seconds;
    const char* least;
  } cases[] = {{{2, 1, 3}, "30"}, {{0.00041, 0.0002}, "0.0049"}, {{41, 40}, "650"}};
  for (const auto& c : cases) {
    EXPECT_EQ(
        error_of([&] { plan_sweep(c.seconds, {.budget_s = 0.001}); }),
        fmt::format("invalid_argument: a budget of 0.001 s is too short: 1 round of {} "
                    "configurations and 6 pairs take {} s with the warm-up; expected at least "
                    "that, or fewer configurations",
                    c.seconds.size(), c.least));
    EXPECT_NO_THROW(plan_sweep(c.seconds, {.budget_s = std::stod(c.least)}));
  }
}

TEST(Plan, NeedsNoMoreThanThirtyRoundsAndAHundredPairs) {
  const SweepPlan plan = plan_sweep(kThree, {.budget_s = 1e6});
  EXPECT_EQ(plan.rounds, 30u);
  EXPECT_EQ(plan.pairs, 100u);
}

TEST(Plan, GivesTheCandidateWhatIsLeftOfTheBudget) {
  const SweepSettings settings{.budget_s = 100};
  const SweepPlan plan{.rounds = 5, .pairs = 15};
  EXPECT_EQ(plan_pairs(plan, settings, 60, 4), 10u);
  EXPECT_EQ(plan_pairs(plan, settings, 99, 4), 6u) << "a verdict is worth going over it";
  EXPECT_EQ(plan_pairs(plan, {}, 60, 4), 15u);
  EXPECT_EQ(plan_pairs(plan, {.pairs = 15, .budget_s = 100}, 60, 4), 15u);
}

}  // namespace
}  // namespace kinjo
