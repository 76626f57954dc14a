#include "fft/radices.hpp"

#include <gtest/gtest.h>

namespace kinjo::fft::detail {
namespace {

std::size_t product_of_all(const std::vector<Radices>& groups) {
  std::size_t all = 1;
  for (const Radices& group : groups) all *= product(group);
  return all;
}

TEST(FftRadices, MakeTheLengthInGroupsThatAreNotTooLarge) {
  constexpr std::size_t kMost = 256;
  for (const std::size_t n : {2u, 16u, 21u, 60u, 125u, 256u, 512u, 1000u, 2048u, 16384u, 19683u}) {
    for (const auto& groups :
         {radix_groups(n, kMost, 4), radix_groups(n, kMost, 8), wide_radix_groups(n, kMost, 4, 4),
          wide_radix_groups(n, kMost, 4, 8), wide_radix_groups(n, kMost, 8, 16)}) {
      EXPECT_EQ(product_of_all(groups), n);
      for (const Radices& group : groups) EXPECT_LE(product(group), kMost) << "n = " << n;
    }
  }
}

TEST(FftRadices, AreEightsAloneWhereThoseAreUsualAndPossible) {
  using Groups = std::vector<Radices>;
  EXPECT_EQ(radix_groups(64, 96, 4), (Groups{{4, 4, 4}}));
  EXPECT_EQ(radix_groups(64, 96, 8), (Groups{{8, 8}}));
  EXPECT_EQ(radix_groups(4096, 96, 8), (Groups{{8, 8}, {8, 8}}));
  EXPECT_EQ(radix_groups(1024, 96, 8), (Groups{{8, 4}, {4, 8}}));
  EXPECT_EQ(radix_groups(1024, 96, 4), (Groups{{4, 8}, {8, 4}}));
}

TEST(FftRadices, AreEightsOrSixteensAndALastFourOrEightWhereTheyAreWide) {
  const struct {
    std::size_t n, last;
    std::vector<Radices> groups;
  } cases[] = {
      {16, 4, {{4, 4}}},
      {16, 8, {{2, 8}}},
      {32, 4, {{8, 4}}},
      {64, 4, {{4, 4, 4}}},
      {64, 8, {{8, 8}}},
      {128, 4, {{8, 4, 4}}},
      {128, 8, {{16, 8}}},
      {256, 4, {{8, 8, 4}}},
      {20, 4, {{5, 4}}},
      {20, 8, {{5, 4}}},
      {60, 4, {{5, 3, 4}}},
      {21, 4, {{7, 3}}},
      {18, 4, {{3, 3, 2}}},
      // The first group is as large as it may be.
      {512, 4, {{8, 4, 4}, {4}}},
      {512, 8, {{8, 8}, {8}}},
      {1024, 4, {{8, 8, 4}, {4}}},
      {2048, 8, {{16, 16}, {8}}},
      {4096, 8, {{8, 8}, {8, 8}}},
      {8192, 8, {{16, 8}, {8, 8}}},
      {16384, 8, {{16, 16}, {8, 8}}},
      // Radices 16, 8, 8 and 8 would need a third group.
      {65536, 8, {{16, 16}, {8, 4, 8}}},
      {125, 4, {{5, 5, 5}}},
      {3125, 4, {{5, 5, 5}, {5, 5}}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(wide_radix_groups(c.n, 256, c.last, 16), c.groups)
        << "n = " << c.n << ", last radix " << c.last;
  }
}

TEST(FftRadices, AreFoursAndOneEightWhereNoneIsLarger) {
  using Groups = std::vector<Radices>;
  EXPECT_EQ(wide_radix_groups(8, 256, 4, 4), (Groups{{2, 4}}));
  EXPECT_EQ(wide_radix_groups(32, 256, 4, 4), (Groups{{8, 4}}));
  EXPECT_EQ(wide_radix_groups(128, 256, 4, 4), (Groups{{8, 4, 4}}));
  EXPECT_EQ(wide_radix_groups(256, 256, 4, 4), (Groups{{4, 4, 4, 4}}));
  EXPECT_EQ(wide_radix_groups(96, 256, 4, 4), (Groups{{3, 8, 4}}));
  EXPECT_EQ(wide_radix_groups(2048, 256, 4, 4), (Groups{{8, 4, 4}, {4, 4}}));
}

}  // namespace
}  // namespace kinjo::fft::detail
