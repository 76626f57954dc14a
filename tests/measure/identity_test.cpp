#include "measure/identity.hpp"

#include <cstdlib>
#include <ctime>

#include <gtest/gtest.h>

namespace kinjo {
namespace {

/// The local time zone, until the scope ends.
class TimeZone {
 public:
  explicit TimeZone(const char* zone) {
    setenv("TZ", zone, 1);
    tzset();
  }
  ~TimeZone() {
    unsetenv("TZ");
    tzset();
  }
};

TEST(IsoTime, HasTheLocalOffset) {
  const auto moment = std::chrono::system_clock::from_time_t(1'700'000'000);
  const struct {
    const char* zone;
    const char* text;
  } cases[] = {{"UTC", "2023-11-14T22:13:20+00:00"},
               {"JST-9", "2023-11-15T07:13:20+09:00"},
               {"NST3:30", "2023-11-14T18:43:20-03:30"}};
  for (const auto& c : cases) {
    const TimeZone zone(c.zone);
    EXPECT_EQ(iso_time(moment), c.text);
  }
}

TEST(BlankProfile, KnowsItsMachineAndHoldsNoFigures) {
  const Topology& machine = Topology::this_machine();
  const MachineProfile profile = blank_profile(machine);
  EXPECT_EQ(profile.machine, host_name());
  EXPECT_NE(profile.machine, "");
  EXPECT_EQ(profile.cpus, machine.cpus().size());
  EXPECT_FALSE(profile.clock || profile.nodes || !profile.caches.empty());
}

TEST(Difference, NamesTheFirstThingThatDiffers) {
  const MachineProfile here{.machine = "a", .model = "m", .cpus = 4};
  EXPECT_EQ(difference(here, here), "");
  EXPECT_EQ(difference({.machine = "b", .model = "n", .cpus = 8}, here), "host 'b', not 'a'");
  EXPECT_EQ(difference({.machine = "a", .model = "n", .cpus = 8}, here), "model 'n', not 'm'");
  EXPECT_EQ(difference({.machine = "a", .model = "m", .cpus = 8}, here), "8 CPUs, not 4");
}

TEST(Shortfall, NamesTheCpusWhereAProfileWasMeasuredOnFewer) {
  const auto lack = [](std::optional<CpuSet> measured, const CpuSet& here) {
    return shortfall({.allowed_cpus = std::move(measured)}, {.allowed_cpus = here});
  };
  EXPECT_EQ(lack(CpuSet{0, 1}, {0, 1}), "");
  EXPECT_EQ(lack(CpuSet{0, 1, 2}, {1}), "") << "a part of the machine has the machine's profile";
  EXPECT_EQ(lack(std::nullopt, {0, 1}), "");
  EXPECT_EQ(lack(CpuSet{1}, {0, 1}), "measured on CPUs 1, and this process may use 0-1");
}

}  // namespace
}  // namespace kinjo
