#include "tune/configurations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace kinjo {
namespace {

using test::error_of;
using testing::ElementsAre;

const char* const kTwoNodes = "synthetic:pack:2 numa:1 core:2 pu:2";

SweepSpace all_policies(std::vector<std::size_t> threads) {
  SweepSpace space;
  for (const std::string& name : Policy::names()) space.policies.push_back(Policy::parse(name));
  space.threads = [threads](std::size_t) { return threads; };
  space.own_threads = true;
  return space;
}

std::vector<std::string> names(const std::vector<Configuration>& configurations) {
  std::vector<std::string> list;
  for (const Configuration& c : configurations) {
    list.push_back(c.name());
    for (const std::string& same : c.same_as) list.back() += " = " + same;
  }
  return list;
}

TEST(Configurations, BeginWithTheDefaultAndHoldEachThatDiffersOnce) {
  EXPECT_THAT(
      names(make_configurations(Topology::from(kTwoNodes), all_policies({1, 2, 8}))),
      ElementsAre("none, its own threads", "none, 1 thread", "none, 2 threads", "none, 8 threads",
                  "scatter, 1 thread = compact = compact-plus", "scatter, 2 threads",
                  "scatter, 8 threads", "compact, 2 threads = compact-plus", "compact, 8 threads",
                  "compact-plus, 8 threads"));
}

TEST(Configurations, OnOneNodeAreOneForEachNumberOfThreads) {
  EXPECT_THAT(
      names(make_configurations(Topology::from("synthetic:core:2 pu:1"), all_policies({1, 2}))),
      ElementsAre("none, its own threads", "none, 1 thread", "none, 2 threads",
                  "scatter, 1 thread = compact = compact-plus",
                  "scatter, 2 threads = compact = compact-plus"));
}

TEST(Configurations, OfASubjectThatIsToldItsThreadsHaveNoneWithAllCpusAsTheDefault) {
  SweepSpace space = all_policies({1, 2});
  space.own_threads = false;
  EXPECT_THAT(
      names(make_configurations(Topology::from("synthetic:core:2 pu:1"), space)),
      ElementsAre("none, 2 threads", "none, 1 thread", "scatter, 1 thread = compact = compact-plus",
                  "scatter, 2 threads = compact = compact-plus"));
}

TEST(Configurations, MultiplyByMemoryPolicies) {
  SweepSpace space = all_policies({8});
  space.policies = {Policy::scatter()};
  space.memory = {"", "interleave"};
  EXPECT_THAT(names(make_configurations(Topology::from(kTwoNodes), space)),
              ElementsAre("none, its own threads", "none, 8 threads", "scatter, 8 threads",
                          "none, 8 threads, interleave", "scatter, 8 threads, interleave"));
}

TEST(Configurations, ThatHoldThreadsToTheirNodeDifferByNodesAlone) {
  SweepSpace space = all_policies({2});
  space.policies = {Policy::parse("cpus:0,2"), Policy::parse("cpus:1,3"), Policy::scatter()};
  space.bind = BindLevel::node;
  EXPECT_THAT(names(make_configurations(Topology::from(kTwoNodes), space)),
              ElementsAre("none, its own threads", "none, 2 threads",
                          "cpus:0,2, 2 threads = cpus:1,3", "scatter, 2 threads"));
}

TEST(Configurations, RefuseMoreThreadsThanCpusUnlessTheyMayShare) {
  SweepSpace space = all_policies({3});
  const Topology machine = Topology::from("synthetic:core:2 pu:1");
  EXPECT_EQ(error_of([&] { make_configurations(machine, space); }),
            "invalid_argument: 3 threads exceed the 2 CPUs that policy none may use: expected 1 to "
            "2, or ask to oversubscribe");
  space.oversubscribe = Oversubscribe::wrap;
  EXPECT_EQ(make_configurations(machine, space).size(), 3u);
}

}  // namespace
}  // namespace kinjo
