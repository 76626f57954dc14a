#include "report/kernel_curves.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/blas1_records.hpp"
#include "report/roofline_model.hpp"

namespace kinjo {
namespace {

using test::blas1_record;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_of(const CurveSet& set) {
  std::vector<std::string> names;
  for (const Curve& curve : set.curves) names.push_back(curve.name);
  return names;
}

TEST(SizeSets, HoldWhatWasReachedAndTheLimitOfEachKernel) {
  const std::vector<Record> records = {blas1_record("sum", 4096, 20, 25),
                                       blas1_record("sum", 1024, 24, 25),
                                       blas1_record("copy", 1024, 10, 20)};
  const auto sets = size_sets(records);
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[0].metric, "sum");
  EXPECT_EQ(sets[0].axis, CurveAxis::elements);
  EXPECT_THAT(names_of(sets[0]), ElementsAre("reached", "limit"));
  ASSERT_EQ(sets[0].curves[0].points.size(), 2u);
  EXPECT_EQ(sets[0].curves[0].points[0].at, 1024u);  // ascending
  EXPECT_EQ(sets[0].curves[0].points[0].summary.median, 24);
  EXPECT_EQ(sets[1].unit, "GB/s");
  EXPECT_EQ(sets[1].curves[0].points[0].summary.median, 80);
  EXPECT_EQ(sets[1].curves[1].points[0].summary.median, 160);
}

TEST(SizeSets, TellConfigurationsApart) {
  const std::vector<Record> records = {blas1_record("sum", 1024, 20, 25),
                                       blas1_record("sum", 1024, 30, 50, "scatter", 2)};
  EXPECT_THAT(names_of(size_sets(records).at(0)),
              ElementsAre("none × 1", "none × 1, limit", "scatter × 2", "scatter × 2, limit"));
}

TEST(SizeSets, LeaveOutWrongResults) {
  std::vector<Record> records = {blas1_record("sum", 1024, 20, 25)};
  records[0].verified = false;
  EXPECT_TRUE(size_sets(records).empty());
}

TEST(LadderSets, HoldTheRungsOverTheirRunningSumsBesideThePrediction) {
  std::vector<Record> records = test::ladder_records();
  records.push_back(test::rung_record("axpy", "plain", 2, 0));
  const auto sets = ladder_sets(records);
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(sets[0].variant, "1K elements");
  EXPECT_THAT(names_of(sets[0]), ElementsAre("plain", "vectors", "predicted", "library"));
  EXPECT_EQ(sets[0].curves[1].points[1].at, 2u);
  EXPECT_EQ(sets[0].curves[2].points[1].summary.median, 9);
}

TEST(SizePicture, CountsElementsOnItsAxis) {
  const std::vector<Record> records = {blas1_record("sum", 1024, 24, 25),
                                       blas1_record("sum", 16384, 20, 25)};
  const Picture picture = curve_picture(size_sets(records)[0], {"reached", "limit"});
  EXPECT_EQ(picture.title, "sum by size");
  for (const char* text : {">1K<", ">16K<", ">elements of a vector<", ">sum, GFLOP/s<",
                           "<title>reached, 16K elements: 20 GFLOP/s (20 to 20)</title>"}) {
    EXPECT_THAT(picture.svg, HasSubstr(text));
  }
  EXPECT_THAT(picture.table.to_csv(), HasSubstr("line,elements,"));
}

TEST(SectionBySize, IsOneOfKernelsWithoutAVerdict) {
  ReportSection section{.workload = "blas1", .records = {blas1_record("sum", 1024, 24, 25)}};
  EXPECT_TRUE(is_by_size(section));
  section.verdict = Verdict{};
  EXPECT_FALSE(is_by_size(section));
  EXPECT_FALSE(is_by_size({.workload = "stream", .records = {Record{}}}));
  EXPECT_FALSE(is_by_size({}));
}

TEST(PageOfKernels, HasAPartForThemInsteadOfThatOnPlacements) {
  Report report{.title = "t",
                .command = "c",
                .made = "m",
                .machine = Topology::from("synthetic:core:2 pu:1"),
                .sections = {{.workload = "blas1", .records = {blas1_record("sum", 9, 1, 2)}}}};
  const std::string page = report_html(report);
  EXPECT_THAT(page, HasSubstr("1 Kernels beside their limit</h2>"));
  EXPECT_THAT(page, testing::Not(HasSubstr("Verdict</h2>")));
  EXPECT_THAT(page, testing::Not(HasSubstr("Over threads</h2>")));
}

TEST(RooflinePointsOfKernels, AreNamedByKernelAndSize) {
  const auto points = roofline_points(std::vector{blas1_record("dot", 49152, 20, 25)});
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].metric, "dot of 48K");
  EXPECT_EQ(points[0].gflops, 20);
}

}  // namespace
}  // namespace kinjo
