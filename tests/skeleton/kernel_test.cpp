#include "skeleton/kernel.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <kinjo/simd.hpp>

#include "simd/level.hpp"

namespace kinjo::detail {
namespace {

TEST(SkeletonOfAKernel, IsThePlainLoopOnEveryLevelAtEverySizeAndMisalignment) {
  for (const SimdLevel level : simd_levels()) {
    const ForcedLevel forced(level);
    for (std::size_t n = 0; n < 40; ++n) {
      for (std::size_t offset = 0; offset < 8; ++offset) {
        std::vector<double> x(50), y(50), z(50, -1), expected(50, -1);
        for (std::size_t i = 0; i < 50; ++i) {
          x[i] = 1.0 / static_cast<double>(i + 1);
          y[i] = static_cast<double>(i);
          if (i >= offset && i < offset + n) expected[i] = 0.5 * (x[i] + y[i]);
        }
        mean_of(x.data() + offset, y.data() + offset, z.data() + offset, n);
        EXPECT_EQ(z, expected) << to_string(level) << ", " << n << " elements from " << offset;
      }
    }
  }
}

}  // namespace
}  // namespace kinjo::detail
