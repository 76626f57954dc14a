/// Graphs whose vertices have ids of 64 bits: what the narrow ones are, by other names.
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <kinjo/bfs.hpp>
#include <kinjo/graph_generators.hpp>

#include "graph/limits.hpp"
#include "graph/numbering.hpp"
#include "graph/search_samples.hpp"
#include "graph/sorted_ids.hpp"
#include "graph/validate.hpp"
#include "graph/wide_samples.hpp"
#include "support/expect.hpp"

namespace kinjo::graph {
namespace {

using kinjo::test::error_of;
using kinjo::test::graph_mapping;
using kinjo::test::wide_list_of;
using test::hashed;
using test::renamed;

/// Names that lie close to each other, and far apart.
const std::vector<std::pair<test::Name, std::uint64_t>> kNamings = {
    {[](Vertex v) { return VertexId{v}; }, 1 << 17},
    {[](Vertex v) { return VertexId{v} * 7 + (VertexId{1} << 20); }, std::uint64_t{1} << 21},
    {hashed, std::uint64_t{1} << 48},
    {[](Vertex v) { return kMostIds - 1 - hashed(v); }, kMostIds},
};

TEST(WideGraphs, NumberVerticesWithEdgesByTheRankOfTheirIds) {
  Team team(graph_mapping(2));
  const EdgeList narrow = test::random_list(5, 100000, 300000);
  for (const auto& [name, universe] : kNamings) {
    const WideEdgeList wide = renamed(narrow, name, universe);
    std::set<VertexId> expected;
    for (const WideEdge& e : wide.all()) expected.insert({e.from, e.to});
    for (const std::size_t threads : {1u, 2u, 5u}) {
      Team crew(graph_mapping(threads));
      const detail::Numbered numbered = detail::number_vertices(crew, wide, Pages::normal);
      const auto* const ids = static_cast<const VertexId*>(numbered.ids.data());
      ASSERT_EQ(numbered.edges.vertices(), expected.size());
      ASSERT_TRUE(std::ranges::equal(expected, std::span(ids, expected.size())));
      for (std::size_t i = 0; i < wide.size(); ++i) {
        const Edge e = numbered.edges.all()[i];
        ASSERT_EQ((WideEdge{ids[e.from], ids[e.to]}), wide.all()[i]);
      }
    }
  }
}

TEST(WideGraphs, KeepTheirIdsAndFindVerticesByThem) {
  Team team(graph_mapping(1));
  const VertexId far = VertexId{1} << 40;
  const Graph graph = Graph::build(team, wide_list_of(far + 1, {{far, 7}, {7, 3}, {3, 3}}));
  EXPECT_EQ(graph.vertices(), 3u);
  EXPECT_EQ(graph.universe(), far + 1);
  EXPECT_EQ(graph.input_edges(), 3u);
  EXPECT_TRUE(std::ranges::equal(graph.ids(), std::vector<VertexId>{3, 7, far}));
  EXPECT_EQ(graph.find(far), 2u);
  EXPECT_EQ(graph.find(4), std::nullopt);
  EXPECT_EQ(graph.find(far + 1), std::nullopt);
  const Graph narrow = Graph::build(team, kinjo::test::list_of(5, {{0, 1}}));
  EXPECT_TRUE(narrow.ids().empty());
  EXPECT_EQ(narrow.universe(), 5u);
  EXPECT_EQ(narrow.find(4), 4u);
  EXPECT_EQ(narrow.find(5), std::nullopt);
}

/// Depths by id.
std::map<VertexId, std::int32_t> depths_by_id(const Graph& graph, Team& team, VertexId root) {
  Search search(graph, team);
  std::vector<std::int64_t> parents(graph.vertices());
  std::vector<std::int32_t> depths(graph.vertices());
  search.run(root, parents);
  depths_of(graph.ids(), parents, depths);
  std::map<VertexId, std::int32_t> by_id;
  for (std::size_t v = 0; v < depths.size(); ++v) by_id[graph.ids()[v]] = depths[v];
  return by_id;
}

TEST(WideGraphs, AreSearchedAsTheirNarrowTwinsAre) {
  std::vector<EdgeList> lists;
  lists.push_back(test::random_list(1, 3000, 9000, 3));
  lists.push_back(test::random_list(2, 70000, 200000));
  lists.push_back(test::path(500));
  lists.push_back(test::star(4000, 17));
  for (const EdgeList& narrow : lists) {
    const Vertex root = narrow.all()[0].from;
    for (const Sense sense : {Sense::symmetric, Sense::directed}) {
      const auto expected = test::plain_depths(narrow, root, sense);
      for (const auto& [name, universe] : kNamings) {
        const WideEdgeList wide = renamed(narrow, name, universe);
        for (const Order order : {Order::automatic, Order::degree, Order::locality}) {
          Team team(graph_mapping(3));
          const Graph graph =
              Graph::build(team, wide, {.sense = sense, .order = order, .parts = 2});
          const auto depths = depths_by_id(graph, team, name(root));
          std::size_t listed = 0;
          for (std::size_t v = 0; v < expected.size(); ++v) {
            const auto found = depths.find(name(static_cast<Vertex>(v)));
            if (found == depths.end()) {
              ASSERT_EQ(expected[v], -1) << v;  // it has no edge
              continue;
            }
            ASSERT_EQ(found->second, expected[v]) << v;
            ++listed;
          }
          ASSERT_EQ(listed, depths.size());
        }
      }
    }
  }
}

TEST(WideGraphs, AreMadeByRuleOfTheSameEdges) {
  Team team(graph_mapping(2));
  const auto expect_same = [&](const auto& rule) {
    const EdgeList narrow = generate(team, rule, {5, 6});
    const AnyEdgeList any = generate(team, rule, {5, 6}, Width::wide);
    const auto& wide = std::get<WideEdgeList>(any);
    EXPECT_EQ(wide.vertices(), narrow.vertices());
    ASSERT_EQ(wide.size(), narrow.size());
    for (std::size_t i = 0; i < wide.size(); ++i) {
      const Edge e = narrow.all()[i];
      ASSERT_EQ(wide.all()[i], (WideEdge{e.from, e.to}));
    }
    EXPECT_TRUE(std::holds_alternative<EdgeList>(generate(team, rule, {}, Width::automatic)));
  };
  expect_same(Kronecker{.scale = 9});
  expect_same(Uniform{.scale = 8, .edge_factor = 3});
  expect_same(Grid{30, 20, Labels::scrambled});
  expect_same(Road{.rows = 30, .columns = 20});
  EXPECT_EQ(error_of([&] { generate(team, Kronecker{.scale = 49}, {}, Width::automatic); }),
            "invalid_argument: scale 49: expected at most 48");
  EXPECT_EQ(
      error_of([&] { generate(team, Kronecker{.scale = 32}, {}, Width::narrow); }),
      "invalid_argument: scale 32: expected at most 31, since vertices are numbered in 32 bits");
  EXPECT_EQ(
      error_of([&] {
        generate(team, Grid{1u << 25, 1u << 25}, {}, Width::automatic);
      }),
      "invalid_argument: a grid of 33554432 x 33554432: expected 1 to 281474976710656 vertices");
}

TEST(WideGraphs, AreLargerThan32BitsByRuleWhereThatIsAskedFor) {
  Team team(graph_mapping(2));
  const Grid rule{.rows = 1, .columns = 3};  // as little as there is; the numbers are what counts
  const WideEdgeList list = wide_list_of(
      std::uint64_t{1} << 33, {{(VertexId{1} << 32) + 5, 5}, {5, (VertexId{1} << 33) - 1}});
  const Graph graph = Graph::build(team, list);
  EXPECT_EQ(graph.vertices(), 3u);
  const auto depths = depths_by_id(graph, team, (VertexId{1} << 33) - 1);
  EXPECT_EQ(depths.at((VertexId{1} << 32) + 5), 2);
  EXPECT_TRUE(std::holds_alternative<WideEdgeList>(generate(team, rule, {}, Width::wide)));
}

TEST(WideGraphs, AreMadeByRuleWhere32BitsDoNotDo) {
  Team team(graph_mapping(1));
  const auto error =
      error_of([&] {  // of more edges than fit any memory, and of none of their scale
        generate(team, Kronecker{.scale = 40, .edge_factor = 1}, {}, Width::automatic);
      });
  EXPECT_TRUE(error.starts_with("out_of_memory: a list of 1099511627776 edges takes 16 TiB: "))
      << error;
}

TEST(WideGraphs, WithoutEdgesAreEmpty) {
  Team team(graph_mapping(2));
  const Graph graph = Graph::build(team, WideEdgeList(std::uint64_t{1} << 40, 0));
  EXPECT_EQ(graph.vertices(), 0u);
  EXPECT_EQ(graph.universe(), std::uint64_t{1} << 40);
  Search search(graph, team);
  std::vector<std::int64_t> none;
  EXPECT_EQ(error_of([&] { search.run(3, none); }),
            "invalid_argument: root 3: the graph has no vertices");
}

TEST(WideGraphs, TakeAsMuchMemoryAsForetold) {
  Team team(graph_mapping(2));
  const EdgeList narrow = test::random_list(9, 100000, 400000);
  for (const auto& [name, universe] : kNamings) {
    const WideEdgeList wide = renamed(narrow, name, universe);
    const Graph graph = Graph::build(team, wide);
    EXPECT_LE(graph.bytes(), wide_build_bytes(universe, graph.vertices(), wide.size()));
  }
}

TEST(WideGraphs, RefuseWhatCannotBe) {
  Team team(graph_mapping(2));
  EXPECT_EQ(error_of([] { WideEdgeList(kMostIds + 1, 1); }),
            "invalid_argument: 9223372036854775809 vertices: expected at most 9223372036854775808, "
            "since they are kept in 64 bits with a sign");
  EXPECT_EQ(error_of([&] {
              Graph::build(team, wide_list_of(9, {{1, 2}, {3, 9}, {10, 0}}));
            }),
            "invalid_argument: edge 1 ends in vertex 9: expected a number below 9");
  EXPECT_EQ(error_of([&] {
              Graph::build(team, wide_list_of(9, {{~VertexId{0}, 2}}));
            }),
            "invalid_argument: edge 0 begins in vertex 18446744073709551615: expected a number "
            "below 9");
  EXPECT_EQ(error_of([] { detail::check_vertices_with_edges(std::uint64_t{1} << 32); }),
            "invalid_argument: 4294967296 vertices with edges: expected at most 4294967295, since "
            "these are numbered in 32 bits inside, whatever ids they have");
  const Graph graph = Graph::build(team, wide_list_of(100, {{10, 20}, {20, 30}}));
  Search search(graph, team);
  std::vector<std::int64_t> parents(3), two(2);
  std::vector<std::int32_t> narrow(3);
  EXPECT_EQ(error_of([&] { search.run(15, parents); }),
            "invalid_argument: root 15: expected the id of a vertex that has an edge");
  EXPECT_EQ(error_of([&] { search.run(10, two); }),
            "invalid_argument: 2 parents of 3 vertices: expected as many");
  EXPECT_EQ(error_of([&] { search.run(10, narrow); }),
            "invalid_argument: 32-bit parents of a graph with ids: expected 64 bits");
  search.run(20, parents);
  EXPECT_EQ(parents, (std::vector<std::int64_t>{20, 20, 20}));
}

TEST(WideDepths, AreOfParentsThatAreIds) {
  const std::vector<VertexId> ids = {4, 8, VertexId{1} << 50, (VertexId{1} << 50) + 1};
  const auto far = std::int64_t{1} << 50;
  std::vector<std::int32_t> depths(4);
  depths_of(ids, std::vector<std::int64_t>{far, 8, 8, -1}, depths);
  EXPECT_EQ(depths, (std::vector<std::int32_t>{2, 0, 1, -1}));
  const auto refusal = [&](const std::vector<VertexId>& names,
                           const std::vector<std::int64_t>& parents) {
    return error_of([&] { depths_of(names, parents, depths); });
  };
  EXPECT_EQ(refusal(ids, {far, 8, 9, -1}),
            "invalid_argument: vertex 1125899906842624 has the parent 9: expected an id, or -1");
  EXPECT_EQ(refusal(ids, {8, 4, -1, -1}),
            "invalid_argument: the parents of vertex 4 go round in a circle");
  EXPECT_EQ(refusal(ids, {8, 8, 8}), "invalid_argument: 3 parents of 4 ids: expected as many");
  EXPECT_EQ(refusal({4, 8, 8, 9}, {8, 8, 8, 8}), "invalid_argument: ids are not in rising order");
}

TEST(SortedIds, FindEveryIdAndNoOther) {
  for (const auto& [name, universe] : kNamings) {
    std::set<VertexId> all;
    for (Vertex v = 0; v < 5000; ++v) all.insert(name(v * 3));
    const std::vector<VertexId> ids(all.begin(), all.end());
    const detail::SortedIds sorted(ids);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      ASSERT_EQ(sorted.find(ids[k]), k);
      for (const VertexId other : {ids[k] + 1, ids[k] - 1}) {
        ASSERT_EQ(sorted.find(other) == kNoVertex, !all.contains(other));
      }
    }
  }
  EXPECT_EQ(detail::SortedIds({}).find(0), kNoVertex);
  const std::vector<VertexId> one = {5}, clustered = {0, 1, 2, 3, 4, kMostIds - 1};
  EXPECT_EQ(detail::SortedIds(one).find(5), 0u);
  EXPECT_EQ(detail::SortedIds(one).find(6), kNoVertex);
  EXPECT_EQ(detail::SortedIds(clustered).find(3), 3u);
  EXPECT_EQ(detail::SortedIds(clustered).find(kMostIds - 1), 5u);
  EXPECT_EQ(detail::SortedIds(clustered).find(kMostIds - 2), kNoVertex);
}

TEST(WideValidation, AcceptsSearchesAndRejectsOtherParents) {
  Team team(graph_mapping(2));
  const EdgeList narrow = generate(team, Kronecker{.scale = 10});
  const WideEdgeList wide = renamed(narrow, hashed);
  const Graph graph = Graph::build(team, wide, {.order = Order::degree});
  Search search(graph, team);
  std::vector<std::int64_t> parents(graph.vertices());
  for (std::size_t k = 0; k < 20; ++k) {
    const VertexId root = graph.ids()[k * 7];
    search.run(root, parents);
    const detail::Claim claim{.root = root, .parents = parents, .ids = graph.ids()};
    ASSERT_EQ(detail::validate(team, wide, claim), std::nullopt);
    ASSERT_EQ(detail::validate(team, graph, claim), std::nullopt);
    for (std::size_t v = k; v < parents.size(); v += 61) {
      if (graph.ids()[v] == root || parents[v] < 0) continue;
      const std::int64_t before = std::exchange(parents[v], parents[v] + 1);  // nobody's id
      EXPECT_NE(detail::validate(team, wide, claim), std::nullopt);
      parents[v] = static_cast<std::int64_t>(graph.ids()[v]);
      EXPECT_NE(detail::validate(team, wide, claim), std::nullopt);
      parents[v] = -1;
      EXPECT_NE(detail::validate(team, wide, claim), std::nullopt);
      parents[v] = before;
    }
  }
}

}  // namespace
}  // namespace kinjo::graph
