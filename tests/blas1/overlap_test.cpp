#include "blas1/overlap.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace kinjo::detail {
namespace {

/// Whether any two elements are the same, by looking at all pairs.
bool share_an_element(const Progression& x, const Progression& y) {
  for (std::size_t i = 0; i < x.count; ++i) {
    for (std::size_t j = 0; j < y.count; ++j) {
      const auto at_x = x.address + i * static_cast<std::uintptr_t>(x.step);
      const auto at_y = y.address + j * static_cast<std::uintptr_t>(y.step);
      if (at_x == at_y) return true;
    }
  }
  return false;
}

TEST(Overlap, IsWhatLookingAtAllPairsFinds) {
  for (std::ptrdiff_t a = -5; a <= 5; ++a) {
    for (std::ptrdiff_t b = -5; b <= 5; ++b) {
      for (std::uintptr_t distance = 0; distance < 40; ++distance) {
        for (std::size_t count : {1, 2, 5, 7}) {
          const Progression x{8000, a * 8, 5};
          const Progression y{8000 - 160 + 8 * distance, b * 8, count};
          ASSERT_EQ(overlap(x, y, 8), share_an_element(x, y))
              << a << ' ' << b << ' ' << distance << ' ' << count;
        }
      }
    }
  }
}

TEST(Overlap, IsNoneWhereThereAreNoElements) {
  EXPECT_FALSE(overlap({8000, 8, 0}, {8000, 8, 5}, 8));
  EXPECT_FALSE(overlap({8000, 8, 5}, {8000, 8, 0}, 8));
}

TEST(Overlap, OfARowAndAColumnIsTheirCrossing) {
  // A matrix of 100 rows and 10 columns of doubles from address 0x10000 on, stored by rows.
  const Progression row{0x10000 + 8 * 30, 8, 10};          // row 3
  const Progression upper_column{0x10000 + 8 * 4, 80, 3};  // rows 0 to 2
  const Progression column{0x10000 + 8 * 4, 80, 4};        // rows 0 to 3
  EXPECT_FALSE(overlap(row, upper_column, 8));
  EXPECT_TRUE(overlap(row, column, 8));
}

TEST(Overlap, OfElementsThatAreNotAlignedIsThatOfTheirMemory) {
  EXPECT_TRUE(overlap({8000, 16, 5}, {8012, 16, 5}, 8));
  EXPECT_FALSE(overlap({8000, 8, 2}, {8017, 8, 2}, 8));
}

TEST(Overlap, IsExactForHugeStrides) {
  const std::ptrdiff_t huge = std::ptrdiff_t{1} << 40;
  EXPECT_TRUE(overlap({1 << 20, huge, 1000},
                      {(1 << 20) + 999 * static_cast<std::uintptr_t>(huge), -huge, 3}, 8));
  EXPECT_FALSE(overlap({1 << 20, huge, 1000}, {(1 << 20) + 8, huge, 1000}, 8));
}

}  // namespace
}  // namespace kinjo::detail
