#include "workload/blas1_size.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;
using testing::ElementsAre;

/// Two cores with 32 KiB and 1 MiB each, and 32 MiB together.
const char* const kTwoCores =
    "synthetic:numa:1 l3:1(size=33554432) l2:2(size=1048576) l1:1(size=32768) core:1 pu:1";

std::vector<std::size_t> sizes(const char* description, std::size_t threads, std::size_t bytes) {
  const Topology machine = Topology::from(description);
  return default_blas1_sizes(machine, Mapping(machine, Policy::scatter(), threads), bytes);
}

TEST(DefaultBlas1Sizes, AreOneForEachCacheAndOneForMemory) {
  EXPECT_THAT(sizes(kTwoCores, 1, 8), ElementsAre(1 << 10, 1 << 15, 1 << 19, 1 << 24));
  EXPECT_THAT(sizes(kTwoCores, 1, 4), ElementsAre(1 << 11, 1 << 16, 1 << 20, 1 << 25));
}

TEST(DefaultBlas1Sizes, GrowWithTheThreadsThatHaveCachesOfTheirOwn) {
  EXPECT_THAT(sizes(kTwoCores, 2, 8), ElementsAre(1 << 11, 1 << 16, 1 << 20, 1 << 24));
}

TEST(DefaultBlas1Sizes, LeaveOutACacheWithNoRoomAboveTheOneInside) {
  EXPECT_THAT(sizes("synthetic:numa:1 l3:1(size=4194304) l2:2(size=2097152) l1:1(size=32768) "
                    "core:1 pu:1",
                    1, 8),
              ElementsAre(1 << 10, 1 << 16, 1 << 21));
}

TEST(DefaultBlas1Sizes, AreForMemoryAloneWhereNoCacheIsKnown) {
  EXPECT_THAT(sizes("synthetic:numa:1 core:2 pu:1", 1, 8), ElementsAre(1 << 20));
}

TEST(Blas1Size, IsReadAndRefused) {
  EXPECT_EQ(parse_blas1_size("48K"), 49152u);
  EXPECT_EQ(parse_blas1_size("2^20"), 1048576u);
  EXPECT_EQ(error_of([] { parse_blas1_size("12Q"); }),
            "invalid_argument: '12Q' elements: expected a number from 1 to 2^62, such as 1000, 48K "
            "or 2^20");
}

TEST(Blas1Size, IsHalvedUntilItFits) {
  EXPECT_EQ(fitting_blas1_size(1000, 8), 1000u);
  const std::size_t fits = fitting_blas1_size(std::size_t{1} << 55, 8);
  EXPECT_LT(fits, std::size_t{1} << 50);
  EXPECT_EQ(error_of([&] { check_blas1_size(fits, 8); }), "no error");
}

}  // namespace
}  // namespace kinjo
