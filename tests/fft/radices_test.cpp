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
    for (const auto& groups : {radix_groups(n, kMost), wide_radix_groups(n, kMost)}) {
      EXPECT_EQ(product_of_all(groups), n);
      for (const Radices& group : groups) EXPECT_LE(product(group), kMost) << "n = " << n;
    }
  }
}

TEST(FftRadices, AreEightsAndALastFourWhereTheyAreWide) {
  const struct {
    std::size_t n;
    std::vector<Radices> groups;
  } cases[] = {
      {16, {{4, 4}}},     {32, {{8, 4}}},          {64, {{4, 4, 4}}},        {128, {{8, 4, 4}}},
      {256, {{8, 8, 4}}}, {20, {{5, 4}}},          {60, {{5, 3, 4}}},        {21, {{7, 3}}},
      {18, {{3, 3, 2}}},  {512, {{4, 4}, {8, 4}}}, {1024, {{8, 4}, {8, 4}}}, {125, {{5, 5, 5}}},
  };
  for (const auto& c : cases) EXPECT_EQ(wide_radix_groups(c.n, 256), c.groups) << "n = " << c.n;
}

}  // namespace
}  // namespace kinjo::fft::detail
