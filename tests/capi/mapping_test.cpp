#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capi/owned.hpp"

namespace kinjo::test {
namespace {

std::vector<int> cpus_of(const CMapping& mapping) {
  std::vector<int> cpus;
  for (int t = 0; t < kinjo_mapping_size(mapping.get()); ++t) {
    kinjo_place place;
    EXPECT_EQ(kinjo_mapping_get_place(mapping.get(), t, &place), KINJO_OK);
    EXPECT_EQ(place.thread, t);
    cpus.push_back(place.cpu);
  }
  return cpus;
}

TEST(CMapping, DealsByPolicy) {
  EXPECT_EQ(cpus_of(map_two_nodes("scatter", 4)), (std::vector<int>{0, 8, 2, 10}));
  EXPECT_EQ(cpus_of(map_two_nodes("compact", 6)), (std::vector<int>{0, 2, 4, 6, 1, 3}));
  EXPECT_EQ(cpus_of(map_two_nodes("compact-plus", 6)), (std::vector<int>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(cpus_of(map_two_nodes("cpus:9,1", 2)), (std::vector<int>{9, 1}));
}

TEST(CMapping, CountsNodesDenselyInTheOrderOfThreads) {
  const CMapping mapping = map_two_nodes("cpus:9,1,10", 3);
  ASSERT_EQ(kinjo_mapping_node_count(mapping.get()), 2);
  int node = -2;
  EXPECT_EQ(kinjo_mapping_get_node(mapping.get(), 0, &node), KINJO_OK);
  EXPECT_EQ(node, 1);
  EXPECT_EQ(kinjo_mapping_node_threads(mapping.get(), 0), 2);
  EXPECT_EQ(kinjo_mapping_get_node(mapping.get(), 1, &node), KINJO_OK);
  EXPECT_EQ(node, 0);
  EXPECT_EQ(kinjo_mapping_get_node(mapping.get(), 2, &node), KINJO_NOT_FOUND);
  EXPECT_STREQ(kinjo_last_error(), "no node index 2: there are 2, counted from 0");
}

TEST(CMapping, CountsPolicyNoneAsOneNodeWithoutNumber) {
  const CMapping mapping = map_two_nodes("none", 3);
  int node = 7;
  EXPECT_EQ(kinjo_mapping_node_count(mapping.get()), 1);
  EXPECT_EQ(kinjo_mapping_get_node(mapping.get(), 0, &node), KINJO_OK);
  EXPECT_EQ(node, -1);
  EXPECT_EQ(kinjo_mapping_node_threads(mapping.get(), 0), 3);
}

TEST(CMapping, OutlivesItsTopology) {
  kinjo_topology* machine = kinjo_topology_from("synthetic:core:2 pu:1");
  const CMapping mapping(kinjo_mapping_create(machine, "compact", 2, 0));
  kinjo_topology_free(machine);
  EXPECT_EQ(cpus_of(mapping), (std::vector<int>{0, 1}));
}

struct BadMapping {
  const char* policy;
  int threads;
  unsigned flags;
  const char* message;
};

TEST(CMapping, RefusesWhatItCannotDeal) {
  const BadMapping cases[] = {
      {nullptr, 1, 0, "policy is NULL"},
      {"scatter", 0, 0, "0 threads: expected 1 or more"},
      {"scatter", -3, 0, "-3 threads: expected 1 or more"},
      {"scatter", 17, 0,
       "17 threads exceed the 16 CPUs that policy scatter may use: expected 1 to 16, or ask to "
       "oversubscribe"},
      {"zigzag", 1, 0,
       "unknown policy 'zigzag': expected none, scatter, compact, compact-plus, an order of "
       "package, node, cache, core and smt such as smt,core,node, or a list such as cpus:0-3,8"},
      {"cpus:99", 1, 0, "CPU 99 of policy cpus:99 does not exist: expected CPUs of 0-15"},
      {"scatter", 1, KINJO_HUGE_PAGES, "flag 0x8 has no meaning here: expected flags of 0x1"},
  };
  for (const BadMapping& c : cases) {
    EXPECT_EQ(map_two_nodes(c.policy, c.threads, c.flags), nullptr);
    EXPECT_EQ(kinjo_last_status(), KINJO_INVALID_ARGUMENT);
    EXPECT_STREQ(kinjo_last_error(), c.message);
  }
  EXPECT_EQ(kinjo_mapping_create(nullptr, "scatter", 1, 0), nullptr);
  EXPECT_STREQ(kinjo_last_error(), "topology is NULL");
}

TEST(CMapping, DealsAgainWhenAskedToOversubscribe) {
  const CMapping mapping = map_two_nodes("compact", 17, KINJO_OVERSUBSCRIBE);
  ASSERT_TRUE(mapping) << kinjo_last_error();
  EXPECT_EQ(cpus_of(mapping).back(), 0);
}

TEST(CMapping, RefusesNullAndThreadsBeyondTheTable) {
  const CMapping mapping = map_two_nodes("scatter", 4);
  kinjo_place place;
  EXPECT_EQ(kinjo_mapping_get_place(mapping.get(), 4, &place), KINJO_NOT_FOUND);
  EXPECT_STREQ(kinjo_last_error(), "no thread 4: there are 4, counted from 0");
  EXPECT_EQ(kinjo_mapping_get_place(mapping.get(), 0, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_mapping_get_node(mapping.get(), 0, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_mapping_node_count(nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_mapping_node_threads(nullptr, 0), KINJO_INVALID_ARGUMENT);
  kinjo_mapping_free(nullptr);
}

}  // namespace
}  // namespace kinjo::test
