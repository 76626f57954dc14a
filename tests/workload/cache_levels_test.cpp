#include "workload/cache_levels.hpp"

#include <gtest/gtest.h>

namespace kinjo {
namespace {

/// Two cores with 32 KiB and 1 MiB each, and 32 MiB together.
const char* const kTwoCores =
    "synthetic:numa:1 l3:1(size=33554432) l2:2(size=1048576) l1:1(size=32768) core:1 pu:1";

TEST(LevelOf, IsTheInnermostCacheThatHoldsAThreadsPart) {
  const Topology machine = Topology::from(kTwoCores);
  const struct {
    std::size_t threads, bytes;
    const char* level;
  } cases[] = {
      {1, 1, "L1"},
      {1, 32 << 10, "L1"},
      {1, (32 << 10) + 1, "L2"},
      {2, 64 << 10, "L1"},
      {2, (64 << 10) + 8, "L2"},
      {1, 1 << 20, "L2"},
      {1, (1 << 20) + 1, "L3"},
      {1, 32 << 20, "L3"},
      {2, 32 << 20, "L3"},
      {2, (32 << 20) + 8, "memory"},
  };
  for (const auto& c : cases) {
    const Mapping mapping(machine, Policy::scatter(), c.threads);
    EXPECT_EQ(level_of(machine, mapping, c.bytes), c.level) << c.threads << ' ' << c.bytes;
    const Mapping unplaced(machine, Policy::none(), c.threads);
    EXPECT_EQ(level_of(machine, unplaced, c.bytes), c.level) << c.threads << ' ' << c.bytes;
  }
}

}  // namespace
}  // namespace kinjo
