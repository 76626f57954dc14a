#include <kinjo/policy.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo::test {
namespace {

using testing::ElementsAre;
using enum Level;

TEST(Policy, ReadsBackItsOwnName) {
  for (const char* text : {"none", "scatter", "compact", "compact-plus", "smt,core,node", "package",
                           "core,smt,cache,node,package", "cpus:0-3,8", "cpus:8,0-1,3"}) {
    EXPECT_EQ(Policy::parse(text).name(), text);
  }
}

TEST(Policy, WithANameIsAnOrderOfLevels) {
  EXPECT_THAT(Policy::scatter().levels(), ElementsAre(smt, core, cache, node, package));
  EXPECT_THAT(Policy::compact().levels(), ElementsAre(package, node, smt, cache, core));
  EXPECT_THAT(Policy::compact_plus().levels(), ElementsAre(smt, package, node, cache, core));
  EXPECT_THAT(Policy::names(), ElementsAre("none", "scatter", "compact", "compact-plus"));
}

TEST(Policy, ThatNamesSomeLevelsHasTheOthersBehindThemInTheStandardOrder) {
  EXPECT_THAT(Policy::parse("smt,core,node").levels(),
              ElementsAre(smt, core, node, package, cache));
  EXPECT_THAT(Policy::order({cache}).levels(), ElementsAre(cache, package, node, core, smt));
}

TEST(Policy, KeepsTheOrderInWhichCpusAreNamed) {
  EXPECT_THAT(Policy::parse("cpus:8,0-2").cpu_list(), ElementsAre(8, 0, 1, 2));
  EXPECT_THAT(Policy::parse("cpus:0-6:3").cpu_list(), ElementsAre(0, 3, 6));
  EXPECT_EQ(Policy::parse("cpus:0-6:3").kind(), Policy::Kind::cpu_list);
  EXPECT_EQ(Policy::parse("cpus:2,1,0,5,6,7").name(), "cpus:2,1,0,5-7");
}

TEST(Policy, ThatIsMalformedIsRefusedWithWhatIsAccepted) {
  const std::string accepted =
      ": expected none, scatter, compact, compact-plus, an order of package, node, cache, core and "
      "smt such as smt,core,node, or a list such as cpus:0-3,8";
  const struct {
    const char* text;
    std::string message;
  } cases[] = {
      {"spread", "invalid_argument: unknown policy 'spread'" + accepted},
      {"", "invalid_argument: unknown policy ''" + accepted},
      {"Scatter", "invalid_argument: unknown policy 'Scatter'" + accepted},
      {"smt,", "invalid_argument: unknown policy 'smt,'" + accepted},
      {"smt,socket", "invalid_argument: unknown policy 'smt,socket'" + accepted},
      {"smt,core,smt",
       "invalid_argument: a level is named twice in the policy 'smt,core,smt'" + accepted},
      {"cpus:", "invalid_argument: the policy's list of CPUs is empty: expected cpus:0-3,8"},
      {"cpus:0,1,0",
       "invalid_argument: CPU 0 is named twice in the policy's list: expected each CPU once"},
      {"cpus:0-3,2",
       "invalid_argument: CPU 2 is named twice in the policy's list: expected each CPU once"},
      {"cpus:0,,3",
       "bad_input: malformed CPU list '0,,3': expected a number on both sides of a comma"},
      {"cpus:0,", "bad_input: malformed CPU list '0,': expected a number on both sides of a comma"},
      {"cpus:3-1",
       "bad_input: malformed CPU list '3-1' at '3-1': expected numbers and ranges up to 1048575, "
       "e.g. 0-3,8 or 0-14:2"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(error_of([&] { Policy::parse(c.text); }), c.message) << c.text;
  }
}

TEST(Policy, MadeFromValuesIsCheckedAsOneThatIsRead) {
  EXPECT_EQ(error_of([] {
              Policy::cpus({3, -1});
            }),
            "invalid_argument: CPU -1 is no number for the policy's list: expected each CPU once");
  EXPECT_THAT(error_of([] { Policy::order({}); }),
              testing::StartsWith("invalid_argument: no level in the policy ''"));
  EXPECT_THAT(error_of([] {
                Policy::order({node, node});
              }),
              testing::StartsWith("invalid_argument: a level is named twice in the policy"));
}

}  // namespace
}  // namespace kinjo::test
