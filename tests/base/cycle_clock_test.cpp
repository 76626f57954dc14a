/// The counter moves forward, at a rate that can be that of a clock.
#include "base/cycle_clock.hpp"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo::detail {
namespace {

TEST(CycleClock, NamesOneOfTheCountersThatItKnows) {
  EXPECT_THAT(counter_name(), testing::AnyOf(testing::StrEq("tsc"), testing::StrEq("cntvct"),
                                             testing::StrEq("clock_gettime")));
}

TEST(CycleClock, NeverStepsBackInAThread) {
  std::uint64_t last = read_counter();
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t now = read_counter();
    ASSERT_GE(static_cast<std::int64_t>(now - last), 0);
    last = now;
  }
}

TEST(CycleClock, MovesOn) {
  const std::uint64_t start = read_counter();
  while (read_counter() == start) {
  }
  EXPECT_GT(read_counter(), start);
}

#if defined(__x86_64__)
TEST(CycleClock, AgreesWithTheKernelAboutInvariance) {
  // The kernel names a counter nonstop_tsc where CPUID promises it; it may drop the name, not add
  // it.
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("flags")) continue;
    if (line.find(" nonstop_tsc") != line.npos) {
      EXPECT_TRUE(counter_is_invariant());
    }
    return;
  }
  GTEST_SKIP() << "/proc/cpuinfo has no flags";
}

TEST(CycleClock, HasNoStatedFrequencyOnX86) { EXPECT_FALSE(stated_counter_hz()); }
#endif

}  // namespace
}  // namespace kinjo::detail
