#include "launch/environment.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kinjo::detail {
namespace {

using testing::ElementsAre;
using testing::Pair;

Mapping map(const char* policy, std::size_t threads) {
  static const Topology machine = Topology::from("synthetic:pack:2 numa:1 core:2 pu:2");
  return {machine, Policy::parse(policy), threads, Oversubscribe::wrap};
}

TEST(Environment, GivesEachThreadItsPlaceInOrder) {
  EXPECT_EQ(places_text(map("scatter", 4), BindLevel::cpu), "0;4;2;6");
  EXPECT_EQ(places_text(map("compact", 3), BindLevel::core), "0-1;2-3;0-1");
  EXPECT_EQ(places_text(map("scatter", 2), BindLevel::node), "0-3;4-7");
}

TEST(Environment, RepeatsPlacesWhereThereAreMoreThreadsThanCpus) {
  EXPECT_EQ(places_text(map("cpus:5,1", 3), BindLevel::cpu), "5;1;5");
}

TEST(Environment, GathersTheCpusOfAllPlaces) {
  EXPECT_EQ(all_place_cpus(map("scatter", 3), BindLevel::cpu), (CpuSet{0, 2, 4}));
  EXPECT_EQ(all_place_cpus(map("compact", 1), BindLevel::node), (CpuSet{0, 1, 2, 3}));
}

TEST(Environment, TellsOpenMpOnePlaceForEachThread) {
  EXPECT_THAT(openmp_variables(map("scatter", 3), BindLevel::core),
              ElementsAre(Pair("OMP_NUM_THREADS", "3"), Pair("OMP_PLACES", "{0,1},{4,5},{2,3}"),
                          Pair("OMP_PROC_BIND", "close")));
}

TEST(Environment, TellsOpenMpTheThreadsAloneWithoutAPolicy) {
  EXPECT_THAT(openmp_variables(map("none", 3), BindLevel::cpu),
              ElementsAre(Pair("OMP_NUM_THREADS", "3")));
}

/// As execve gets it, without what this test did not set.
std::vector<std::string> entries(const Environment& environment, const std::string& prefix) {
  std::vector<std::string> found;
  const auto pointers = environment.pointers();
  EXPECT_EQ(pointers.back(), nullptr);
  for (std::size_t i = 0; i + 1 < pointers.size(); ++i) {
    if (std::string(pointers[i]).starts_with(prefix)) found.push_back(pointers[i]);
  }
  return found;
}

TEST(Environment, IsACopyThatChangesNothingOfThisProcess) {
  Environment environment = Environment::inherited();
  environment.set("PATH", "/nowhere");
  EXPECT_STREQ(environment.find("PATH"), "/nowhere");
  EXPECT_STRNE(std::getenv("PATH"), "/nowhere");
}

TEST(Environment, HoldsOneValueForEachName) {
  Environment environment;
  environment.set({{"KJ_A", "1"}, {"KJ_AB", "2"}, {"KJ_A", "3=4"}});
  EXPECT_THAT(entries(environment, "KJ_"), ElementsAre("KJ_A=3=4", "KJ_AB=2"));
  environment.unset("KJ_A");
  EXPECT_EQ(environment.find("KJ_A"), nullptr);
  EXPECT_THAT(entries(environment, "KJ_"), ElementsAre("KJ_AB=2"));
}

}  // namespace
}  // namespace kinjo::detail
