#include "report/line_style.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using testing::HasSubstr;

std::tuple<Colour, std::string, Marker> look(const std::string& policy,
                                             const std::vector<std::string>& policies) {
  const LineStyle style = line_style(policy, policies);
  return {style.colour, style.dashes, style.marker};
}

TEST(LineStyle, IsTheSameForANamedPolicyOnEveryPage) {
  for (const char* policy : {"none", "scatter", "compact", "compact-plus"}) {
    EXPECT_EQ(look(policy, {policy}), look(policy, {"none", "scatter", "compact", "compact-plus"}));
  }
  EXPECT_EQ(line_style("none", {}).colour, "#000000");
}

TEST(LineStyle, DiffersForEachOfManyPolicies) {
  std::vector<std::string> policies = {"none", "scatter", "compact", "compact-plus"};
  for (int i = 0; i < 12; ++i) policies.push_back("cpus:" + std::to_string(i));
  std::set<std::tuple<Colour, std::string, Marker>> looks;
  for (const std::string& policy : policies) looks.insert(look(policy, policies));
  EXPECT_EQ(looks.size(), policies.size());
}

TEST(LineStyle, HasAMarkerOfItsOwnForTheFirstSixPolicies) {
  const std::vector<std::string> policies = {"none",         "scatter", "compact",
                                             "compact-plus", "cpus:0",  "cpus:1"};
  std::set<Marker> markers;
  for (const std::string& policy : policies) markers.insert(line_style(policy, policies).marker);
  EXPECT_EQ(markers.size(), policies.size());
}

TEST(DrawMarker, GivesItsTipToANeighbourhood) {
  for (Marker marker : {Marker::circle, Marker::square, Marker::triangle, Marker::diamond,
                        Marker::cross, Marker::ring}) {
    Svg svg(20, 20, "t", "d");
    draw_marker(svg, {10, 10}, {"#000000", "", marker}, "a tip");
    EXPECT_THAT(svg.inline_text(), HasSubstr("fill=\"transparent\"><title>a tip</title>"));
  }
}

TEST(PolicyLegend, NeedsARowForAsManyAsFitSideBySide) {
  EXPECT_EQ(PolicyLegend({}, 400).height(), 0);
  const double row = PolicyLegend({"none"}, 400).height();
  EXPECT_EQ(PolicyLegend({"none", "scatter"}, 400).height(), row);
  EXPECT_EQ(PolicyLegend({"none", "scatter"}, 50).height(), 2 * row);
}

}  // namespace
}  // namespace kinjo
