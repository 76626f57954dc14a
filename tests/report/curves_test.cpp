#include "report/curves.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Record record_of(const char* policy, std::size_t threads, double value, const char* memory = "") {
  Record record;
  record.policy = policy;
  record.threads = threads;
  record.memory = memory;
  record.metrics = {
      {.name = "triad", .unit = "GB/s", .samples = {value * 0.9, value, value * 1.1}}};
  return record;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(CurveSets, HoldALineForEachPolicyWithThreadsAscending) {
  const std::vector<Record> records = {record_of("none", 4, 20), record_of("scatter", 1, 9),
                                       record_of("none", 1, 10)};
  const auto sets = curve_sets(records);
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(sets[0].metric, "triad");
  EXPECT_EQ(sets[0].unit, "GB/s");
  EXPECT_EQ(sets[0].variant, "");
  ASSERT_EQ(sets[0].curves.size(), 2u);
  EXPECT_EQ(sets[0].curves[0].name, "none");
  ASSERT_EQ(sets[0].curves[0].points.size(), 2u);
  EXPECT_EQ(sets[0].curves[0].points[0].at, 1u);
  EXPECT_EQ(sets[0].curves[0].points[0].summary.median, 10);
  EXPECT_EQ(sets[0].curves[0].points[1].at, 4u);
  EXPECT_EQ(sets[0].curves[1].name, "scatter");
}

TEST(CurveSets, KeepMemoryPoliciesAndMetricsApart) {
  std::vector<Record> records = {record_of("none", 1, 10, "local"),
                                 record_of("none", 1, 8, "interleave")};
  for (Record& r : records) r.metrics.push_back({.name = "seconds", .unit = "s", .samples = {3}});
  std::vector<std::string> found;
  for (const CurveSet& set : curve_sets(records)) found.push_back(set.metric + " " + set.variant);
  EXPECT_THAT(found, ElementsAre("triad memory local", "triad memory interleave",
                                 "seconds memory local", "seconds memory interleave"));
}

TEST(CurveSets, MakeAPointOfEveryPolicyWithTheSamePlaces) {
  std::vector<Record> records = {record_of("scatter", 1, 9), record_of("scatter", 4, 30),
                                 record_of("compact", 4, 20)};
  records[0].result = {{"same_as", "compact"}};
  const auto sets = curve_sets(records);
  ASSERT_EQ(sets.size(), 1u);
  ASSERT_EQ(sets[0].curves.size(), 2u);
  EXPECT_EQ(sets[0].curves[1].name, "compact");
  ASSERT_EQ(sets[0].curves[1].points.size(), 2u);
  EXPECT_EQ(sets[0].curves[1].points[0].summary.median, 9);
}

TEST(CurveSets, LeaveOutWhatFailed) {
  std::vector<Record> records = {record_of("none", 1, 10), record_of("none", 2, 10),
                                 record_of("none", 4, 10), record_of("none", 8, 10)};
  records[1].verified = false;
  records[2].metrics[0].samples[0] = std::nan("");
  records[3].result = {{"fault", "ended by signal 11"}};
  ASSERT_EQ(curve_sets(records).size(), 1u);
  EXPECT_EQ(curve_sets(records)[0].curves[0].points.size(), 1u);
  records.erase(records.begin());
  EXPECT_EQ(curve_sets(records).size(), 0u);
}

Picture picture_of(const std::vector<Record>& records) {
  return curve_picture(curve_sets(records).at(0), {"none", "scatter", "compact"});
}

TEST(CurvePicture, HasTheSameFiguresInItsTable) {
  const Picture picture = picture_of({record_of("none", 1, 10), record_of("none", 8, 40)});
  EXPECT_EQ(picture.title, "triad over threads");
  EXPECT_EQ(picture.table.to_csv(),
            "policy,threads,\"median, GB/s\",low,high,smallest,largest,samples\n"
            "none,1,10,9,11,9,11,3\n"
            "none,8,40,36,44,36,44,3\n");
}

TEST(CurvePicture, NamesAxesUnitsAndEachLine) {
  const Picture picture = picture_of({record_of("none", 1, 10), record_of("none", 4, 40),
                                      record_of("scatter", 1, 20), record_of("scatter", 4, 80)});
  for (const char* text : {">triad, GB/s<", ">threads (each step doubles)<", ">none<", ">scatter<",
                           ">1<", ">4<", ">0<"}) {
    EXPECT_THAT(picture.svg, HasSubstr(text));
  }
  EXPECT_EQ(count(picture.svg, "<g class=\"curve\">"), 2u);
  EXPECT_THAT(picture.svg, HasSubstr("<title>scatter, 4 threads: 80 GB/s (72 to 88)</title>"));
}

TEST(CurvePicture, PutsDoublingThreadsAtEvenSteps) {
  // Lines from the axis downwards are the ticks: y1 and y2 tell them from all others.
  const Picture picture =
      picture_of({record_of("none", 1, 10), record_of("none", 2, 20), record_of("none", 4, 30)});
  std::vector<double> ticks;
  for (std::size_t at = 0; (at = picture.svg.find("y1=\"274\" x2=\"", at)) != std::string::npos;
       ++at) {
    if (picture.svg.find("y2=\"279\"", at) < at + 60) {
      ticks.push_back(std::stod(picture.svg.substr(at + 13)));
    }
  }
  ASSERT_EQ(ticks.size(), 3u);
  EXPECT_NEAR(ticks[1] - ticks[0], ticks[2] - ticks[1], 0.02);
}

TEST(CurvePicture, ShowsPoliciesSideBySideForOneNumberOfThreads) {
  const Picture picture = picture_of({record_of("none", 8, 10), record_of("scatter", 8, 12)});
  EXPECT_EQ(picture.title, "triad by policy");
  EXPECT_THAT(picture.svg, HasSubstr(">policy, with 8 threads<"));
  EXPECT_THAT(picture.svg, Not(HasSubstr("<polyline")));
}

TEST(CurvePicture, ShowsSmallTimesInMilliseconds) {
  std::vector<Record> records = {record_of("none", 1, 0.02), record_of("none", 2, 0.01)};
  for (Record& r : records) r.metrics[0].name = "seconds", r.metrics[0].unit = "s";
  EXPECT_THAT(picture_of(records).svg, HasSubstr(">time, ms<"));
}

TEST(CurvePicture, IsDrawnWhateverTheValues) {
  for (double value : {0.0, -5.0, 1e300, 1e-300}) {
    const Picture picture = picture_of({record_of("none", 1, value), record_of("none", 2, value)});
    EXPECT_THAT(picture.svg, HasSubstr("<g class=\"curve\">")) << value;
  }
}

}  // namespace
}  // namespace kinjo
