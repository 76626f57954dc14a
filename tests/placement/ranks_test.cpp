#include "placement/ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "support/machine_check.hpp"

namespace kinjo::detail {
namespace {

using test::error_of;
using testing::ElementsAre;
using Parts = std::vector<std::vector<int>>;

/// The CPUs of every rank.
Parts divide(const std::string& machine, const char* policy, std::size_t ranks, std::size_t threads,
             Oversubscribe oversubscribe = Oversubscribe::refuse) {
  const auto topology = Topology::from(machine);
  Parts parts;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    parts.push_back(
        rank_cpus(topology, Policy::parse(policy), {rank, ranks}, threads, oversubscribe));
  }
  return parts;
}

constexpr const char* kFour = "synthetic:pack:4 numa:1 core:4 pu:1";  // node n: CPUs 4n to 4n+3
constexpr const char* kSiblings = "synthetic:pack:2 numa:1 core:2 pu:2";
constexpr const char* kCaches = "synthetic:pack:1 numa:1 l3:2 core:4 pu:1";

TEST(RankParts, OfScatterAreDealtOverNodesAndStayTogether) {
  EXPECT_EQ(divide(kFour, "scatter", 4, 4),
            (Parts{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}));
  EXPECT_EQ(divide(kFour, "scatter", 4, 2), (Parts{{0, 1}, {4, 5}, {8, 9}, {12, 13}}));
  EXPECT_EQ(divide(kFour, "scatter", 2, 4), (Parts{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(divide(kFour, "scatter", 3, 3), (Parts{{0, 1, 2}, {4, 5, 6}, {8, 9, 10}}));
  EXPECT_EQ(divide(kFour, "scatter", 5, 1), (Parts{{0}, {4}, {8}, {12}, {1}}));
}

TEST(RankParts, OfScatterAreNeighboursWhereTheyAreLargerThanANode) {
  EXPECT_EQ(divide(kFour, "scatter", 2, 8),
            (Parts{{0, 4, 1, 5, 2, 6, 3, 7}, {8, 12, 9, 13, 10, 14, 11, 15}}));
  EXPECT_EQ(divide(kFour, "scatter", 3, 5),
            (Parts{{0, 4, 1, 2, 3}, {8, 5, 9, 6, 7}, {12, 13, 10, 14, 11}}));
}

TEST(RankParts, OfScatterOnOneNodeKeepCachesAndCoresToThemselves) {
  EXPECT_EQ(divide(kCaches, "scatter", 2, 4), (Parts{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(divide(kCaches, "scatter", 2, 2), (Parts{{0, 1}, {4, 5}}));
  EXPECT_EQ(divide(kSiblings, "scatter", 4, 2), (Parts{{0, 1}, {4, 5}, {2, 3}, {6, 7}}));
}

TEST(RankParts, OfCompactFillNodeAfterNode) {
  EXPECT_EQ(divide(kFour, "compact", 4, 2), (Parts{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(divide(kFour, "compact", 2, 8),
            (Parts{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}}));
  EXPECT_EQ(divide(kSiblings, "compact", 2, 1), (Parts{{0}, {2}}));
  EXPECT_EQ(divide(kSiblings, "compact", 2, 2), (Parts{{0, 1}, {2, 3}}));
}

TEST(RankParts, OfCompactPlusUseCoresBeforeSiblings) {
  EXPECT_EQ(divide(kSiblings, "compact-plus", 2, 2), (Parts{{0, 2}, {4, 6}}));
  EXPECT_EQ(divide(kSiblings, "compact-plus", 2, 4), (Parts{{0, 2, 1, 3}, {4, 6, 5, 7}}));
}

TEST(RankParts, OfAListAreCutAsItIsWritten) {
  EXPECT_EQ(divide(kFour, "cpus:9,2,7,0", 2, 2), (Parts{{9, 2}, {7, 0}}));
  EXPECT_EQ(divide(kFour, "cpus:9,2,7,0", 2, 1), (Parts{{9}, {2}}));
}

TEST(RankParts, OfOneRankAreThePolicysTable) {
  EXPECT_EQ(divide(kFour, "scatter", 1, 4), (Parts{{0, 4, 8, 12}}));
}

TEST(RankParts, ThatDoNotFitAreRefusedOrWrapAround) {
  EXPECT_EQ(error_of([] { divide(kSiblings, "scatter", 2, 5); }),
            "invalid_argument: 2 ranks of 5 threads exceed the 8 CPUs that policy scatter may use: "
            "expected 1 to 4 threads for each, or ask to oversubscribe");
  EXPECT_EQ(error_of([] { divide("synthetic:pu:1", "compact", 2, 1); }),
            "invalid_argument: 2 ranks of 1 thread exceed the 1 CPU that policy compact may use: "
            "expected at most 1 rank, or ask to oversubscribe");
  EXPECT_EQ(divide(kSiblings, "compact", 2, 5, Oversubscribe::wrap),
            (Parts{{0, 2, 1, 3}, {4, 6, 5, 7}}));
  EXPECT_EQ(divide("synthetic:pu:2", "compact", 3, 1, Oversubscribe::wrap), (Parts{{0}, {1}, {0}}));
}

TEST(RankParts, AreDisjointAndWholeUnderEveryPolicy) {
  for (const char* input :
       {kFour, kSiblings, kCaches, "synthetic:numa:2 pack:2 l3:1 core:2 pu:2",
        KINJO_TEST_MACHINES "/hybrid.xml", KINJO_TEST_MACHINES "/two_socket_server.xml"}) {
    const auto machine = Topology::from(input);
    for (const Policy& policy : test::tried_policies()) {
      if (policy.kind() == Policy::Kind::none) continue;
      for (const std::size_t ranks : {1, 2, 3, 4, 5, 7, 8}) {
        const std::size_t threads = default_rank_threads(machine, policy, ranks);
        if (ranks * threads > default_threads(machine, policy)) continue;
        CpuSet used;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
          for (const int cpu :
               rank_cpus(machine, policy, {rank, ranks}, threads, Oversubscribe::refuse)) {
            used.insert(cpu);
          }
        }
        EXPECT_EQ(used.count(), ranks * threads) << input << " " << policy.name() << " " << ranks;
      }
    }
  }
}

TEST(RankThreads, AreTheCpusDividedByTheRanks) {
  const auto machine = Topology::from(kFour);
  EXPECT_EQ(default_rank_threads(machine, Policy::scatter(), 3), 5U);
  EXPECT_EQ(default_rank_threads(machine, Policy::scatter(), 17), 1U);
  EXPECT_EQ(default_rank_threads(machine, Policy::cpus({1, 2, 3}), 2), 1U);
}

TEST(OwnPart, IsAMaskThatLeavesRoomForTheOtherRanks) {
  const CpuSet all = {0, 1, 2, 3};
  EXPECT_TRUE(has_own_part({0, 1}, all, 2));
  EXPECT_TRUE(has_own_part({3}, all, 2));
  EXPECT_FALSE(has_own_part(all, all, 2));
  EXPECT_FALSE(has_own_part({0, 1, 2}, all, 2));  // two of these cannot lie side by side
  EXPECT_FALSE(has_own_part({0, 1}, all, 4));
}

}  // namespace
}  // namespace kinjo::detail
