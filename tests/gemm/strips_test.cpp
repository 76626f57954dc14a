#include "gemm/strips.hpp"

#include <gtest/gtest.h>

namespace kinjo::detail {
namespace {

constexpr Strips kKinds[] = {{12, 4}, {24, 8}, {48, 16}, {4, 1}, {8, 1}, {4, 2}};

TEST(Strips, BeginWhereTheOneBeforeEnds) {
  for (const Strips& s : kKinds) {
    for (std::size_t size = 1; size < 200; ++size) {
      std::size_t at = 0;
      for (std::size_t i = 0; i < s.count(size); ++i) {
        ASSERT_EQ(s.begin(i, size), at);
        const std::size_t width = s.width(size - at);
        ASSERT_GT(width, 0u);
        ASSERT_LE(width, s.whole);
        at += width;
      }
      ASSERT_EQ(at, size);
      ASSERT_EQ(s.begin(s.count(size), size), size);
    }
  }
}

TEST(Strips, OnlyTheLastIsNoMultipleOfTheUnit) {
  for (const Strips& s : kKinds) {
    for (std::size_t size = 1; size < 200; ++size) {
      for (std::size_t i = 0; i < s.count(size); ++i)
        ASSERT_EQ(s.begin(i, size) == size ? 0u : s.begin(i, size) % s.unit, 0u);
    }
  }
}

TEST(Strips, WholeOnesAreThoseBeforeTheFirstNarrowOne) {
  for (const Strips& s : kKinds) {
    for (std::size_t size = 1; size < 200; ++size) {
      std::size_t whole = 0, left = size;
      for (; left > 0 && s.width(left) == s.whole; left -= s.whole) ++whole;
      ASSERT_EQ(s.whole_ones(size), whole) << size;
    }
  }
}

TEST(Strips, AlikeAreAllThatFollowOfTheSameWidth) {
  for (const Strips& s : kKinds) {
    for (std::size_t size = 1; size < 200; ++size) {
      const std::size_t width = s.width(size);
      std::size_t alike = 0;
      for (std::size_t left = size; left > 0 && s.width(left) == width; left -= width) ++alike;
      ASSERT_EQ(s.alike(size), alike) << size;
    }
  }
}

TEST(Strips, TheLastTwoAreHalvedInsteadOfOneNearlyEmpty) {
  EXPECT_EQ(Strips({12, 4}).begin(1, 16), 8u);
  EXPECT_EQ(Strips({8, 1}).begin(2, 17), 13u);
}

}  // namespace
}  // namespace kinjo::detail
