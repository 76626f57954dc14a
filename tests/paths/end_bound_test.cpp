#include "paths/end_bound.hpp"

#include <numeric>
#include <random>

#include <gtest/gtest.h>
#include <kinjo/paths.hpp>

#include "graph/graph_team.hpp"
#include "paths/every_level.hpp"
#include "paths/reference.hpp"

namespace kinjo::paths {
namespace {

using detail::kAnyEnds;
using detail::members_by_definition;
using detail::most_ends;
using kinjo::test::graph_mapping;

/// Vertices enter one by one, and none leaves before the last has entered.
Network complete_by_higher_ends(Vertex vertices) {
  Network network{.vertices = vertices, .edges = {}, .names = {}};
  for (Vertex higher = 1; higher < vertices; ++higher) {
    for (Vertex lower = 0; lower < higher; ++lower) network.edges.push_back({lower, higher});
  }
  return network;
}

TEST(EndBound, IsTwiceACoverOfWhatIsUndecided) {
  const Network network = complete_by_higher_ends(5);
  std::vector<std::uint32_t> order(network.edges.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto frontier = make_frontier(network, order, detail::Inheritance::allowed, 16);
  const std::vector<bool> ends = {true, false, false, false, true};
  // Before 4 enters, which has one edge of a path: it, and up to two edges of 3.
  // Three are more than half of the slots.
  const std::vector<unsigned> expected = {kAnyEnds, kAnyEnds, kAnyEnds, kAnyEnds, kAnyEnds,
                                          1,        2,        kAnyEnds, kAnyEnds, 0};
  EXPECT_EQ(most_ends(frontier, ends), expected);
}

TEST(EndBound, LeavesFewStatesWhereMostWereDead) {
  Team team(graph_mapping(1));
  const Family family({.network = complete_by_higher_ends(10), .to = 9, .order = EdgeOrder::given});
  EXPECT_EQ(count(team, family).count.to_string(), "109601");
  EXPECT_LT(survey(team, family).all_states(), 60'000U);  // 177,480 without
}

/// Dense graphs of six vertices in the order of their higher ends, some edges being left out.
TEST(EndBound, LosesNoMember) {
  Team team(graph_mapping(1));
  std::mt19937 random(1);
  for (const Kind kind :
       {Kind::path, Kind::cycle, Kind::hamiltonian_path, Kind::hamiltonian_cycle}) {
    for (int i = 0; i < 40; ++i) {
      Problem problem{.network = complete_by_higher_ends(6),
                      .kind = kind,
                      .from = static_cast<Vertex>(random() % 3),
                      .to = static_cast<Vertex>(3 + random() % 3),
                      .order = EdgeOrder::given};
      std::erase_if(problem.network.edges, [&](const Edge&) { return random() % 5 == 0; });
      const auto expected = std::to_string(members_by_definition(problem).size());
      SCOPED_TRACE(i);
      test::expect_count_at_every_level(team, problem, expected);
    }
  }
}

/// The states of more than fourteen slots have two words.
TEST(EndBound, IsTheSameForTwoWords) {
  Team team(graph_mapping(1));
  Problem problem{.network = complete_by_higher_ends(17), .order = EdgeOrder::given};
  problem.to = 16;
  std::mt19937 random(2);
  // Vertex 16 is joined to all, so that all stay, and the others are sparse.
  std::erase_if(problem.network.edges,
                [&](const Edge& edge) { return edge.to < 16 && random() % 4 != 0; });
  test::expect_same_count_at_every_level(team, problem);
}

}  // namespace
}  // namespace kinjo::paths
