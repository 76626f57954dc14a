#include "report/graph_curves.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Record record_of(const std::string& graph, const char* policy, std::size_t threads,
                 double seconds) {
  return {.workload = "paths",
          .parameters = {{"graph", graph}, {"method", std::string("diagram")}},
          .policy = policy,
          .threads = threads,
          .metrics = {{.name = "seconds", .unit = "s", .samples = {seconds}}}};
}

ReportSection section_of(std::vector<Record> records) {
  return {.workload = "paths", .records = std::move(records)};
}

/// `none 8:1 9:4`, for each line.
std::vector<std::string> lines_of(const CurveSet& set) {
  std::vector<std::string> lines;
  for (const Curve& curve : set.curves) {
    std::string& line = lines.emplace_back(curve.name);
    for (const auto& [at, summary] : curve.points) {
      line += ' ' + std::to_string(at) + ':' + std::to_string(std::lround(summary.median));
    }
  }
  return lines;
}

TEST(GraphSets, HoldALineForEachPolicyWithTheMostThreads) {
  const std::vector<ReportSection> sections = {
      section_of({record_of("grid:9", "none", 2, 5), record_of("grid:9", "scatter", 1, 7),
                  record_of("grid:9", "scatter", 2, 4)}),
      section_of({record_of("grid:8x8", "none", 2, 2), record_of("grid:8x8", "scatter", 2, 1)})};
  const auto sets = graph_sets(sections);
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(sets[0].metric, "seconds");
  EXPECT_EQ(sets[0].variant, "grid:N, 2 threads");
  EXPECT_EQ(sets[0].axis, CurveAxis::graphs);
  EXPECT_THAT(lines_of(sets[0]), ElementsAre("none 8:2 9:5", "scatter 8:1 9:4"));
}

TEST(GraphSets, HaveAPointOfEveryPolicyWithTheSamePlaces) {
  Record eight = record_of("grid:8", "scatter", 2, 1), nine = record_of("grid:9", "scatter", 2, 3);
  eight.result = nine.result = {{"same_as", std::string("compact")}};
  EXPECT_THAT(lines_of(graph_sets(std::vector{section_of({eight}), section_of({nine})}).at(0)),
              ElementsAre("scatter 8:1 9:3", "compact 8:1 9:3"));
}

TEST(GraphSets, AreOfAsManyThreadsAsWerePlaced) {
  std::vector<ReportSection> sections;
  for (const char* graph : {"grid:8", "grid:9"}) {
    sections.push_back(section_of({record_of(graph, "none", 4, 1), record_of(graph, "none", 1, 2),
                                   record_of(graph, "compact", 1, 3)}));
  }
  const auto sets = graph_sets(sections);
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(sets[0].variant, "grid:N, 1 thread");
  EXPECT_THAT(lines_of(sets[0]), ElementsAre("none 8:2 9:2", "compact 8:3 9:3"));
}

TEST(GraphSets, KeepRulesApartAndNeedTwoSizesOfOne) {
  std::vector<ReportSection> sections;
  for (const char* graph :
       {"grid:8", "king:4", "king:5", "grid:8x9", "./grid:9", "file", ":", "grid:"})
    sections.push_back(section_of({record_of(graph, "none", 1, 1)}));
  const auto sets = graph_sets(sections);
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(sets[0].variant, "king:N, 1 thread");
  EXPECT_TRUE(graph_sets({}).empty());
}

TEST(GraphSets, LeaveOutWhatFailed) {
  Record wrong = record_of("grid:9", "none", 1, 1);
  wrong.verified = false;
  EXPECT_TRUE(
      graph_sets(std::vector{section_of({record_of("grid:8", "none", 1, 1), wrong})}).empty());
}

TEST(GraphSets, AreDrawnOverN) {
  std::vector<ReportSection> sections;
  for (const char* graph : {"grid:2", "grid:3", "grid:10"})
    sections.push_back(section_of({record_of(graph, "none", 2, graph[5])}));
  const Picture picture = curve_picture(graph_sets(sections).at(0), {"none"});
  EXPECT_EQ(picture.title, "seconds over N, grid:N, 2 threads");
  EXPECT_EQ(picture.table.header().at(1), "N");
  for (const char* text : {">time, s<", ">N<", ">10<", "<title>none, N = 10: 49 s (49 to 49)"}) {
    EXPECT_THAT(picture.svg, HasSubstr(text));
  }
}

}  // namespace
}  // namespace kinjo
