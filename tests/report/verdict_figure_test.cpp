#include "report/verdict_figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using State = VerdictCell::State;
using testing::ElementsAre;
using testing::HasSubstr;

Record record_of(const char* policy, std::size_t threads, double value, std::size_t samples = 7) {
  Record record;
  record.policy = policy;
  record.threads = threads;
  record.metrics = {{.name = "seconds", .unit = "s", .samples = {}}};
  for (std::size_t i = 0; i < samples; ++i) {
    record.metrics[0].samples.push_back(value * (1 + 0.01 * static_cast<double>(i)));
  }
  return record;
}

/// none 10 s and 8 s, scatter 16 s and 4 s, compact 12 s and 16 s; scatter is best.
ReportSection section_of() {
  ReportSection section;
  section.workload = "./solve";
  section.records = {record_of("none", 1, 10),    record_of("none", 2, 8),
                     record_of("scatter", 1, 16), record_of("scatter", 2, 4),
                     record_of("compact", 1, 12), record_of("compact", 2, 16)};
  section.verdict = Verdict{.metric = "seconds",
                            .better = Better::lower,
                            .baseline = 1,
                            .best = 3,
                            .pairs = 7,
                            .gain = 1.9,
                            .low = 1.7,
                            .high = 2.1,
                            .differs = true};
  return section;
}

const std::vector<std::string> kPolicies = {"none", "scatter", "compact", "compact-plus"};

TEST(VerdictCells, CompareEachPolicysBestWithTheDefault) {
  const ReportSection section = section_of();
  const auto cells = verdict_cells(section, kPolicies);
  ASSERT_EQ(cells.size(), 4u);
  EXPECT_EQ(cells[0].state, State::baseline);
  EXPECT_EQ(cells[0].best, &section.records[1]);
  EXPECT_EQ(cells[1].state, State::better);
  EXPECT_EQ(cells[2].state, State::worse);
  EXPECT_EQ(cells[2].best, &section.records[4]);
  EXPECT_NEAR(cells[2].gain, 8.0 / 12, 1e-12);
  EXPECT_LE(cells[2].low, cells[2].gain);
  EXPECT_EQ(cells[3].state, State::not_measured);
}

TEST(VerdictCells, ShowTheVerdictsOwnGainForItsBest) {
  ReportSection section = section_of();
  section.records.push_back(record_of("scatter", 4, 3));  // a better median, but not the verdict
  const auto cells = verdict_cells(section, kPolicies);
  EXPECT_EQ(cells[1].best, &section.records[3]);
  EXPECT_EQ(cells[1].gain, 1.9);
  EXPECT_EQ(cells[1].low, 1.7);
  EXPECT_EQ(cells[1].high, 2.1);
}

TEST(VerdictCells, CallNothingBetterWhereTheVerdictFoundNoDifference) {
  ReportSection section = section_of();
  section.records[5] = record_of("compact", 2, 5);
  section.verdict->differs = false;
  const auto cells = verdict_cells(section, kPolicies);
  EXPECT_EQ(cells[1].state, State::no_difference);
  EXPECT_EQ(cells[2].state, State::unconfirmed);
  EXPECT_NEAR(cells[2].gain, 8.0 / 5, 1e-12);
}

TEST(VerdictCells, ClaimNothingFromFewRounds) {
  ReportSection section = section_of();
  for (Record& record : section.records) record.metrics[0].samples.resize(5);
  EXPECT_EQ(verdict_cells(section, kPolicies)[2].state, State::unconfirmed);
}

TEST(VerdictCells, AreAlsoOfPoliciesWithTheSamePlaces) {
  ReportSection section = section_of();
  section.records[3].result = {{"same_as", "compact-plus"}};
  const auto cells = verdict_cells(section, kPolicies);
  EXPECT_EQ(cells[3].best, &section.records[3]);
  EXPECT_EQ(cells[3].gain, cells[1].gain);
  EXPECT_THAT(verdict_picture(std::vector{section}, kPolicies).svg,
              HasSubstr(">2 threads, as scatter<"));
}

TEST(VerdictCells, CompareNothingWithoutADefault) {
  ReportSection section = section_of();
  section.verdict.reset();
  section.records.erase(section.records.begin(), section.records.begin() + 2);
  const auto cells = verdict_cells(section, kPolicies);
  EXPECT_EQ(cells[0].state, State::not_measured);
  EXPECT_EQ(cells[1].state, State::alone);
  EXPECT_EQ(cells[1].median, "4.12 s");
}

