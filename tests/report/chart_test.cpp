#include "report/chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

constexpr PlotArea kArea{.left = 0, .right = 100, .top = 10, .bottom = 110};

TEST(ShownUnit, MakesValuesShort) {
  struct Case {
    double largest;
    const char* unit;
    double factor;
    const char* shown;
  };
  for (const Case& c : {Case{12, "s", 1, "s"},
                        {0.5, "s", 1e3, "ms"},
                        {2e-4, "s", 1e6, "µs"},
                        {3e-8, "s", 1e9, "ns"},
                        {0, "s", 1, "s"},
                        {4e6, "s", 1, "s"},
                        {113, "GB/s", 1, "GB/s"},
                        {2.5e9, "Hz", 1e-9, "10^9 Hz"},
                        {3e-3, "GTEPS", 1e3, "10^-3 GTEPS"},
                        {7e6, "", 1e-6, "10^6"}}) {
    const ShownUnit found = shown_unit(c.largest, c.unit);
    EXPECT_EQ(found.unit, c.shown) << c.largest << c.unit;
    EXPECT_NEAR(found.factor / c.factor, 1, 1e-12) << c.largest << c.unit;
  }
}

TEST(ValueScale, BeginsAtZeroUnlessValuesDifferManyfold) {
  const Scale linear = value_scale(9, 113, "GB/s", kArea);
  EXPECT_EQ(linear.kind(), ScaleKind::linear);
  EXPECT_EQ(linear.low(), 0);
  EXPECT_GE(linear.high(), 113);
  EXPECT_EQ(linear.at(0), kArea.bottom);
  const Scale logarithmic = value_scale(0.4, 113, "GB/s", kArea);
  EXPECT_EQ(logarithmic.kind(), ScaleKind::logarithmic);
  EXPECT_DOUBLE_EQ(logarithmic.low(), 0.2);
  EXPECT_DOUBLE_EQ(logarithmic.high(), 200);
}

TEST(ValueScale, IsLogarithmicForTimesThatDifferFivefold) {
  EXPECT_EQ(value_scale(2, 9, "s", kArea).kind(), ScaleKind::linear);
  EXPECT_EQ(value_scale(2, 11, "s", kArea).kind(), ScaleKind::logarithmic);
}

TEST(ValueScale, HoldsNegativeAndEmptyRanges) {
  const Scale negative = value_scale(-3, 5, "", kArea);
  EXPECT_LE(negative.low(), -3);
  EXPECT_GE(negative.high(), 5);
  const Scale nothing = value_scale(0, 0, "", kArea);
  EXPECT_LT(nothing.low(), nothing.high());
}

TEST(SpreadApart, LeavesWhatIsFarApartAlone) {
  EXPECT_THAT(spread_apart({80, 20, 50}, 15, 0, 100), ElementsAre(80, 20, 50));
  EXPECT_THAT(spread_apart({}, 15, 0, 100), ElementsAre());
}

TEST(SpreadApart, MovesNeighboursAboutTheirMean) {
  EXPECT_THAT(spread_apart({50, 52}, 10, 0, 100),
              Pointwise(DoubleNear(1e-9), std::vector<double>{46, 56}));
  EXPECT_THAT(spread_apart({50, 50, 50}, 10, 0, 100),
              Pointwise(DoubleNear(1e-9), std::vector<double>{40, 50, 60}));
}

TEST(SpreadApart, StaysWithinItsBoundsWhileThereIsRoom) {
  EXPECT_THAT(spread_apart({99, 100}, 10, 0, 100),
              Pointwise(DoubleNear(1e-9), std::vector<double>{90, 100}));
  EXPECT_THAT(spread_apart({0, 1, 2}, 10, 0, 100),
              Pointwise(DoubleNear(1e-9), std::vector<double>{0, 10, 20}));
}

TEST(SpreadApart, KeepsTheDistanceOfAllWhateverTheyWant) {
  for (unsigned seed = 1; seed < 200; ++seed) {
    std::vector<double> wanted;
    for (unsigned i = 0, value = seed; i < 6; ++i) {
      value = value * 1664525u + 1013904223u;
      wanted.push_back(value % 101);
    }
    std::vector<double> found = spread_apart(wanted, 15, 0, 100);
    std::ranges::sort(found);
    for (std::size_t i = 1; i < found.size(); ++i) {
      ASSERT_GE(found[i] - found[i - 1], 15 - 1e-9) << seed;
    }
    ASSERT_GE(found.front(), -1e-9) << seed;
    ASSERT_LE(found.back(), 100 + 1e-9) << seed;
  }
}

}  // namespace
}  // namespace kinjo
