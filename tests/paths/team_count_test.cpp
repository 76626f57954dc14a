#include <gtest/gtest.h>
#include <kinjo/diagram.hpp>
#include <kinjo/error.hpp>
#include <kinjo/paths.hpp>

#include "graph/graph_team.hpp"
#include "support/expect.hpp"

namespace kinjo::paths {
namespace {

using kinjo::test::error_of;
using kinjo::test::graph_mapping;

/// Of so many nodes that a team shares them, and numbers of several limbs.
const Diagram& many_matchings() {
  static const Diagram diagram = [] {
    Team team(graph_mapping(1));
    const Family family({.network = network_by_rule("grid:8x24").network, .kind = Kind::matching});
    return *build(team, family);
  }();
  return diagram;
}

TEST(CountingByATeam, IsTheSame) {
  const Diagram& diagram = many_matchings();
  ASSERT_GT(diagram.nodes(), std::uint64_t{1} << 16);
  const Count alone = diagram.count();
  EXPECT_GE(alone.limbs().size(), 4U);
  for (const std::size_t threads : {1, 2, 3, 7}) {
    Team team(graph_mapping(threads));
    EXPECT_EQ(diagram.count(team), alone) << threads;
  }
}

// The first thread finds it out when another limb is needed, while the others wait.
TEST(CountingByATeam, StopsAtItsLimitOfMemoryAndLeavesTheTeamUsable) {
  const Diagram& diagram = many_matchings();
  const auto refusal = [&](std::uint64_t limit) { return error_of([&] { diagram.count(limit); }); };
  std::uint64_t too_little = diagram.bytes();
  for (std::uint64_t step = std::uint64_t{1} << 24; step != 0; step /= 2) {
    if (refusal(too_little + step) != "no error") too_little += step;
  }
  for (const std::size_t threads : {2, 7}) {
    Team team(graph_mapping(threads));
    for (const std::uint64_t limit : {too_little, (diagram.bytes() + too_little) / 2}) {
      EXPECT_TRUE(refusal(limit).starts_with("out_of_memory: counting the sets of a diagram"));
      EXPECT_EQ(error_of([&] { diagram.count(team, limit); }), refusal(limit));
    }
    EXPECT_EQ(diagram.count(team, too_little + 1), diagram.count(too_little + 1));
  }
}

}  // namespace
}  // namespace kinjo::paths
