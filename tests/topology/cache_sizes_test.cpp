#include <kinjo/cache_sizes.hpp>

#include <gtest/gtest.h>

namespace kinjo {
namespace {

TEST(CacheSizes, AreTheSmallestOfEachLevel) {
  const auto machine = Topology::from(
      "synthetic:pack:1 l3:1(size=8388608) l2:2(size=1048576) "
      "l1d:1(size=49152) core:1 pu:1");
  const CacheSizes sizes = cache_sizes(machine);
  EXPECT_EQ(sizes.l1, std::size_t{48} << 10);
  EXPECT_EQ(sizes.l2, std::size_t{1} << 20);
  EXPECT_EQ(sizes.l3, std::size_t{8} << 20);
}

TEST(CacheSizes, TakeTheSecondLevelForTheLastOneWhereThereIsNoThird) {
  const auto machine =
      Topology::from("synthetic:pack:1 l2:2(size=2097152) l1d:1(size=32768) core:1 pu:1");
  EXPECT_EQ(cache_sizes(machine).l3, std::size_t{2} << 20);
}

TEST(CacheSizes, AreWhatMostMachinesHaveWhereNoneAreKnown) {
  EXPECT_EQ(cache_sizes(Topology::from("synthetic:pack:1 core:2 pu:1")), CacheSizes());
}

}  // namespace
}  // namespace kinjo
