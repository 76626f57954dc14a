#include "fft/cutting.hpp"

#include <gtest/gtest.h>

#include "simd/level.hpp"
#include "support/error_of.hpp"

namespace kinjo::fft::detail {
namespace {

constexpr std::size_t kKiB = std::size_t{1} << 10, kMiB = std::size_t{1} << 20;

/// Whether one thread transforms a line of n doubles directly with such caches.
bool is_direct(std::size_t n, std::size_t l2, std::size_t l3) {
  Conditions conditions = conditions_here(2 * sizeof(double), 1, 1);
  conditions.l2 = l2;
  conditions.l3 = l3;
  return choose_cut(n, conditions).in_cache == fft::InCache::direct;
}

TEST(FftCuts, AreDirectUpToFourSecondCachesOrAnEighthOfTheLastOne) {
  EXPECT_TRUE(is_direct(std::size_t{1} << 17, 512 * kKiB, 0));
  EXPECT_FALSE(is_direct(std::size_t{1} << 18, 512 * kKiB, 16 * kMiB));
  EXPECT_TRUE(is_direct(std::size_t{1} << 18, 512 * kKiB, 32 * kMiB));
  EXPECT_TRUE(is_direct(std::size_t{1} << 18, 1 * kMiB, 32 * kMiB));
}

TEST(FftCuts, AreNotDirectBeyondFourMebibytesForTheLastCacheAlone) {
  EXPECT_FALSE(is_direct(std::size_t{1} << 19, 512 * kKiB, 256 * kMiB));
}

TEST(FftCuts, AreDirectUpToOneAndAHalfLargeSecondCachesWhateverTheLastOneIs) {
  EXPECT_TRUE(is_direct(3 * (std::size_t{1} << 16), 2 * kMiB, 16 * kMiB));
  EXPECT_FALSE(is_direct(std::size_t{1} << 18, 2 * kMiB, 256 * kMiB));
}

TEST(FftCuts, AreDirectForVeryShortLinesUnlessThereAreEnoughOfThemForVectors) {
  const auto is_direct = [](std::size_t n, std::size_t lanes) {
    return choose_cut(n, conditions_here(2 * sizeof(double), 1, lanes)).in_cache ==
           fft::InCache::direct;
  };
  EXPECT_TRUE(is_direct(30, 1));
  EXPECT_TRUE(is_direct(30, 7));
  EXPECT_FALSE(is_direct(30, 8));
  EXPECT_TRUE(is_direct(60, 8));
  EXPECT_TRUE(is_direct(250, 1000));
  EXPECT_FALSE(is_direct(67, 1));
}

TEST(FftCuts, AreDirectForManyVeryShortLinesThatAreDoneInOne) {
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    SCOPED_TRACE(to_string(level));
    const bool has_32_bytes = level == SimdLevel::avx2 || level == SimdLevel::avx512;
    const auto is_direct = [](std::size_t n, std::size_t bytes) {
      return choose_cut(n, conditions_here(bytes, 1, 1000)).in_cache == fft::InCache::direct;
    };
    EXPECT_EQ(is_direct(32, 2 * sizeof(double)), has_32_bytes);
    EXPECT_EQ(is_direct(40, 2 * sizeof(double)), has_32_bytes);
    EXPECT_FALSE(is_direct(42, 2 * sizeof(double)));
    EXPECT_EQ(is_direct(32, 2 * sizeof(float)), !has_32_bytes && level != SimdLevel::scalar);
  }
}

/// A line of an axis, among others side by side.
Conditions beside_others(std::size_t l2, std::size_t threads) {
  return {16, threads, 2048, 2048, 48 * kKiB, l2, 300 * kMiB};
}

TEST(FftCuts, PassByALastCacheThatIsFarWhereLinesAreManyTimesWhatLargeSecondCachesHold) {
  const auto residence = [](std::size_t n, std::size_t length, std::size_t l2,
                            std::size_t threads) {
    return residence_of_lines(n, length, beside_others(l2, threads));
  };
  constexpr std::size_t kNumbers = std::size_t{1} << 22;
  EXPECT_EQ(residence(kNumbers, 2048, 2 * kMiB, 1), Residence::memory);
  EXPECT_EQ(residence(kNumbers / 2, 2048, 2 * kMiB, 1), Residence::cache);
  EXPECT_EQ(residence(kNumbers, 128, 2 * kMiB, 1), Residence::cache);
  EXPECT_EQ(residence(kNumbers, 2048, 2 * kMiB, 64), Residence::cache);
  EXPECT_EQ(residence(kNumbers, 2048, 1 * kMiB, 1), Residence::cache);
}

TEST(FftCuts, PassByTheCachesBetweenSweepsBeyondSecondCachesUnlessThreadsShareANearLastOne) {
  const auto residence = [](std::size_t n, std::size_t l2, bool together) {
    Conditions conditions{16, 2, 1, 1, 32 * kKiB, l2, 32 * kMiB};
    conditions.together = together;
    return residence_of_sweeps(n, conditions);
  };
  constexpr std::size_t kMost = std::size_t{1} << 18;  // numbers of 4 MiB
  EXPECT_EQ(residence(kMost / 2 - 1, kMiB, false), Residence::cache);
  EXPECT_EQ(residence(kMost / 2, kMiB, false), Residence::memory);
  EXPECT_EQ(residence(kMost / 2, kMiB, true), Residence::cache);
  EXPECT_EQ(residence(kMost, kMiB, true), Residence::cache);
  EXPECT_EQ(residence(kMost + 1, kMiB, true), Residence::memory);
  EXPECT_EQ(residence(kMost, 2 * kMiB, true), Residence::memory);
}

TEST(FftCuts, TakeWideRowsFromALastCacheThatIsFar) {
  EXPECT_EQ(choose_width(2048, 2048, beside_others(1 * kMiB, 1), Residence::cache), 16u);
  EXPECT_EQ(choose_width(2048, 2048, beside_others(2 * kMiB, 1), Residence::cache), 32u);
  EXPECT_EQ(choose_width(8192, 2048, beside_others(2 * kMiB, 1), Residence::cache), 16u);
  EXPECT_EQ(choose_width(2048, 2048, beside_others(2 * kMiB, 1), Residence::memory), 16u);
}

TEST(FftCuts, DoNotCountAFactorThatMakesTheLineOnlyModuloTheLargestNumber) {
  const Cut cut{{std::size_t{1} << 20, std::size_t{1} << 20, (std::size_t{1} << 24) + 1}};
  EXPECT_EQ(test::error_of([&] {
              check_cut(cut, {std::size_t{1} << 40, 1, 1}, 16);
            }),
            "invalid_argument: fft: cut '1048576x1048576x16777217': expected factors that make a "
            "line of 1099511627776");
}

TEST(FftCuts, HaveTheDivisorNearestToAWishHoweverLongTheLineIs) {
  EXPECT_EQ(nearest_divisor(360, 17), 18u);
  EXPECT_EQ(nearest_divisor(61, 7), 1u);
  EXPECT_EQ(nearest_divisor(std::size_t{1} << 59, 1e6), std::size_t{1} << 20);
  EXPECT_EQ(nearest_divisor(1, 3), 1u);
}

TEST(FftCuts, PadAnyLengthThatTheAddressSpaceHas) {
  for (const std::size_t least : {std::size_t{1}, std::size_t{1} << 33, (std::size_t{1} << 60) - 3,
                                  (std::size_t{1} << 61) - 3}) {
    const std::size_t padded = padded_length(least);
    EXPECT_GE(padded, least);
    EXPECT_LE(padded, 2 * least);
    std::size_t rest = padded;
    for (const std::size_t p : {2U, 5U, 7U}) {
      while (rest % p == 0) rest /= p;
    }
    EXPECT_EQ(rest, 1u) << padded;
  }
}

TEST(FftCuts, AreFoundForAsManyThreadsAsThereMayBe) {
  const Conditions conditions{16, std::size_t{1} << 20, 1, 1, 32 * kKiB, kMiB, 32 * kMiB};
  std::size_t product = 1;
  for (const std::size_t factor : choose_cut(1 << 20, conditions).factors) product *= factor;
  EXPECT_EQ(product, std::size_t{1} << 20);
}

}  // namespace
}  // namespace kinjo::fft::detail
