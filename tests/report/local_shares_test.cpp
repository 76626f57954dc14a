#include "report/local_shares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workload/registry.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kShares = R"({
 "schema": "kinjo-local-shares/1", "kinjo": "0.1.0", "counted": "2026-11-22",
 "machine": "opteron4", "nodes": 4, "cpus": 16, "threads": 8, "same": {"compact-plus": "compact"},
 "workloads": [
  {"workload": "stream", "command": "kinjo stream --policy POLICY", "apart": ["verify"],
   "policies": {
    "none": {"copy": [25, 75], "triad": [50, 50], "verify": [0, 1000]},
    "compact": {"copy": [99970, 30], "triad": [0, 0]}}}]})";

TEST(LocalShares, AreSharesOfAllBytesThatAreNotApart) {
  const LocalShares shares = parse_local_shares(kShares);
  ASSERT_EQ(shares.workloads.size(), 1u);
  EXPECT_DOUBLE_EQ(shares.workloads[0].policies[0].share(), 75.0 / 200);
  EXPECT_DOUBLE_EQ(PolicyShare{}.share(), 0);
}

TEST(LocalShares, AreATableByWorkloadAndOneByPhase) {
  const LocalShares shares = parse_local_shares(kShares);
  const Table table = local_shares_table(shares);
  EXPECT_THAT(table.header(), ElementsAre("workload", "none", "compact = compact-plus"));
  EXPECT_THAT(table.rows(), ElementsAre(ElementsAre("stream", "37.5 %", "99.97 %")));
  EXPECT_THAT(phase_shares_table(shares).rows(),
              ElementsAre(ElementsAre("stream", "copy", "25.0 %", "99.97 %"),
                          ElementsAre("stream", "triad", "50.0 %", "-"),
                          ElementsAre("stream", "verify (apart)", "0.0 %", "-")));
}

TEST(LocalShares, SayThatTheyAreNotOfThisMachine) {
  EXPECT_EQ(local_shares_sentence(parse_local_shares(kShares)),
            "Counted in the laboratory, not on this machine: which share of the bytes that a "
            "computation loads and stores lies on the node of its thread, on the virtual machine "
            "opteron4 with 4 nodes and 16 CPUs, 8 threads (kinjo 0.1.0, 2026-11-22).");
}

TEST(LocalShares, AreDrawnWithABarForEachWorkloadAndPolicy) {
  const Picture picture = local_shares_picture(parse_local_shares(kShares));
  EXPECT_EQ(picture.title, "Local bytes in the laboratory: 8 threads on opteron4");
  for (const char* text : {"stream, none: 37.5 % local", "stream, compact: 99.97 % local",
                           "compact = compact-plus", "on another node"}) {
    EXPECT_THAT(picture.svg, HasSubstr(text));
  }
}

TEST(LocalShares, OfEveryWorkloadAreStoredUnderEveryPolicy) {
  std::vector<std::string> names;
  for (const Workload& workload : workloads()) names.emplace_back(workload.name);
  const LocalShares shares = stored_local_shares(names);
  ASSERT_EQ(shares.workloads.size(), names.size());
  for (const WorkloadShare& workload : shares.workloads) {
    std::vector<std::string> policies;
    for (const PolicyShare& policy : workload.policies) {
      policies.push_back(policy.policy);
      EXPECT_GT(policy.share(), 0.05) << workload.workload << ", " << policy.policy;
      EXPECT_LT(policy.share(), 1) << workload.workload << ", " << policy.policy;
    }
    EXPECT_THAT(policies, ElementsAre("none", "scatter", "compact")) << workload.workload;
    EXPECT_THAT(workload.command, HasSubstr(" --policy POLICY "));
  }
}

TEST(LocalShares, OfPathsAreThoseOfTheirMethod) {
  Record record{.workload = "paths", .parameters = {{"method", std::string("diagram")}}};
  EXPECT_EQ(counted_as(record), "paths-diagram");
  const LocalShares shares = stored_local_shares({counted_as(record)});
  ASSERT_EQ(shares.workloads.size(), 1u);
  EXPECT_THAT(shares.workloads[0].command, HasSubstr(" --method diagram "));
  std::vector<std::string> phases;
  const Table table = phase_shares_table(shares);
  for (const auto& row : table.rows()) phases.push_back(row[1]);
  EXPECT_THAT(phases, ElementsAre("build", "reduce"));
  record.parameters = {{"method", std::string("sweep")}};
  EXPECT_EQ(counted_as(record), "paths");
  EXPECT_EQ(counted_as({.workload = "stream"}), "stream");
}

TEST(LocalShares, OfOtherThingsAreNotStored) {
  EXPECT_TRUE(stored_local_shares({"./solve"}).workloads.empty());
  EXPECT_EQ(stored_local_shares({"stream", "stream"}).workloads.size(), 1u);
}

}  // namespace
}  // namespace kinjo
