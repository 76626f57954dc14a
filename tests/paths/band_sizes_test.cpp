#include "paths/band_sizes.hpp"

#include <gtest/gtest.h>

#include "paths/family.hpp"
#include "paths/family_samples.hpp"

namespace kinjo::paths {
namespace {

using namespace detail;

constexpr std::size_t kMuch = 5000;

TEST(LastAlike, IsTheNearestBeforeOfTheSameClass) {
  const std::vector<std::uint32_t> classes = {0, 1, 0, 2, 1, 0};
  const std::vector<std::uint32_t> expected = {kNoRun, kNoRun, 0, kNoRun, 1, 2};
  EXPECT_EQ(last_alike(classes), expected);
  EXPECT_TRUE(last_alike({}).empty());
}

/// What is expected of each band of a grid, and what the bands before it had that decide alike.
template <class S>
void expect_as_alike(const S& specification) {
  const std::vector<BandItems> bands = bands_of(specification);
  const std::vector<std::uint32_t> alike =
      last_alike(run_classes_of(classes_of(specification), bands));
  BandSizes<S> sizes(specification, bands);
  typename BandSizes<S>::Expected expected(sizes);
  std::size_t found = 0;
  for (std::size_t band = 0; band < bands.size(); ++band) {
    const std::uint32_t before = alike[band];
    EXPECT_EQ(expected.of(band, kMuch), before == kNoRun ? kMuch : 2 * kMuch + before) << band;
    EXPECT_EQ(expected.of(band, 7), 7U) << "too few to look";
    sizes.note(band, 2 * kMuch + band);
    found += before == kNoRun ? 0 : 1;
  }
  EXPECT_GT(found, bands.size() / 2);
  // That are not done, or had few.
  BandSizes<S> others(specification, bands);
  typename BandSizes<S>::Expected of_others(others);
  const std::size_t last = bands.size() - 20;
  ASSERT_NE(alike[last], kNoRun);
  EXPECT_EQ(of_others.of(last, kMuch), kMuch);
  others.note(alike[last], 3);
  EXPECT_EQ(of_others.of(last, kMuch), kMuch);
  others.note(alike[last], 3 * kMuch);
  EXPECT_EQ(of_others.of(last, kMuch), 3 * kMuch);
}

TEST(BandSizes, AreExpectedToBeThoseOfTheBandThatDecidesAlike) {
  const Family family(test::corner_to_corner(8));
  std::visit(
      [](const auto& steps) {
        with_specification(steps,
                           [](const auto& specification) { expect_as_alike(specification); });
      },
      family.impl().steps);
}

}  // namespace
}  // namespace kinjo::paths
