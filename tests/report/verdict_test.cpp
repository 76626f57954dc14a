#include "report/verdict.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;

Record record_of(const char* policy, std::size_t threads, std::vector<double> samples) {
  return {.policy = policy,
          .threads = threads,
          .metrics = {{.name = "triad", .unit = "GB/s", .samples = std::move(samples)}}};
}

std::string verdict(const std::vector<Record>& records) {
  return placement_verdict(records, "triad");
}

bool names_a_winner(const std::vector<Record>& records) {
  return verdict(records).starts_with("Fastest: ");
}

TEST(Verdict, NamesAWinnerThatIsAheadOfEveryOtherPolicy) {
  EXPECT_EQ(verdict({record_of("none", 1, {10, 20, 10, 20, 10, 20}),
                     record_of("scatter", 2, {20, 40, 22, 40, 20, 40}),
                     record_of("compact", 2, {15, 30, 15, 30, 15, 30})}),
            "Fastest: scatter with 2 threads (triad 31.0 GB/s), 1.333 (95 %: 1.333 to 1.467) times "
            "compact with 2 threads in 6 paired rounds, and at least as far ahead of every other "
            "policy.");
}

TEST(Verdict, ComparesAWinnerWithOtherPoliciesAndNotWithItsOwnThreadCounts) {
  EXPECT_EQ(
      verdict({record_of("scatter", 1, {19, 21, 19, 21, 19, 21}),
               record_of("scatter", 2, {20, 20, 20, 20, 20, 20}),
               record_of("none", 1, {8, 8, 8, 8, 8, 8})}),
      "Fastest: scatter with 1 thread (triad 20.0 GB/s), 2.497 (95 %: 2.375 to 2.625) times "
      "none with 1 thread in 6 paired rounds, and at least as far ahead of every other policy.");
}

TEST(Verdict, NamesTheRivalWithTheSmallestLeadWhereAllAreBehind) {
  EXPECT_EQ(verdict({record_of("scatter", 2, {11, 11, 11, 11, 11, 11}),
                     record_of("compact", 2, {10, 10, 10, 10, 10, 10}),
                     record_of("none", 2, {10.4, 8, 8, 8, 8, 8})}),
            "Fastest: scatter with 2 threads (triad 11.0 GB/s), 1.100 (95 %: 1.100 to 1.100) times "
            "compact with 2 threads in 6 paired rounds, and at least as far ahead of every other "
            "policy.");
}

TEST(Verdict, SaysThatNothingWasMeasuredWhereOneRivalIsTooClose) {
  EXPECT_EQ(verdict({record_of("none", 2, {10, 10, 10, 10, 10, 10}),
                     record_of("scatter", 2, {20, 20, 20, 20, 20, 20}),
                     record_of("compact", 2, {19, 19, 19, 19, 19, 25})}),
            "No difference between policies was measured: the best median, scatter with 2 threads "
            "(triad 20.0 GB/s), is 1.053 (95 %: 0.800 to 1.053) times compact with 2 threads in 6 "
            "paired rounds.");
}

TEST(Verdict, NamesNoWinnerAmongEqualSeries) {
  const std::vector<double> same = {5, 6, 7, 8, 9, 10, 11};
  EXPECT_EQ(verdict({record_of("scatter", 2, same), record_of("compact", 2, same)}),
            "No difference between policies was measured: the best median, scatter with 2 threads "
            "(triad 8.0 GB/s), is 1.000 (95 %: 1.000 to 1.000) times compact with 2 threads in 7 "
            "paired rounds.");
}

TEST(Verdict, NeverClaimsAnythingFromFewerThanSixRounds) {
  EXPECT_EQ(verdict({record_of("none", 1, {1}), record_of("scatter", 2, {9})}),
            "No difference between policies can be claimed from 1 round: at least 6 are needed; "
            "the best median was scatter with 2 threads (triad 9.0 GB/s).");
  for (std::size_t rounds = 1; rounds < 6; ++rounds) {
    EXPECT_FALSE(names_a_winner({record_of("none", 1, std::vector<double>(rounds, 1.0)),
                                 record_of("scatter", 1, std::vector<double>(rounds, 99.0))}));
  }
  EXPECT_TRUE(names_a_winner({record_of("none", 1, std::vector<double>(6, 1.0)),
                              record_of("scatter", 1, std::vector<double>(6, 99.0))}));
}

TEST(Verdict, HasNothingToCompareWhereOnePolicyWasMeasured) {
  EXPECT_EQ(
      verdict({record_of("compact", 1, {5, 5}), record_of("compact", 2, {7, 7})}),
      "Highest median: compact with 2 threads (triad 7.0 GB/s); no other policy was measured.");
}

TEST(Verdict, RefusesNoRecords) {
  EXPECT_EQ(error_of([] { verdict({}); }), "invalid_argument: no records to compare");
}

/// A sweep over `policies` that are all alike: one noisy level each round, and noise of their own.
std::vector<Record> sweep_of_equals(std::mt19937& random, std::size_t policies,
                                    std::size_t rounds) {
  std::normal_distribution<double> drift(0, 0.2), noise(0, 0.05);
  std::vector<Record> records(policies);
  for (std::size_t p = 0; p < policies; ++p) {
    records[p] = record_of("", 2, {});
    records[p].policy = std::to_string(p);
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    const double level = 40 * std::exp(drift(random));
    for (Record& r : records) r.metrics[0].samples.push_back(level * std::exp(noise(random)));
  }
  return records;
}

TEST(Verdict, NamesAFalseWinnerInAtMostOneSweepOfTwenty) {
  constexpr int kSweeps = 1000;
  for (std::size_t policies : {2u, 4u}) {
    for (std::size_t rounds : {6u, 7u, 9u, 12u, 20u}) {
      std::mt19937 random(7);
      int named = 0;
      for (int i = 0; i < kSweeps; ++i) {
        named += names_a_winner(sweep_of_equals(random, policies, rounds));
      }
      EXPECT_LE(named, kSweeps / 20) << policies << " policies, " << rounds << " rounds";
    }
  }
}

TEST(Verdict, FindsADifferenceOfThreeSpreadsInNearlyEverySweep) {
  constexpr int kSweeps = 300;
  std::mt19937 random(11);
  int named = 0;
  for (int i = 0; i < kSweeps; ++i) {
    std::vector<Record> records = sweep_of_equals(random, 4, 12);
    for (double& sample : records[2].metrics[0].samples) sample *= 1.25;
    named += verdict(records).starts_with("Fastest: 2 with 2 threads");
  }
  EXPECT_GE(named, kSweeps * 9 / 10);
}

TEST(Verdict, LeavesWrongResultsOutHoweverFastTheyAre) {
  Record wrong = record_of("compact", 2, {99, 99, 99, 99, 99, 99, 99});
  wrong.verified = false;
  const Record right = record_of("scatter", 2, {7, 7, 7, 7, 7, 7, 7});
  EXPECT_EQ(
      placement_verdict(std::vector{wrong, right}, "triad"),
      "Highest median: scatter with 2 threads (triad 7.0 GB/s); no other policy was measured.");
  EXPECT_EQ(placement_verdict(std::vector{wrong}, "triad"),
            "No policy can be compared: every result is wrong.");
}

}  // namespace
}  // namespace kinjo
