#include <algorithm>
#include <new>
#include <random>
#include <utility>

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

/// Large levels of nodes whose children are at random among `spread`, some of them dead.
Levels random_levels(std::size_t items, std::size_t size, std::uint32_t spread) {
  std::mt19937 random(1);
  Levels levels{std::vector<RawLevel>(items), kFirstChild};
  detail::NodePool pool;
  for (std::size_t item = 0; item < items; ++item) {
    // By level: any, those that are passed on or have no lo, and those without lo.
    const auto child = [&](bool dead) -> Child {
      if (dead || random() % 4 == 0) return kDead;
      return item + 1 == items ? kMember : kFirstChild + static_cast<Child>(random() % spread);
    };
    for (std::size_t i = 0; i < size; ++i) {
      const bool takes = random() % 2 == 0, only = item % 3 != 0;
      levels.nodes[item].push_back(
          {child(only && (takes || item % 3 == 2)), child(only && !takes && item % 3 == 1)}, pool);
    }
  }
  return levels;
}

TEST(ReductionByATeam, IsTheSame) {
  for (const std::uint32_t spread : {3U, 500U, 20000U}) {
    const Diagram alone = reduce(random_levels(7, 20000, spread));
    for (const std::size_t threads : {2, 7, 20}) {
      Team team(graph_mapping(threads));
      EXPECT_EQ(*reduce(random_levels(7, 20000, spread), team), alone) << threads;
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
