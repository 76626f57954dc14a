#include "workload/stream.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/memory.hpp>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;
using testing::ElementsAre;

const char* const kSmallCaches = "synthetic:l3:1(size=1000000) core:2 pu:1";

StreamRequest request_of(const std::vector<std::string>& policies, std::size_t rounds) {
  StreamRequest request{.settings = {.elements = 1000}, .rounds = rounds};
  for (const std::string& policy : policies) {
    request.configurations.emplace_back(Topology::this_machine(), Policy::parse(policy), 1);
  }
  return request;
}

TEST(StreamSize, FollowsTheRuleUnlessItWasAskedForOtherwise) {
  const Topology machine = Topology::from(kSmallCaches);
  const StreamSize ruled = settle_stream_size(machine, 0);
  EXPECT_EQ(ruled.elements, 1'000'000u);
  EXPECT_EQ(ruled.bytes, 24'000'000u);
  EXPECT_EQ(ruled.remark, "");
  EXPECT_EQ(settle_stream_size(machine, 2'000'000).elements, 2'000'000u);
  EXPECT_EQ(settle_stream_size(machine, 2'000'000).remark, "");
}

TEST(StreamSize, RemarksOnFewerElementsThanTheRuleAsks) {
  const StreamSize size = settle_stream_size(Topology::from(kSmallCaches), 999'999);
  EXPECT_EQ(size.elements, 999'999u);
  EXPECT_EQ(size.remark, "less than STREAM's rule asks (1000000 elements, four times the caches)");
}

TEST(StreamSize, TakesWhatFitsWhereTheRuleAsksForMoreThanThereIs) {
  // A petabyte of cache.
  const Topology machine = Topology::from("synthetic:l3:1(size=1000000000000000) core:1 pu:1");
  const StreamSize size = settle_stream_size(machine, 0);
  EXPECT_GT(size.elements, 0u);
  EXPECT_LT(size.elements, 500'000'000'000'000u);
  EXPECT_EQ(size.remark,
            "less than STREAM's rule asks (500000000000000 elements, four times the caches): "
            "memory is short");
}

TEST(StreamSize, RefusesWhatDoesNotFit) {
  const std::string refusal =
      error_of([] { settle_stream_size(Topology::from(kSmallCaches), SIZE_MAX); });
  EXPECT_TRUE(refusal.starts_with(fmt::format(
      "out_of_memory: three arrays of {} doubles do not fit: expected at most ", SIZE_MAX)))
      << refusal;
}

TEST(RunStream, GivesAVerifiedRecordForEachConfigurationInItsOrder) {
  const auto records = run_stream(request_of({"compact", "none", "scatter"}, 3), {});
  std::vector<std::string> policies;
  for (const Record& record : records) {
    policies.push_back(record.policy);
    EXPECT_EQ(record.workload, "stream");
    EXPECT_EQ(record.threads, 1u);
    EXPECT_EQ(record.verified, true);
    EXPECT_EQ(find_metric(record, "triad").unit, "GB/s");
    for (const Metric& metric : record.metrics) EXPECT_EQ(metric.samples.size(), 3u);
  }
  EXPECT_THAT(policies, ElementsAre("compact", "none", "scatter"));
}

TEST(RunStream, SaysHowManyOperationsEachByteCosts) {
  const Record record = run_stream(request_of({"compact"}, 1), {})[0];
  EXPECT_EQ(find_metric(record, "copy").flops_per_byte, 0);
  EXPECT_DOUBLE_EQ(find_metric(record, "scale").flops_per_byte, 1.0 / 16);
  EXPECT_DOUBLE_EQ(find_metric(record, "add").flops_per_byte, 1.0 / 24);
  EXPECT_DOUBLE_EQ(find_metric(record, "triad").flops_per_byte, 2.0 / 24);
}

TEST(RunStream, BeginsEachRoundWithAnotherConfiguration) {
  std::vector<std::string> steps;
  run_stream(request_of({"compact", "none", "scatter"}, 3), [&](const Progress& progress) {
    steps.push_back(fmt::format("{}/{} {}", progress.done, progress.total, progress.now));
  });
  EXPECT_THAT(steps,
              ElementsAre("0/9 compact, 1 thread", "1/9 none, 1 thread", "2/9 scatter, 1 thread",
                          "3/9 none, 1 thread", "4/9 scatter, 1 thread", "5/9 compact, 1 thread",
                          "6/9 scatter, 1 thread", "7/9 compact, 1 thread", "8/9 none, 1 thread"));
}

TEST(RunStream, NotesWherePagesAreButNotAgainstAPolicyThatAsksForNothing) {
  const auto records = run_stream(request_of({"compact", "none"}, 1), {});
  const auto names = [](const Record& record) {
    std::vector<std::string> all;
    for (const auto& [name, value] : record.result) {
      if (!name.ends_with("_message")) all.push_back(name);  // what this system refuses
    }
    return all;
  };
  EXPECT_THAT(names(records[0]),
              ElementsAre("stores", "placement", "pages", "pages_as_asked", "pages_where"));
  EXPECT_THAT(names(records[1]), ElementsAre("stores", "placement", "pages", "pages_where"));
}

TEST(RunStream, CountsPagesByNodeBesideWhereTheyWereAsked) {
  if (alloc(1).audit().refusal) GTEST_SKIP() << "the kernel does not say where pages are";
  const auto records = run_stream(request_of({"compact", "none"}, 1), {});
  for (const Record& record : records) {
    const bool binds = record.policy == "compact";
    std::size_t there = 0;
    std::size_t asked = 0;
    for (const NodePages& node : record.pages) {
      there += node.there;
      asked += node.asked;
      EXPECT_LE(node.as_asked, std::min(node.asked, node.there));
    }
    const auto pages = std::get<std::int64_t>(record.result[2].second);
    EXPECT_EQ(asked, binds ? static_cast<std::size_t>(pages) : 0u) << record.policy;
    EXPECT_LE(there, static_cast<std::size_t>(pages)) << record.policy;
    EXPECT_FALSE(record.pages.empty()) << record.policy;
  }
}

}  // namespace
}  // namespace kinjo
