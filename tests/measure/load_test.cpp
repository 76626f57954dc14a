/// What others had of the CPUs, word for word, from texts as the kernel writes them.
#include "measure/load.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

//                               user nice sys idle wait irq soft steal guest guest_nice
constexpr const char* kStat =
    "cpu  111 222 333 444 55 66 77 88 0 0\n"
    "cpu0 100 20 30 400 5 6 7 8 50 0\n"
    "cpu1 10 2 3 4000 50 60 70 80 0 0\n"
    "cpu12 1 1 1 1 1 1 1 1 0 0\n"
    "intr 12345 0 9\nctxt 5\n";

TEST(CpuTimes, AddUpTheCpusThatAreAskedFor) {
  const auto one = parse_cpu_time(kStat, {0});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->busy, 100u + 20 + 30 + 6 + 7) << "guests are in the user's time already";
  EXPECT_EQ(one->steal, 8u);
  EXPECT_EQ(one->total, 163u + 8 + 400 + 5);
  const auto two = parse_cpu_time(kStat, {1, 12});
  ASSERT_TRUE(two);
  EXPECT_EQ(two->busy, 145u + 5);
  EXPECT_EQ(two->steal, 81u);
}

TEST(CpuTimes, AreNotKnownWhereALineIsMissingOrDamaged) {
  EXPECT_FALSE(parse_cpu_time(kStat, {2}));
  EXPECT_FALSE(parse_cpu_time("", {0}));
  EXPECT_FALSE(parse_cpu_time("cpu0 1 2 3 4 5 6 7\n", {0})) << "without steal";
  EXPECT_FALSE(parse_cpu_time("cpu0 1 2 x 4 5 6 7 8\n", {0}));
  EXPECT_FALSE(parse_cpu_time("cpu0 1 2 -3 4 5 6 7 8\n", {0}));
  EXPECT_FALSE(parse_cpu_time("cpu0 1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 8\n", {0})) << "twice";
  EXPECT_FALSE(parse_cpu_time("cpu1 1 2 3 4 5 6 7 8\ncpu1 1 2 3 4 5 6 7 8\n", {0, 1}))
      << "one twice, the other missing";
  EXPECT_FALSE(parse_cpu_time("cpu-0 1 2 3 4 5 6 7 8\n", {0})) << "no number of a CPU";
}

/// Looks two seconds apart at 100 ticks a second on two CPUs: 400 ticks.
LoadLook look(std::uint64_t busy, std::uint64_t steal, std::uint64_t total, double own = 0) {
  return {.time = CpuTime{.busy = busy, .steal = steal, .total = total}, .own_seconds = own};
}

TEST(Load, OfOthersIsWhatIsBusyBesideThisProcess) {
  EXPECT_THAT(judge_load(look(1000, 0, 5000, 1.0), look(1300, 0, 5400, 3.0), 2, 100,
                         "during the measurement"),
              ElementsAre("other programs used 25 % of the allowed CPUs' time during the "
                          "measurement"));
}

TEST(Load, OfThisProcessAloneIsNoReasonToDoubt) {
  EXPECT_THAT(judge_load(look(1000, 0, 5000, 1.0), look(1400, 0, 5400, 5.0), 2, 100, "before"),
              IsEmpty());
}

TEST(Load, UpToAShareOfFivePerCentIsLetPass) {
  EXPECT_THAT(judge_load(look(0, 0, 0), look(20, 20, 400), 2, 100, "before"), IsEmpty());
  EXPECT_THAT(judge_load(look(0, 0, 0), look(21, 0, 400), 2, 100, "before it"),
              ElementsAre("other programs used 5 % of the allowed CPUs' time before it"));
}

TEST(Load, BelowTheTicksOfTheCpusIsLetPass) {
  EXPECT_THAT(judge_load(look(0, 0, 0), look(2, 2, 8), 2, 100, "before"), IsEmpty());
  EXPECT_EQ(judge_load(look(0, 0, 0), look(3, 3, 8), 2, 100, "before").size(), 2u);
}

TEST(Load, OfTheHypervisorIsNamedApart) {
  EXPECT_THAT(judge_load(look(0, 100, 0), look(0, 160, 400), 2, 100, "before the measurement"),
              ElementsAre("the hypervisor took 15 % of the allowed CPUs' time for others before "
                          "the measurement"));
}

TEST(Load, ThatTheKernelDoesNotTellIsNotGuessed) {
  EXPECT_THAT(judge_load({}, look(400, 0, 400), 2, 100, "before"), IsEmpty());
  EXPECT_THAT(judge_load(look(0, 0, 0), {}, 2, 100, "before"), IsEmpty());
}

TEST(Load, IsReadOfTheAllowedCpus) {
  const test::Scratch root;
  root.write("proc/stat", kStat);
  const LoadLook seen = read_load(root.path(), {0});
  ASSERT_TRUE(seen.time);
  EXPECT_EQ(seen.time->steal, 8u);
  EXPECT_GT(seen.own_seconds, 0);
  EXPECT_FALSE(read_load(root.path("nowhere"), {0}).time);
}

TEST(Load, IsOneSentenceWithoutFiguresBesideAFigure) {
  EXPECT_EQ(load_warning(look(1000, 0, 5000, 1.0), look(1400, 0, 5400, 5.0), 2), "");
  EXPECT_EQ(load_warning(look(1000, 0, 5000), look(1300, 0, 5400), 2),
            "others used more than 5 % of the allowed CPUs' time meanwhile");
}

}  // namespace
}  // namespace kinjo
