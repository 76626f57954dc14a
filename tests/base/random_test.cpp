#include "base/random.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace kinjo::detail {
namespace {

/// What the authors' program gives for the seed 1234567.
constexpr std::uint64_t kPublished[] = {6457827717110365317u, 3203168211198807973u,
                                        9817491932198370423u, 4593380528125082431u,
                                        16408922859458223821u};

TEST(Random, GivesThePublishedNumbersAlsoByTheirIndex) {
  Random random(1234567);
  std::uint64_t index = 0;
  for (const std::uint64_t expected : kPublished) {
    EXPECT_EQ(random.next(), expected);
    EXPECT_EQ(mix(1234567 + ++index * kMixStep), expected);
  }
}

TEST(Random, StaysWithinItsBounds) {
  Random random(1);
  double least = 1, greatest = -1;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LT(random.below(3), 3u);
    const double number = random.uniform();
    least = std::min(least, number);
    greatest = std::max(greatest, number);
  }
  EXPECT_GE(least, -1);
  EXPECT_LT(least, -0.9);
  EXPECT_LT(greatest, 1);
  EXPECT_GT(greatest, 0.9);
}

}  // namespace
}  // namespace kinjo::detail
