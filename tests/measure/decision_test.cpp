#include "measure/decision.hpp"

#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo {
namespace {

TEST(Turn, GivesEachConfigurationEachPositionEquallyOften) {
  for (std::size_t count = 1; count <= 7; ++count) {
    for (std::size_t position = 0; position < count; ++position) {
      std::set<std::size_t> met;
      for (std::size_t round = 0; round < count; ++round) met.insert(turn(round, position, count));
      EXPECT_EQ(met.size(), count);
    }
  }
}

TEST(Candidate, IsTheOneWithTheBestMedianRatioToTheBaseline) {
  const std::vector<std::vector<double>> samples = {
      {10, 10, 10}, {11, 9, 12}, {12, 12, 1}, {9, 9, 9}};
  EXPECT_EQ(choose_candidate(samples, 0, Better::higher), 2u);
  EXPECT_EQ(choose_candidate(samples, 0, Better::lower), 3u);
}

TEST(Candidate, IsChosenByPairsAndNotByDrift) {
  // The second half of the rounds is ten times slower; only pairs show that 1 is ahead.
  const std::vector<std::vector<double>> samples = {
      {10, 10, 100, 100}, {9, 9, 90, 90}, {9.5, 9.5, 95, 95}};
  EXPECT_EQ(choose_candidate(samples, 0, Better::lower), 1u);
}

TEST(Candidate, IsTheFirstOfEqualsAndNeverOneWithoutSamples) {
  EXPECT_EQ(choose_candidate(std::vector<std::vector<double>>{{1}, {1}, {1}}, 0, Better::lower),
            1u);
  EXPECT_EQ(choose_candidate(std::vector<std::vector<double>>{{1}, {}, {5}}, 0, Better::lower), 2u);
  EXPECT_EQ(choose_candidate(std::vector<std::vector<double>>{{1}, {}}, 0, Better::lower),
            std::nullopt);
}

std::vector<double> times(std::size_t n, double value) { return std::vector<double>(n, value); }

TEST(Decide, StatesTheGainOverOneWhereTheCandidateIsBetterWhicheverWayThatIs) {
  const Verdict faster = decide(times(6, 2.0), times(6, 1.0), Better::lower, 0.01);
  EXPECT_NEAR(faster.gain, 2, 1e-12);
  EXPECT_TRUE(faster.differs);
  EXPECT_TRUE(faster.recommends());
  const Verdict more = decide(times(6, 1.0), times(6, 2.0), Better::higher, 0.01);
  EXPECT_NEAR(more.gain, 2, 1e-12);
  EXPECT_EQ(more.pairs, 6u);
}

TEST(Decide, FindsADifferenceButRecommendsNothingWhereTheCandidateIsWorse) {
  const Verdict verdict = decide(times(6, 1.0), times(6, 2.0), Better::lower, 0.01);
  EXPECT_NEAR(verdict.gain, 0.5, 1e-12);
  EXPECT_TRUE(verdict.differs);
  EXPECT_FALSE(verdict.recommends());
}

TEST(Decide, ClaimsNothingFromFewerPairsThanBoundAMedian) {
  EXPECT_FALSE(decide(times(5, 9.0), times(5, 1.0), Better::lower, 0).differs);
  EXPECT_TRUE(decide(times(6, 9.0), times(6, 1.0), Better::lower, 0).differs);
}

TEST(Decide, LetsNoGainCountThatIsLessThanTheLeast) {
  // Measurable beyond doubt, and of no use to anybody.
  EXPECT_FALSE(decide(times(90, 1.0001), times(90, 1.0), Better::lower, 0.01).differs);
  EXPECT_TRUE(decide(times(90, 1.0001), times(90, 1.0), Better::lower, 0).differs);
  EXPECT_FALSE(decide(times(90, 1.0), times(90, 1.0001), Better::lower, 0.01).differs);
}

}  // namespace
}  // namespace kinjo
