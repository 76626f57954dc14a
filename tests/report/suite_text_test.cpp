#include "report/suite_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/report_samples.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<double> around(double value) {
  return {value, value * 1.01, value * 0.99, value, value, value * 1.01, value};
}

Record record_of(const char* policy, std::size_t threads, double value) {
  return {.workload = "stream",
          .policy = policy,
          .threads = threads,
          .metrics = {{.name = "triad", .unit = "GB/s", .samples = around(value)}}};
}

/// none with 4 threads is the default; scatter with 2 is twice as good, compact half as good.
ReportSection section_of(const char* workload) {
  ReportSection section{.workload = workload,
                        .records = {record_of("none", 4, 40), record_of("scatter", 2, 80),
                                    record_of("compact", 4, 20)}};
  section.verdict = Verdict{.metric = "triad",
                            .better = Better::higher,
                            .baseline = 0,
                            .best = 1,
                            .pairs = 15,
                            .gain = 2.0,
                            .low = 1.9,
                            .high = 2.1,
                            .differs = true};
  return section;
}

Topology one_node() { return Topology::from("synthetic:pack:1 numa:1 core:2 pu:1"); }

TEST(SuiteText, HasARowForEachWorkloadAndAColumnForEachPolicy) {
  const std::vector<ReportSection> sections = {section_of("stream")};
  const Table table = suite_table(sections);
  EXPECT_THAT(table.header(),
              ElementsAre("workload", "judged by", "default", "none", "scatter", "compact"));
  ASSERT_EQ(table.rows().size(), 1u);
  EXPECT_THAT(table.rows()[0],
              ElementsAre("stream", "triad", "40 GB/s", "1 (4)", "▲ 2.00 (2)", "▼ 0.50 (4)"));
}

TEST(SuiteText, MarksWhatIsNotConfirmedAndWhatFailed) {
  ReportSection section = section_of("stream");
  section.verdict->differs = false;
  section.records.push_back(record_of("compact-plus", 4, 44));
  section.records[2].metrics.clear();
  section.records[2].result = {{"fault", "its result is wrong"}};
  const std::vector<ReportSection> sections = {section};
  EXPECT_THAT(suite_table(sections).rows()[0], ElementsAre("stream", "triad", "40 GB/s", "1 (4)",
                                                           "2.00 (2)", "failed", "~ 1.10 (4)"));
}

TEST(SuiteText, SaysWhereAPlacementIsBetter) {
  ReportSection undecided = section_of("fft");
  undecided.verdict->differs = false;
  const std::vector<ReportSection> sections = {section_of("stream"), undecided};
  EXPECT_EQ(
      suite_summary(sections, test::four_node_machine()),
      "A placement is better than the default in 1 of 2 workloads: stream (2.00 times, scatter "
      "with 2 threads).");
}

TEST(SuiteText, SaysThatNothingIsBetterAndThatOneNodeIsTheReason) {
  ReportSection undecided = section_of("fft");
  undecided.verdict->differs = false;
  ReportSection failed = section_of("gemm");
  failed.verdict.reset();
  const std::vector<ReportSection> sections = {undecided, failed};
  EXPECT_EQ(
      suite_summary(sections, one_node()),
      "No placement is measurably better than the default in any of 2 workloads. This machine "
      "has one node, so all memory is equally near. Nothing could be compared in gemm.");
}

TEST(SuiteText, TellsAProfileInALine) {
  const auto profile = test::four_node_report().profile;
  ASSERT_TRUE(profile);
  EXPECT_THAT(profile_line(*profile),
              testing::StartsWith("measured 2026-03-02T09:20:00+01:00: memory 1"));
  EXPECT_THAT(profile_line(*profile), HasSubstr("arithmetic 6"));
  EXPECT_THAT(profile_line(*profile), HasSubstr(" to other nodes 1"));
  EXPECT_EQ(profile_line({.measured = "today"}), "measured today: nothing\n");
}

}  // namespace
}  // namespace kinjo
