/// Right results are accepted, and each kind of wrong one is rejected with its own message.
#include <functional>

#include <gtest/gtest.h>
#include <kinjo/bfs.hpp>
#include <kinjo/graph_generators.hpp>

#include "graph/search_samples.hpp"
#include "graph/validate.hpp"

namespace kinjo::graph::detail {
namespace {

using Parents = std::vector<std::int64_t>;
using Depths = std::vector<std::int32_t>;

/// 0 - 1 - 2 - 3 - 4 with 0 - 2, a loop and a repetition; 5 - 6 apart; 7 alone.
std::vector<Edge> edges() {
  return {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 2}, {3, 3}, {2, 1}, {5, 6}};
}
const Parents kParents{0, 0, 0, 2, 3, -1, -1, -1};
const Depths kDepths{0, 1, 1, 2, 3, -1, -1, -1};

class Validate : public testing::Test {
 protected:
  std::string check(const std::vector<Edge>& list, const Parents& parents,
                    const Depths& depths = {}, std::uint64_t root = 0) {
    const EdgeList all = graph::test::list_of(8, list);
    const Claim claim{root, parents, depths};
    const std::string fault = validate(team_, all, claim).value_or("right");
    if (parents.size() == 8) {
      EXPECT_EQ(check_wide(list, claim), fault);
    }
    // The rows of the same edges say the same, if perhaps of another edge.
    const Graph graph = Graph::build(team_, all, {.order = Order::degree});
    EXPECT_EQ(validate(team_, graph, claim).has_value(), fault != "right") << fault;
    return fault;
  }

  /// The same with ids, with the numbers in place of these; 7 has no edge, but a loop for the list.
  std::string check_wide(const std::vector<Edge>& list, const Claim& claim) {
    const auto id = [](std::uint64_t v) { return (v << 40) + 5 * v; };
    std::vector<WideEdge> wide{{id(7), id(7)}};
    for (const Edge& e : list) wide.push_back({id(e.from), id(e.to)});
    std::vector<VertexId> ids;
    for (std::uint64_t v = 0; v < claim.parents.size(); ++v) ids.push_back(id(v));
    Parents parents(claim.parents.begin(), claim.parents.end());
    for (std::int64_t& p : parents) {
      if (p >= 0) p = static_cast<std::int64_t>(id(static_cast<std::uint64_t>(p)));
    }
    const WideEdgeList all = kinjo::test::wide_list_of(id(9), wide);
    std::string fault =
        validate(team_, all, {id(claim.root), parents, claim.depths, ids}).value_or("right");
    for (std::uint64_t v = 9; v > 0; --v) {
      const std::string name = std::to_string(id(v));
      for (std::size_t at; (at = fault.find(name)) != std::string::npos;) {
        fault.replace(at, name.size(), std::to_string(v));
      }
    }
    const std::string id_wanted = "expected an id";
    if (const auto at = fault.find(id_wanted); at != std::string::npos) {
      fault.replace(at, id_wanted.size(), "expected a vertex below 8");
    }
    return fault;
  }

