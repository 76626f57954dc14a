#include "report/configuration.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using testing::ElementsAre;

Record good_record() {
  return {.workload = "w",
          .parameters = {{"size", std::int64_t{10}}, {"pages", "normal"}},
          .policy = "scatter",
          .threads = 2,
          .memory = "",
          .metrics = {{.name = "seconds", .unit = "s", .samples = {1, 2}}},
          .verified = true,
          .result = {},
          .pages = {}};
}

TEST(FailureOf, IsNothingForAGoodRecordVerifiedOrNot) {
  EXPECT_EQ(failure_of(good_record()), std::nullopt);
  Record unverified = good_record();
  unverified.verified.reset();
  EXPECT_EQ(failure_of(unverified), std::nullopt);
}

TEST(FailureOf, SaysTheFaultOrWhatElseIsMissing) {
  Record record = good_record();
  record.metrics[0].samples = {1, std::nan("")};
  EXPECT_EQ(failure_of(record), "nothing was measured");
  record.metrics.clear();
  EXPECT_EQ(failure_of(record), "nothing was measured");
  record.verified = false;
  EXPECT_EQ(failure_of(record), "its result is wrong");
  record.result = {{"fault", "array c is wrong"}};
  EXPECT_EQ(failure_of(record), "array c is wrong");
}

TEST(Measured, IsTheMetricUnlessItHasNoFiniteSamples) {
  Record record = good_record();
  EXPECT_EQ(measured(record, "seconds"), &record.metrics[0]);
  EXPECT_EQ(measured(record, "gflops"), nullptr);
  record.metrics[0].samples[1] = HUGE_VAL;
  EXPECT_EQ(measured(record, "seconds"), nullptr);
  record.metrics[0].samples.clear();
  EXPECT_EQ(measured(record, "seconds"), nullptr);
}

TEST(MetricNames, AreThoseOfAllRecordsEachOnce) {
  std::vector<Record> records(3, good_record());
  records[0].metrics.clear();
  records[2].metrics.push_back({.name = "gflops", .unit = "GFLOP/s", .samples = {}});
  EXPECT_THAT(metric_names(records), ElementsAre("seconds", "gflops"));
}

TEST(PoliciesOf, AreItsOwnAndThoseOfTheSamePlaces) {
  Record record = good_record();
  EXPECT_THAT(policies_of(record), ElementsAre("scatter"));
  record.result = {{"same_as", "compact smt,core,node"}};
  EXPECT_THAT(policies_of(record), ElementsAre("scatter", "compact", "smt,core,node"));
  EXPECT_TRUE(stands_for(record, "compact"));
  EXPECT_FALSE(stands_for(record, "none"));
}

TEST(OrderedPolicies, BeginWithThoseThatHaveNames) {
  const std::vector<std::string> names = {"cpus:0-3", "compact-plus", "smt,core", "none",
                                          "scatter",  "cpus:0-3",     "none"};
  EXPECT_THAT(ordered_policies(names),
              ElementsAre("none", "scatter", "compact-plus", "cpus:0-3", "smt,core"));
}

TEST(VariantsOf, AreEmptyWhereNothingDiffersButPolicyAndThreads) {
  std::vector<Record> records(2, good_record());
  records[1].policy = "compact";
  records[1].threads = 7;
  EXPECT_THAT(variants_of(records), ElementsAre("", ""));
}

TEST(VariantsOf, NameMemoryAndTheParametersThatDiffer) {
  std::vector<Record> records(3, good_record());
  records[1].memory = "interleave";
  records[1].parameters[0].second = std::int64_t{20};
  records[2].parameters.pop_back();
  EXPECT_THAT(variants_of(records), ElementsAre("memory by the threads, pages normal, size 10",
                                                "memory interleave, pages normal, size 20",
                                                "memory by the threads, size 10"));
}

TEST(ThreadCount, KnowsItsPlural) {
  EXPECT_EQ(thread_count(1), "1 thread");
  EXPECT_EQ(thread_count(64), "64 threads");
}

}  // namespace
}  // namespace kinjo
