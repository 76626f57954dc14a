#include "report/colour.hpp"

#include <cmath>
#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace kinjo {
namespace {

/// Lightness L* of CIE 1976, 0 to 100.
double lightness(const Colour& colour) {
  double luminance = 0;
  constexpr double kWeights[] = {0.2126, 0.7152, 0.0722};
  for (std::size_t i = 0; i < 3; ++i) {
    const double share = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    luminance +=
        kWeights[i] * (share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4));
  }
  return 116 * std::cbrt(luminance) - 16;
}

TEST(CategoryColour, GivesEightColoursAndThenRepeats) {
  std::set<Colour> colours;
  for (std::size_t i = 0; i < 8; ++i) colours.insert(category_colour(i));
  EXPECT_EQ(colours.size(), 8u);
  EXPECT_EQ(category_colour(8), category_colour(0));
}

TEST(CategoryDashes, WithTheColoursMake24DifferentLines) {
  std::set<std::pair<Colour, std::string>> lines;
  for (std::size_t i = 0; i < 24; ++i) lines.insert({category_colour(i), category_dashes(i)});
  EXPECT_EQ(lines.size(), 24u);
  EXPECT_EQ(category_dashes(0), "");
}

TEST(ShareColour, GrowsLighterInEvenSteps) {
  const double span = lightness(share_colour(1)) - lightness(share_colour(0));
  EXPECT_GT(span, 70);
  for (int i = 0; i < 10; ++i) {
    const double step = lightness(share_colour((i + 1) / 10.0)) - lightness(share_colour(i / 10.0));
    EXPECT_NEAR(step, span / 10, span / 40) << "step " << i;
  }
}

TEST(ShareColour, ClampsWhatLiesOutside) {
  EXPECT_EQ(share_colour(-1), "#00224e");
  EXPECT_EQ(share_colour(0), "#00224e");
  EXPECT_EQ(share_colour(1), "#fee838");
  EXPECT_EQ(share_colour(7), "#fee838");
}

TEST(Lighter, MixesWithWhite) {
  EXPECT_EQ(lighter("#204060", 0), "#204060");
  EXPECT_EQ(lighter("#204060", 0.5), "#90a0b0");
  EXPECT_EQ(lighter("#204060", 1), "#ffffff");
}

TEST(InkOn, IsWhiteOnDarkAndBlackOnLight) {
  EXPECT_EQ(ink_on("#000000"), "#ffffff");
  EXPECT_EQ(ink_on("#ffffff"), "#000000");
  EXPECT_EQ(ink_on("#0072b2"), "#ffffff");
  EXPECT_EQ(ink_on("#f0e442"), "#000000");
}

TEST(InkOn, CanBeReadOnEveryShare) {
  for (int i = 0; i <= 100; ++i) {
    const Colour paper = share_colour(i / 100.0);
    // A difference of 45 in lightness is about a contrast of 4.5, what accessibility asks for.
    EXPECT_GT(std::fabs(lightness(ink_on(paper)) - lightness(paper)), 45) << paper;
  }
}

}  // namespace
}  // namespace kinjo