  Team team_{kinjo::test::graph_mapping(3)};
};

TEST_F(Validate, RejectsListsOfIdsThatAreNone) {
  const WideEdgeList all = kinjo::test::wide_list_of(100, {{10, 20}, {20, 30}});
  const Parents parents{10, 10, 20};
  const auto check = [&](const std::vector<VertexId>& ids, const Parents& claimed) {
    return validate(team_, all, {.root = 10, .parents = claimed, .ids = ids}).value_or("right");
  };
  EXPECT_EQ(check({10, 20, 30}, parents), "right");
  EXPECT_EQ(check({10, 20, 31}, parents),
            "the edge 20 30 has an end that is not listed: vertex 30");
  EXPECT_EQ(check({10, 20}, {10, 10}), "the edge 20 30 has an end that is not listed: vertex 30");
  EXPECT_EQ(check({10, 30, 20}, parents),
            "the id 30 is followed by 20: expected them in rising order");
  EXPECT_EQ(check({10, 20}, parents), "3 parents of 2 vertices");
  EXPECT_EQ(check({}, {}), "the root 10 is not its own parent");
  const Graph graph = Graph::build(team_, all);
  EXPECT_EQ(validate(team_, graph, {.root = 10, .parents = parents, .ids = graph.ids()}),
            std::nullopt);
  EXPECT_EQ(validate(team_, graph, {.root = 10, .parents = parents}),
            "the ids are not the graph's");
}

TEST_F(Validate, AcceptsWhatIsRight) {
  EXPECT_EQ(check(edges(), kParents), "right");
  EXPECT_EQ(check(edges(), kParents, kDepths), "right");
  EXPECT_EQ(check(edges(), {-1, -1, -1, -1, -1, -1, -1, 7}, {}, 7), "right");
}

TEST_F(Validate, RejectsEachKindOfFault) {
  const auto changed = [](std::size_t v, std::int64_t parent) {
    Parents parents = kParents;
    parents[v] = parent;
    return parents;
  };
  const auto without = [](const Edge& edge) {
    std::vector<Edge> list = edges();
    std::erase(list, edge);
    return list;
  };
  Depths wrong = kDepths;
  wrong[4] = 2;
  EXPECT_EQ(check(edges(), kParents, wrong),
            "vertex 4 has the depth 2: expected 3, one more than its parent");
  EXPECT_EQ(check(edges(), {0, 0, 1, 2, 3, -1, -1, -1}),
            "the edge 0 2 joins depths 0 and 2: expected at most 1 between them");
  EXPECT_EQ(check(without({3, 4}), kParents),
            "vertex 4 has the depth 3, and no edge joins it with its parent 3 or another vertex of "
            "depth 2");
  EXPECT_EQ(check(edges(), {0, 0, 0, 4, 3, -1, -1, -1}),
            "the parents of vertex 3 go round in a circle");
  EXPECT_EQ(check(edges(), changed(4, -1)),
            "the edge 3 4 leads out of the tree: vertex 4 is not reached");
  EXPECT_EQ(check(edges(), {0, 0, 0, 1, 3, -1, -1, -1}),
            "vertex 3 has the parent 1, which no edge joins with it: expected 2, or another "
            "neighbour of depth 1");
  EXPECT_EQ(check(edges(), changed(0, 1)), "the root 0 is not its own parent");
  EXPECT_EQ(check(edges(), kParents, {}, 8), "the root 8 is not its own parent");
  EXPECT_EQ(check(edges(), changed(7, 7)),
            "vertex 7 is its own parent: expected the root 0 alone to be");
  EXPECT_EQ(check(edges(), changed(3, 8)),
            "vertex 3 has the parent 8: expected a vertex below 8, or -1");
  EXPECT_EQ(check(edges(), changed(3, -2)),
            "vertex 3 has the parent -2: expected a vertex below 8, or -1");
  EXPECT_EQ(check(edges(), changed(6, 5)), "vertex 6 is reached, and its parent 5 is not");
  EXPECT_EQ(check(edges(), Parents(7, -1)), "7 parents of 8 vertices");
}

TEST_F(Validate, NamesTheFirstOfManyFaultsForEveryNumberOfThreads) {
  const EdgeList list = graph::test::path(10000);
  Parents parents(10000, -1);
  parents[0] = 0;
  for (const std::size_t threads : {1, 2, 5}) {
    Team team(kinjo::test::graph_mapping(threads));
    parents[5000] = 0;
    EXPECT_EQ(validate(team, list, {0, parents}),
              "the edge 0 1 leads out of the tree: vertex 1 is not reached");
  }
}

TEST_F(Validate, WalksDirectedEdgesInTheirSense) {
  const EdgeList list = graph::test::list_of(3, {{0, 1}, {2, 0}});
  const Graph graph = Graph::build(team_, list, {.sense = Sense::directed});
  const Parents right{0, 0, -1}, wrong{0, 0, 0};
  EXPECT_EQ(validate(team_, graph, {0, right}), std::nullopt);
  EXPECT_EQ(validate(team_, graph, {0, wrong}),
            "vertex 2 has the depth 1, and no edge joins it with its parent 0 or another vertex of "
            "depth 0");
}

TEST_F(Validate, NamesTheLeastParentThatMayBeForEveryNumberOfThreads) {
  // 0 joins 1, 2, 3, 4 and 6; 5 hangs on 2, 3 and 4.
  const EdgeList list =
      graph::test::list_of(7, {{0, 1}, {0, 6}, {4, 5}, {0, 4}, {0, 3}, {5, 3}, {0, 2}, {2, 5}});
  const Graph graph = Graph::build(team_, list, {.order = Order::degree});
  const Parents wrong{0, 0, 0, 0, 0, 1, 0};
  for (const std::size_t threads : {1, 2, 5}) {
    Team team(kinjo::test::graph_mapping(threads));
    const std::string expected =
        "vertex 5 has the parent 1, which no edge joins with it: expected 2, or another neighbour "
        "of depth 1";
    EXPECT_EQ(validate(team, list, {0, wrong}), expected);
    EXPECT_EQ(validate(team, graph, {0, wrong}), expected);
  }
}

TEST_F(Validate, AcceptsSearchesOfAKroneckerGraphAndNoOtherParent) {
  const EdgeList list = generate(team_, Kronecker{.scale = 11});
  const Graph graph = Graph::build(team_, list);
  Search search(graph, team_);
  Parents parents(graph.vertices());
  for (std::uint64_t root = 0; root < 50; ++root) {
    search.run(root, parents);
    ASSERT_EQ(validate(team_, list, {root, parents}), std::nullopt) << root;
    for (std::size_t v = root % 7; v < parents.size(); v += 97) {
      if (v == root || parents[v] < 0) continue;
      const std::int64_t before = std::exchange(parents[v], static_cast<std::int64_t>(v ^ 1));
      // Another neighbour at the same depth would be as right.
      const std::span<const Vertex> to = graph.to_internal();
      const auto inside = [&](std::size_t x) {
        return to.empty() ? static_cast<Vertex>(x) : to[x];
      };
      const auto row = graph.neighbours(inside(v));
      if (std::ranges::find(row, inside(v ^ 1)) == row.end()) {
        EXPECT_NE(validate(team_, list, {root, parents}), std::nullopt);
      }
      parents[v] = before;
    }
  }
}

TEST_F(Validate, CountsEdgesOfTheComponentWithLoopsAndRepetitions) {
  const Graph graph = Graph::build(team_, graph::test::list_of(8, edges()));
  EXPECT_EQ(component_edges(graph, kParents), 7u);
  EXPECT_EQ(component_edges(graph, Parents{-1, -1, -1, -1, -1, 5, 5, -1}), 1u);
  EXPECT_EQ(component_edges(graph, Parents{-1, -1, -1, -1, -1, -1, -1, 7}), 0u);
  const std::vector<std::uint32_t> begins{0, 1, 2, 2};
  const std::vector<Vertex> neighbours{1, 0};
  EXPECT_EQ(component_edges(Graph::view(begins, neighbours, Sense::symmetric), Parents{0, 0, -1}),
            1u);
}

}  // namespace
}  // namespace kinjo::graph::detail
