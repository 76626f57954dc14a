#include "simd/level.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using detail::decide_level;

const std::vector<SimdLevel> kHaswell = {SimdLevel::scalar, SimdLevel::sse2, SimdLevel::avx2};

TEST(SimdLevels, BeginWithScalarAndRise) {
  const auto levels = simd_levels();
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.front(), SimdLevel::scalar);
  EXPECT_TRUE(std::ranges::is_sorted(levels));
}

TEST(SimdLevels, HoldTheBaseOfTheArchitecture) {
  const auto levels = simd_levels();
#if defined(__x86_64__) && !defined(__AVX2__)
  EXPECT_TRUE(std::ranges::count(levels, SimdLevel::sse2));
#elif defined(__aarch64__)
  EXPECT_TRUE(std::ranges::count(levels, SimdLevel::neon));
#else
  GTEST_SKIP() << "an architecture, or flags, without a base of their own";
#endif
}

TEST(SimdLevel, IsTheHighestWithoutAWish) {
  EXPECT_EQ(decide_level("", kHaswell), SimdLevel::avx2);
  EXPECT_EQ(decide_level("", {SimdLevel::scalar}), SimdLevel::scalar);
}

TEST(SimdLevel, IsTheOneThatIsWishedFor) {
  EXPECT_EQ(decide_level("scalar", kHaswell), SimdLevel::scalar);
  EXPECT_EQ(decide_level("sse2", kHaswell), SimdLevel::sse2);
  EXPECT_EQ(decide_level("avx2", kHaswell), SimdLevel::avx2);
}

TEST(SimdLevel, IsRefusedIfTheCpuLacksIt) {
  EXPECT_EQ(test::error_of([] { decide_level("avx512", kHaswell); }),
            "not_supported: KINJO_SIMD: this CPU has no avx512: it has scalar, sse2, avx2");
  EXPECT_EQ(test::error_of([] { decide_level("neon", {SimdLevel::scalar}); }),
            "not_supported: KINJO_SIMD: this CPU has no neon: it has scalar");
}

TEST(SimdLevel, IsRefusedIfNobodyKnowsIt) {
  EXPECT_EQ(
      test::error_of([] { decide_level("AVX2", kHaswell); }),
      "bad_input: KINJO_SIMD: unknown level 'AVX2': expected one of scalar, sse2, avx2, avx512, "
      "neon");
  EXPECT_EQ(
      test::error_of([] { decide_level("a\nb", kHaswell); }),
      "bad_input: KINJO_SIMD: unknown level 'a?b': expected one of scalar, sse2, avx2, avx512, "
      "neon");
}

TEST(SimdLevel, IsForcedForAsLongAsAsked) {
  const SimdLevel before = simd_level();
  for (SimdLevel level : simd_levels()) {
    const detail::ForcedLevel forced(level);
    EXPECT_EQ(simd_level(), level);
  }
  EXPECT_EQ(simd_level(), before);
}

}  // namespace
}  // namespace kinjo
