#include "fft/cutting.hpp"

#include <gtest/gtest.h>

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

TEST(FftCuts, AreDirectInALargeSecondCacheWhateverTheLastOneIs) {
  EXPECT_TRUE(is_direct(std::size_t{1} << 17, 2 * kMiB, 32 * kMiB));
  EXPECT_FALSE(is_direct(3 * (std::size_t{1} << 16), 2 * kMiB, 256 * kMiB));
}

}  // namespace
}  // namespace kinjo::fft::detail
