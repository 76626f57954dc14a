#include "report/svg.hpp"

#include <array>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// What the calls of `draw` wrote between the description and the end.
template <class Draw>
std::string drawn(Draw draw) {
  Svg svg(10, 10, "t", "d");
  draw(svg);
  const std::string text = svg.inline_text();
  const std::string head = "</desc>\n";
  const auto begin = text.find(head) + head.size();
  return text.substr(begin, text.rfind("</svg>") - begin);
}

TEST(Svg, HasASizeATitleAndADescriptionThatItNames) {
  EXPECT_EQ(Svg(200, 100.5, "A & B", "two <boxes>").inline_text(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"100.5\" "
            "viewBox=\"0 0 200 100.5\" role=\"img\" "
            "aria-labelledby=\"svg-175737fa28798ab1-title svg-175737fa28798ab1-desc\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n"
            "<title id=\"svg-175737fa28798ab1-title\">A &amp; B</title>\n"
            "<desc id=\"svg-175737fa28798ab1-desc\">two &lt;boxes&gt;</desc>\n"
            "</svg>\n");
}

TEST(Svg, HasOtherIdsIfItShowsSomethingElse) {
  const auto id = [](const char* title, const char* description, double x) {
    Svg svg(10, 10, title, description);
    svg.line({0, 0}, {x, 0});
    const std::string text = svg.inline_text();
    const auto begin = text.find("<title id=\"") + 11;
    return text.substr(begin, text.find('"', begin) - begin);
  };
  EXPECT_EQ(id("a", "b", 1), id("a", "b", 1));
  EXPECT_NE(id("a", "b", 1), id("c", "b", 1));
  EXPECT_NE(id("a", "b", 1), id("a", "c", 1));
  EXPECT_NE(id("a", "b", 1), id("a", "b", 2));
}

TEST(Svg, AsAFileHasADeclarationAndWhitePaper) {
  const std::string text = Svg(10, 10, "t", "d").file_text();
  EXPECT_THAT(text, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "));
  EXPECT_THAT(text, HasSubstr("<rect class=\"paper\" width=\"100%\" height=\"100%\" "
                              "fill=\"#ffffff\"/>\n</svg>\n"));
}

TEST(Svg, DrawsShapes) {
  EXPECT_EQ(drawn([](Svg& svg) {
              svg.rectangle({1, 2.25}, 3, 4, "#123456");
            }),
            "<rect x=\"1\" y=\"2.25\" width=\"3\" height=\"4\" fill=\"#123456\" "
            "stroke=\"#333333\" stroke-width=\"1\"/>\n");
  EXPECT_EQ(drawn([](Svg& svg) {
              svg.line({0, 0}, {5, 5}, {.colour = "#000000", .width = 2, .dashes = "4 2"});
            }),
            "<line x1=\"0\" y1=\"0\" x2=\"5\" y2=\"5\" stroke=\"#000000\" stroke-width=\"2\" "
            "stroke-dasharray=\"4 2\"/>\n");
  EXPECT_EQ(drawn([](Svg& svg) {
              svg.polyline(std::array<Point, 3>{{{0, 0}, {1, 2}, {3, 4}}}, {});
            }),
            "<polyline points=\"0,0 1,2 3,4\" fill=\"none\" stroke=\"#333333\" "
            "stroke-width=\"1\"/>\n");
  EXPECT_EQ(drawn([](Svg& svg) {
              svg.area(std::array<Point, 3>{{{0, 0}, {1, 0}, {1, 1}}}, "#ff0000", 0.25);
            }),
            "<polygon points=\"0,0 1,0 1,1\" fill=\"#ff0000\" fill-opacity=\"0.25\"/>\n");
}

TEST(Svg, DrawsNoOutlineOfWidthZero) {
  EXPECT_EQ(drawn([](Svg& svg) {
              svg.circle({1, 2}, 3, "#000000", {.width = 0});
            }),
            "<circle cx=\"1\" cy=\"2\" r=\"3\" fill=\"#000000\"/>\n");
}

TEST(Svg, ShowsTipsAsTitlesOfShapes) {
  EXPECT_EQ(drawn([](Svg& svg) {
              svg.circle({1, 2}, 3, "#000000", {.width = 0}, "1 < 2");
            }),
            "<circle cx=\"1\" cy=\"2\" r=\"3\" fill=\"#000000\">"
            "<title>1 &lt; 2</title></circle>\n");
}

TEST(Svg, WritesTextInItsStyle) {
  EXPECT_EQ(drawn([](Svg& svg) {
              svg.text({1, 2}, "a<b");
            }),
            "<text x=\"1\" y=\"2\" font-size=\"12\" fill=\"#111111\">a&lt;b</text>\n");
  EXPECT_EQ(
      drawn([](Svg& svg) {
        svg.text(
            {1, 2}, "x",
            {.size = 8, .colour = "#222222", .anchor = Anchor::end, .bold = true, .rotate = -90});
      }),
      "<text x=\"1\" y=\"2\" font-size=\"8\" fill=\"#222222\" text-anchor=\"end\" "
      "font-weight=\"bold\" transform=\"rotate(-90 1 2)\">x</text>\n");
}

TEST(Svg, GroupsWhatBelongsTogether) {
  EXPECT_EQ(drawn([](Svg& svg) {
              svg.open_group("node");
              svg.line({0, 0}, {1, 1}, {.width = 0});
              svg.close_group();
            }),
            "<g class=\"node\">\n<line x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\"/>\n</g>\n");
}

TEST(Svg, WritesCoordinatesWithTwoDecimalsAtMost) {
  EXPECT_THAT(drawn([](Svg& svg) {
                svg.line({1.0 / 3, -0.001}, {100, 0.999});
              }),
              StartsWith("<line x1=\"0.33\" y1=\"0\" x2=\"100\" y2=\"1\""));
}

TEST(SvgDeathTest, RefusesWhatCannotBeDrawn) {
  EXPECT_DEATH(Svg(0, 1, "", ""), "width > 0 && height > 0");
  EXPECT_DEATH(drawn([](Svg& svg) {
                 svg.line({0, 0}, {std::numeric_limits<double>::quiet_NaN(), 0});
               }),
               "isfinite");
  EXPECT_DEATH(drawn([](Svg& svg) { svg.close_group(); }), "open_groups_ > 0");
  EXPECT_DEATH(drawn([](Svg& svg) { svg.open_group("never closed"); }), "open_groups_ == 0");
}

}  // namespace
}  // namespace kinjo
