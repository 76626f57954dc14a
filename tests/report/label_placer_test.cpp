#include "report/label_placer.hpp"

#include <gtest/gtest.h>

namespace kinjo {
namespace {

Quad box(double left, double top, double right, double bottom) {
  return {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
}

/// A square that stands on its corner.
Quad diamond(double x, double y, double radius) {
  return {{{x, y - radius}, {x + radius, y}, {x, y + radius}, {x - radius, y}}};
}

TEST(Overlap, NeedsACommonInnerPoint) {
  EXPECT_TRUE(overlap(box(0, 0, 2, 2), box(1, 1, 3, 3)));
  EXPECT_TRUE(overlap(box(0, 0, 9, 9), box(4, 4, 5, 5))) << "one within the other";
  EXPECT_FALSE(overlap(box(0, 0, 2, 2), box(2, 0, 3, 2))) << "they touch";
  EXPECT_FALSE(overlap(box(0, 0, 2, 2), box(5, 0, 6, 2)));
}

TEST(Overlap, SeesBetweenTurnedBoxes) {
  // Their upright hulls overlap; a slanted line separates them.
  EXPECT_FALSE(overlap(diamond(0, 0, 2), box(1.5, 1.5, 3, 3)));
  EXPECT_TRUE(overlap(diamond(0, 0, 2), box(0.9, 0.9, 3, 3)));
}

TEST(TextQuad, FollowsAnchorAndRotation) {
  const double width = text_width("ab", 10);
  EXPECT_DOUBLE_EQ(text_quad({5, 5}, "ab", {.size = 10})[1].x, 5 + width);
  EXPECT_DOUBLE_EQ(text_quad({5, 5}, "ab", {.size = 10, .anchor = Anchor::end})[0].x, 5 - width);
  EXPECT_NEAR(text_quad({5, 5}, "ab", {.size = 10, .rotate = -90})[1].y, 5 - width, 1e-9)
      << "it runs upwards";
}

TEST(LabelPlacer, TakesTheFirstPlaceThatIsFree) {
  LabelPlacer placer({0, 0}, {100, 100});
  placer.take({10, 50}, 5);
  const auto place = placer.claim({{8, 52}, {40, 52}, {60, 52}}, "x", {.size = 10});
  ASSERT_TRUE(place);
  EXPECT_EQ(place->x, 40);
  EXPECT_EQ(placer.claim({{40, 52}, {60, 52}}, "x", {.size = 10})->x, 60) << "the first is taken";
}

TEST(LabelPlacer, WritesNothingBeyondItsBounds) {
  LabelPlacer placer({0, 0}, {100, 100});
  Svg svg(100, 100, "t", "d");
  EXPECT_FALSE(placer.write(svg, {{95, 50}, {50, 3}}, "wide", {.size = 10}));
  EXPECT_EQ(svg.inline_text().find("<text"), std::string::npos);
}

}  // namespace
}  // namespace kinjo