TEST(VerdictCells, SayNoDifferenceWhereTheBoundsHoldOne) {
  ReportSection section = section_of();
  auto& samples = section.records[4].metrics[0].samples;
  samples = {7, 9, 7.5, 8.5, 9, 7, 8};
  EXPECT_EQ(verdict_cells(section, kPolicies)[2].state, State::no_difference);
}

TEST(VerdictCells, PairTheRoundsThatBothTookPartIn) {
  ReportSection section = section_of();
  // The default ran in four more rounds, on a machine that had become slower.
  auto& samples = section.records[1].metrics[0].samples;
  samples.insert(samples.end(), 4, 100.0);
  const auto cells = verdict_cells(section, kPolicies);
  EXPECT_EQ(cells[2].state, State::worse);
  EXPECT_NEAR(cells[2].gain, 8.0 / 12, 1e-12);
}

TEST(VerdictCells, KeepFailuresApart) {
  ReportSection section = section_of();
  section.records[4].result = {{"fault", "ended by signal 11"}};
  auto cells = verdict_cells(section, kPolicies);
  EXPECT_EQ(cells[2].state, State::worse);
  EXPECT_EQ(cells[2].best, &section.records[5]);
  EXPECT_EQ(cells[2].failed, 1u);
  EXPECT_THAT(cells[2].failures, ElementsAre("ended by signal 11"));
  section.records[5].result = {{"fault", "ended by signal 11"}};
  cells = verdict_cells(section, kPolicies);
  EXPECT_EQ(cells[2].state, State::failed);
  EXPECT_EQ(cells[2].failed, 2u);
  EXPECT_THAT(cells[2].failures, ElementsAre("ended by signal 11"));
}

TEST(JudgementOf, TakesTheUnpinnedRecordWithMostThreadsWhereThereIsNoVerdict) {
  ReportSection section = section_of();
  section.verdict.reset();
  const Judgement judgement = judgement_of(section);
  EXPECT_EQ(judgement.metric, "seconds");
  EXPECT_EQ(judgement.better, Better::lower);
  EXPECT_EQ(judgement.baseline, &section.records[1]);
  EXPECT_EQ(judgement_of({}).baseline, nullptr);
}

TEST(VerdictPicture, SaysInItsTableWhatItsCellsShow) {
  ReportSection section = section_of();
  section.records[4].result = {{"fault", "ended by signal 11"}};
  const Picture picture = verdict_picture(std::vector{section}, kPolicies);
  EXPECT_EQ(
      picture.table.to_csv(),
      "workload,policy,best configuration,median,times the default,low,high,verdict,failures\n"
      "./solve,none,2 threads,8.24 s,-,-,-,the default,\n"
      "./solve,scatter,2 threads,4.12 s,1.900,1.700,2.100,better,\n"
      "./solve,compact,2 threads,16.5 s,0.500,0.500,0.500,worse,1 failed: ended by signal 11\n"
      "./solve,compact-plus,-,-,-,-,-,not measured,\n");
  for (const char* text : {">▲ 1.90 ×<", ">1.70 to 2.10<", ">▼ 0.50 ×<", ">the default<",
                           ">not measured<", ">./solve: seconds<"}) {
    EXPECT_THAT(picture.svg, HasSubstr(text));
  }
}

TEST(GainColour, IsBlueAboveOneOrangeBelowAndFullAtTwiceAndHalf) {
  EXPECT_EQ(gain_colour(2), "#2166ac");
  EXPECT_EQ(gain_colour(40), "#2166ac");
  EXPECT_EQ(gain_colour(0.5), "#b35806");
  EXPECT_EQ(gain_colour(1.0001), "#d3e0ee");
}

TEST(VerdictPicture, IsLowWhereThereAreManyWorkloads) {
  const std::vector<ReportSection> three(3, section_of()), eight(8, section_of());
  const std::string high = verdict_svg(three, kPolicies).file_text();
  const std::string low = verdict_svg(eight, kPolicies).file_text();
  EXPECT_THAT(high, HasSubstr("./solve: seconds"));
  EXPECT_THAT(low, testing::Not(HasSubstr("./solve: seconds")));
  EXPECT_THAT(high, HasSubstr(" height=\"366\""));
  EXPECT_THAT(low, HasSubstr(" height=\"446\""));
  EXPECT_THAT(low, HasSubstr("1.70 to 2.10, 2 threads"));
}

}  // namespace
}  // namespace kinjo
