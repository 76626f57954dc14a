#include "report/axes.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using ::testing::ElementsAre;

TEST(ShortNumber, HasThreeSignificantDigitsAndNoSuperfluousZeros) {
  const struct {
    double value;
    const char* text;
  } kCases[] = {{0, "0"},
                {1, "1"},
                {1.5, "1.5"},
                {9.996, "10"},
                {12.345, "12.3"},
                {100, "100"},
                {999.6, "1000"},
                {12345, "12300"},
                {1234567, "1230000"},
                {0.012345, "0.0123"},
                {-2.5, "-2.5"},
                {1e9, "1e+09"},
                {12345678, "1.23e+07"},
                {1e-4, "0.0001"},
                {1.234e-5, "1.23e-05"},
                {1.7965e308, "1.7965e+308"}};  // 1.80e308 is none
  for (const auto& c : kCases) EXPECT_EQ(short_number(c.value), c.text) << c.value;
}

TEST(ShortNumber, WritesADashForWhatIsNoNumber) {
  EXPECT_EQ(short_number(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(short_number(-std::numeric_limits<double>::infinity()), "-");
}

TEST(Scale, MapsValuesInProportion) {
  const Scale x(ScaleKind::linear, 0, 10, 100, 200);
  EXPECT_DOUBLE_EQ(x.at(0), 100);
  EXPECT_DOUBLE_EQ(x.at(2.5), 125);
  EXPECT_DOUBLE_EQ(x.at(20), 300) << "beyond the end";
  const Scale y(ScaleKind::linear, 0, 10, 200, 100);
  EXPECT_DOUBLE_EQ(y.at(2.5), 175) << "downwards";
}

TEST(Scale, MapsLogarithmsInProportion) {
  const Scale x(ScaleKind::logarithmic, 1, 100, 0, 50);
  EXPECT_DOUBLE_EQ(x.at(1), 0);
  EXPECT_DOUBLE_EQ(x.at(10), 25);
  EXPECT_DOUBLE_EQ(x.at(1000), 75);
  EXPECT_DOUBLE_EQ(x.at(0), 0) << "what has no logarithm lies at the low end";
}

TEST(LinearTicks, AreRoundAndAtMostAsManyAsAsked) {
  EXPECT_THAT(linear_ticks(0, 10, 6), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(linear_ticks(0, 9.7, 5), ElementsAre(0, 2, 4, 6, 8));
  EXPECT_THAT(linear_ticks(-3, 4, 8), ElementsAre(-3, -2, -1, 0, 1, 2, 3, 4));
  EXPECT_THAT(linear_ticks(0, 0.3, 4), ElementsAre(0, 0.1, 0.2, ::testing::DoubleEq(0.3)));
  EXPECT_THAT(linear_ticks(1e9, 1.5e9, 3), ElementsAre(1e9, 1.2e9, 1.4e9));
}

TEST(LinearTicks, AreAtLeastTwoOrAlmostSoForAnyRange) {
  for (double low : {-7.3, 0.0, 0.01, 3.14, 1e6}) {
    for (double width : {0.003, 0.1, 1.0, 7.7, 42.0, 1e5}) {
      for (std::size_t most : {2u, 5u, 10u}) {
        const auto ticks = linear_ticks(low, low + width, most);
        EXPECT_LE(ticks.size(), most);
        EXPECT_GE(ticks.size(), most < 5 ? 0u : 2u) << low << " + " << width << ", " << most;
        for (double tick : ticks) {
          EXPECT_GE(tick, low - width * 1e-6);
          EXPECT_LE(tick, low + width * (1 + 1e-6));
        }
      }
    }
  }
}

TEST(LogTicks, ArePowersOfTheBase) {
  EXPECT_THAT(log_ticks(0.01, 100, 10), ElementsAre(0.01, 0.1, 1, 10, 100));
  EXPECT_THAT(log_ticks(1, 256, 10, 2), ElementsAre(1, 2, 4, 8, 16, 32, 64, 128, 256));
  EXPECT_THAT(log_ticks(1, 256, 5, 2), ElementsAre(1, 4, 16, 64, 256));
}

TEST(LogTicks, GrowFinerWhereFewPowersLie) {
  EXPECT_THAT(log_ticks(8, 120, 6), ElementsAre(10, 20, 50, 100));
  EXPECT_THAT(log_ticks(3, 8, 6), ElementsAre(3, 4, 5, 6, 7, 8));
}

TEST(TickTexts, AreShort) {
  EXPECT_THAT(tick_texts({0, 0.5, 1, 1e6 / 8, 1e-3}),
              ElementsAre("0", "0.5", "1", "125000", "0.001"));
}

TEST(RoundAbove, IsTheNextRoundValue) {
  EXPECT_DOUBLE_EQ(round_above(9.7), 10);
  EXPECT_DOUBLE_EQ(round_above(10), 10);
  EXPECT_DOUBLE_EQ(round_above(10.1), 12);
  EXPECT_DOUBLE_EQ(round_above(0.37), 0.4);
  EXPECT_DOUBLE_EQ(round_above(0), 1);
}

}  // namespace
}  // namespace kinjo
