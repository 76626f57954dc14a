#include "paths/stuck_ends.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>
#include <kinjo/paths.hpp>

#include "graph/graph_team.hpp"
#include "paths/every_level.hpp"
#include "paths/reference.hpp"

namespace kinjo::paths {
namespace {

using detail::MaybeStuckList;
using detail::members_by_definition;
using detail::StuckEnds;
using detail::UndecidedEdges;
using kinjo::test::graph_mapping;
using States = StuckEnds::States;

detail::Frontier frontier_of(const Network& network) {
  std::vector<std::uint32_t> order(network.edges.size());
  std::iota(order.begin(), order.end(), 0U);
  return make_frontier(network, order, detail::Inheritance::none, 30);
}

/// A path through all vertices, then other edges by chance: all have entered before any leaves.
Network path_and_others(Vertex vertices, std::size_t others, unsigned seed) {
  std::mt19937 random(seed);
  Network network{.vertices = vertices, .edges = {}, .names = {}};
  for (Vertex v = 1; v < vertices; ++v) network.edges.push_back({v - 1, v});
  std::vector<Edge> rest;
  for (Vertex u = 0; u < vertices; ++u) {
    for (Vertex v = u + 2; v < vertices; ++v) rest.push_back({u, v});
  }
  std::ranges::shuffle(rest, random);
  rest.resize(std::min(others, rest.size()));
  network.edges.insert(network.edges.end(), rest.begin(), rest.end());
  return network;
}

TEST(StuckEnds, AreLookedForNearTheEdge) {
  // Slots are as numbers, since nobody leaves before the last has entered.
  const Network network{5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 2}, {1, 4}, {0, 3}, {2, 4}}, {}};
  const detail::Frontier frontier = frontier_of(network);
  UndecidedEdges undecided(frontier, network.vertices);
  StuckEnds stuck(undecided);
  std::size_t item = 0;
  const auto look = [&](States states) {
    const detail::Step& step = frontier.steps[item++];
    undecided.decide(step);
    return stuck.step(step, states, {});
  };
  const auto slots = [](const MaybeStuckList& list) {
    std::vector<unsigned> found;
    for (const auto& one : list.all()) found.push_back(one.slot);
    std::ranges::sort(found);
    return found;
  };
  using Slots = std::vector<unsigned>;
  EXPECT_EQ(slots(look(States::change)), Slots{});  // 2, 3 and 4 have not entered
  EXPECT_EQ(slots(look(States::change)), Slots{});
  // 0 has {0, 2} and {0, 3}; 3 has more, to 4, which has not entered.
  EXPECT_EQ(slots(look(States::stay)), Slots{0});
  // 1 has {1, 4}, 3 has {0, 3}, and 0, which stayed, is looked at once more. 2 and 4 have two.
  const MaybeStuckList list = look(States::change);
  EXPECT_EQ(slots(list), (Slots{0, 1, 2, 3, 4}));
  for (const auto& one : list.all()) {
    if (one.slot != 1) continue;
    ASSERT_EQ(one.edges, 1U);
    EXPECT_EQ(one.neighbours[0], 4U);
  }
  EXPECT_EQ(slots(look(States::pass)), Slots{});
  EXPECT_EQ(slots(look(States::change)), (Slots{0, 2, 3, 4}));  // 1 has left
}

TEST(UndecidedEdges, BecomeFewerInTheirOrder) {
  const Network network{4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}}, {}};
  const detail::Frontier frontier = frontier_of(network);
  UndecidedEdges undecided(frontier, network.vertices);
  const auto of = [&](Vertex v) {
    const auto found = undecided.of(v);
    return std::vector<Vertex>(found.begin(), found.end());
  };
  using Others = std::vector<Vertex>;
  EXPECT_EQ(undecided.vertices(), 4U);
  EXPECT_EQ(of(2), (Others{1, 0, 3}));
  undecided.decide(frontier.steps[0]);
  EXPECT_EQ(of(0), Others{2});
  EXPECT_EQ(of(1), Others{2});
  undecided.decide(frontier.steps[1]);
  EXPECT_EQ(of(1), Others{});
  EXPECT_EQ(of(2), (Others{0, 3}));
}

TEST(StuckEnds, LeaveFewStatesWhereMostWereDead) {
  Team team(graph_mapping(1));
  const Network network = path_and_others(16, 17, 3);
  const Family family({.network = network, .to = 15, .order = EdgeOrder::given});
  const Family other({.network = network, .to = 15, .order = EdgeOrder::frontier});
  EXPECT_EQ(count(team, family).count.to_string(), count(team, other).count.to_string());
  EXPECT_LT(survey(team, family).all_states(), 100'000U);  // 257,503 without
}

TEST(StuckEnds, LoseNoMember) {
  Team team(graph_mapping(1));
  std::mt19937 random(1);
  for (const Kind kind :
       {Kind::path, Kind::cycle, Kind::hamiltonian_path, Kind::hamiltonian_cycle}) {
    for (unsigned i = 0; i < 60; ++i) {
      Problem problem{.network = path_and_others(7, 4 + random() % 4, i),
                      .kind = kind,
                      .from = static_cast<Vertex>(random() % 3),
                      .to = static_cast<Vertex>(3 + random() % 4),
                      .order = EdgeOrder::given};
      if (i % 3 == 2) std::ranges::shuffle(problem.network.edges, random);
      const auto expected = std::to_string(members_by_definition(problem).size());
      SCOPED_TRACE(i);
      test::expect_count_at_every_level(team, problem, expected);
    }
  }
}

/// The states of more than fourteen slots have two words.
TEST(StuckEnds, AreTheSameForTwoWords) {
  Team team(graph_mapping(1));
  for (unsigned seed = 0; seed < 4; ++seed) {
    Problem problem{.network = path_and_others(18, 16, seed), .order = EdgeOrder::given};
    problem.to = 17;
    test::expect_same_count_at_every_level(team, problem);
  }
}

}  // namespace
}  // namespace kinjo::paths
