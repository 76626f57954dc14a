#include <algorithm>
#include <map>
#include <new>
#include <random>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/error.hpp>

#include "graph/graph_team.hpp"
#include "paths/levels.hpp"
#include "support/expect.hpp"
#include "support/failing_new.hpp"

namespace kinjo::paths {
namespace {

using detail::Child;
using detail::kDead;
using detail::kFirstChild;
using detail::kMember;
using detail::Levels;
using detail::RawLevel;
using kinjo::test::allocations_left;
using kinjo::test::error_of;
using kinjo::test::graph_mapping;

/// Large levels of nodes whose children are at random among `spread`, or `lo_spread` of those
/// without the item, some of them dead.
Levels random_levels(std::size_t items, std::size_t size, std::uint32_t spread,
                     std::uint32_t lo_spread) {
  std::mt19937 random(1);
  Levels levels{std::vector<RawLevel>(items), kFirstChild};
  detail::NodePool pool;
  for (std::size_t item = 0; item < items; ++item) {
    // By level: any, those that are passed on or have no lo, and those without lo.
    const auto child = [&](bool dead, std::uint32_t among) -> Child {
      if (dead || random() % 4 == 0) return kDead;
      return item + 1 == items ? kMember : kFirstChild + static_cast<Child>(random() % among);
    };
    for (std::size_t i = 0; i < size; ++i) {
      const bool takes = random() % 2 == 0, only = item % 3 != 0;
      const Child lo = child(only && (takes || item % 3 == 2), lo_spread);
      levels.nodes[item].push_back({lo, child(only && !takes && item % 3 == 1, spread)}, pool);
    }
  }
  return levels;
}
Levels random_levels(std::size_t items, std::size_t size, std::uint32_t spread) {
  return random_levels(items, size, spread, spread);
}

/// What the plainest way makes of the levels: the nodes by reference.
std::vector<Node> plainly_reduced(const Levels& levels) {
  std::vector<Node> nodes;
  std::vector<NodeRef> below;  // what the next item's nodes have become
  for (std::size_t item = levels.nodes.size(); item-- > 0;) {
    const auto ref_of = [&](Child child) {
      if (child == kDead) return kBottom;
      return child == kMember ? kTop : below[child - kFirstChild];
    };
    const RawLevel& level = levels.nodes[item];
    std::map<std::pair<NodeRef, NodeRef>, NodeRef> made;
    for (std::size_t i = 0; i < level.size(); ++i) {
      if (ref_of(level[i].hi) != kBottom) made[{ref_of(level[i].lo), ref_of(level[i].hi)}] = 0;
    }
    for (auto& [children, ref] : made) {
      ref = kFirstNode + nodes.size();
      nodes.push_back({children.first, children.second});
    }
    std::vector<NodeRef> here;
    for (std::size_t i = 0; i < level.size(); ++i) {
      const NodeRef lo = ref_of(level[i].lo), hi = ref_of(level[i].hi);
      here.push_back(hi == kBottom ? lo : made.at({lo, hi}));
    }
    below = std::move(here);
  }
  return nodes;
}

TEST(ReductionByATeam, IsThatOfThePlainestWay) {
  struct Spread {
    std::uint32_t hi, lo;
  };
  // Of few children a node each has many twins; of few lo alone many nodes have the same.
  for (const Spread spread : {Spread{3, 3}, {500, 500}, {20000, 20000}, {20000, 1}, {20000, 300}}) {
    const auto levels = [&] { return random_levels(7, 20000, spread.hi, spread.lo); };
    const std::vector<Node> expected = plainly_reduced(levels());
    for (const std::size_t threads : {1, 2, 7, 20}) {
      Team team(graph_mapping(threads));
      const Diagram diagram = *reduce(levels(), team);
      ASSERT_EQ(diagram.nodes(), expected.size()) << threads;
      for (NodeRef k = 0; k < expected.size(); ++k) {
        const Node node = diagram.node(kFirstNode + k);
        ASSERT_TRUE(node.lo == expected[k].lo && node.hi == expected[k].hi) << k << " " << threads;
      }
    }
  }
}

// The first thread finds it out, while the others wait for the next level.
TEST(ReductionByATeam, StopsAtItsLimitOfMemoryAndLeavesTheTeamUsable) {
  const Diagram alone = reduce(random_levels(7, 20000, 500));
  for (const std::size_t threads : {1, 2, 7}) {
    Team team(graph_mapping(threads));
    std::uint64_t most = 0;
    const GoOn watch = [&](const Progress& progress) {
      most = std::max(most, progress.bytes);
      return true;
    };
    EXPECT_EQ(*reduce(random_levels(7, 20000, 500), team, {.go_on = watch}), alone);
    const auto refusal = [&](std::uint64_t limit) {
      return error_of([&] { reduce(random_levels(7, 20000, 500), team, {.memory_limit = limit}); });
    };
    // Less than the first level takes, and than some later one.
    EXPECT_THAT(refusal(1 << 20),
                testing::MatchesRegex(
                    "out_of_memory: the diagram takes more memory than the limit of 1 MiB: it is "
                    "reached at edge 7 of 7 where the nodes are reduced, from the last edge up; "
                    "expected a larger limit, or a directory to spill to"));
    EXPECT_THAT(refusal(most - 1), testing::HasSubstr("it is reached at edge ")) << threads;
    EXPECT_EQ(refusal(2 * most), "no error") << threads;
    EXPECT_EQ(*reduce(random_levels(7, 20000, 500), team), alone) << threads;
  }
}

// Of the calling thread, which is one of the team. The others must not wait for it for ever.
TEST(ReductionByATeam, EndsWhereAnAllocationFailsAndLeavesTheTeamUsable) {
  Team team(graph_mapping(2));
  const Diagram alone = reduce(random_levels(3, 20000, 500));
  const int failures = kinjo::test::fail_each_allocation(
      [&] {
        const long nth = std::exchange(allocations_left, -1);
        Levels levels = random_levels(3, 20000, 500);
        allocations_left = nth;
        try {
          const Diagram diagram = *reduce(std::move(levels), team);
          return diagram == alone;
        } catch (const std::bad_alloc&) {
          return false;
        } catch (const Error& error) {
          return error.code() != Errc::out_of_memory;
        }
      },
      [&](int) { EXPECT_EQ(*reduce(random_levels(3, 20000, 500), team), alone); });
  EXPECT_GT(failures, 5);
}

}  // namespace
}  // namespace kinjo::paths
