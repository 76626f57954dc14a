/// Searches of small graphs, by every direction, crew, cut, order and level of vector instructions.
#include <limits>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/bfs.hpp>
#include <kinjo/graph_generators.hpp>

#include "graph/search_samples.hpp"
#include "graph/validate.hpp"
#include "simd/level.hpp"
#include "support/expect.hpp"

namespace kinjo::graph {
namespace {

using kinjo::test::error_of;
using kinjo::test::graph_mapping;
using test::list_of;
using test::path;
using test::plain_depths;
using test::random_list;
using test::star;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Ways of searching.
struct Way {
  const char* name;
  SearchOptions options;
};
constexpr Way kWays[] = {
    {"as it chooses", {}},
    {"top-down, alone", {.alpha = kNever, .team_edges = 1 << 30}},
    {"top-down, the team", {.alpha = kNever, .team_edges = 0}},
    {"bottom-up", {.alpha = 0}},
    {"both, the team", {.alpha = 0.3, .team_edges = 0}},
    {"both, few edges for the team", {.alpha = 1, .team_edges = 20}},
};

template <class Parent>
std::vector<std::int32_t> depths_found(Search& search, std::uint64_t root, std::size_t vertices) {
  // What was there before must not matter.
  std::vector<Parent> parents(vertices, Parent{7});
  const SearchResult result = search.run(root, std::span<Parent>(parents));
  std::vector<std::int32_t> depths(vertices);
  depths_of(std::span<const Parent>(parents), depths);
  EXPECT_EQ(result.reached, static_cast<std::uint64_t>(
                                std::ranges::count_if(depths, [](auto d) { return d >= 0; })));
  EXPECT_EQ(result.levels.size(), static_cast<std::size_t>(std::ranges::max(depths) + 1));
  return depths;
}

/// Searches a graph from some roots in every way, with the same memory.
void expect_right(const EdgeList& edges, Team& team, const BuildOptions& build,
                  const std::vector<std::uint64_t>& roots) {
  const Graph graph = Graph::build(team, edges, build);
  for (const std::uint64_t root : roots) {
    const auto expected = plain_depths(edges, root, build.sense);
    for (const Way& way : kWays) {
      SCOPED_TRACE(fmt::format("{}, from {}", way.name, root));
      Search search(graph, team, way.options);
      EXPECT_EQ(depths_found<std::int32_t>(search, root, edges.vertices()), expected);
      if (root != roots.front()) continue;  // what is wider is only handed over otherwise
      EXPECT_EQ(depths_found<std::int64_t>(search, root, edges.vertices()), expected);
    }
  }
}

std::map<std::string, EdgeList> samples() {
  std::map<std::string, EdgeList> all;
  all.emplace("one vertex", list_of(1, {}));
  all.emplace("one vertex with a loop", list_of(1, {{0, 0}}));
  all.emplace("two without an edge", list_of(2, {}));
  all.emplace("a word of vertices", path(64));
  all.emplace("one more than a word", path(65));
  all.emplace("a path", path(150));
  all.emplace("a star around the first", star(3000, 0));
  all.emplace("a star around the last", star(3000, 2999));
  all.emplace("dense", random_list(1, 100, 3000));
  all.emplace("sparse, with vertices alone", random_list(2, 5000, 4000));
  all.emplace("even", random_list(3, 4097, 30000));
  all.emplace("with hubs", random_list(4, 10000, 60000, 4));
  return all;
}

TEST(Search, FindsShortestPathsInEveryWay) {
  for (const auto& [name, edges] : samples()) {
    const std::uint64_t last = edges.vertices() - 1;
    for (const std::size_t threads : {1, 3}) {
      Team team(graph_mapping(threads));
      for (const std::size_t parts : {1, 4}) {
        for (const Order order : {Order::caller, Order::degree, Order::locality}) {
          SCOPED_TRACE(
              fmt::format("{}, {} threads, {} parts, {}", name, threads, parts, to_string(order)));
          expect_right(edges, team, {.order = order, .parts = parts}, {last, last / 2});
        }
      }
    }
  }
}

/// A path of 100, a clique of 300 behind it, and a path of 100 behind that.
EdgeList paths_around_a_clique() {
  constexpr Vertex kPath = 100, kClique = 300, kAll = 2 * kPath + kClique;
  std::vector<Edge> edges;
  for (Vertex v = 0; v + 1 < kAll; ++v) edges.push_back({v, v + 1});
  for (Vertex v = kPath; v < kPath + kClique; ++v) {
    for (Vertex u = kPath; u < v; ++u) edges.push_back({u, v});
  }
  return list_of(kAll, edges);
}

/// Threads that share narrow levels find the same vertices, and each counts once.
TEST(Search, CountsEveryVertexOfNarrowLevelsOnce) {
  for (const std::size_t threads : {1, 2, 7}) {
    SCOPED_TRACE(fmt::format("{} threads", threads));
    Team team(graph_mapping(threads));
    for (const Sense sense : {Sense::symmetric, Sense::directed}) {
      const EdgeList edges = generate(team, Grid{120, 150});
      const Graph graph = Graph::build(team, edges, {.sense = sense});
      Search search(graph, team, {});
      for (const std::uint64_t root : {0ul, 60 * 150 + 75ul, 120 * 150 - 1ul, 7ul}) {
        const auto expected = plain_depths(edges, root, sense);
        EXPECT_EQ(depths_found<std::int32_t>(search, root, edges.vertices()), expected);
        std::vector<std::int32_t> parents(edges.vertices());
        const SearchResult result = search.run(root, std::span(parents));
        for (std::size_t depth = 0; depth < result.levels.size(); ++depth) {
          EXPECT_EQ(result.levels[depth].frontier, static_cast<std::uint64_t>(std::ranges::count(
                                                       expected, static_cast<std::int32_t>(depth))))
              << depth;
        }
      }
    }
  }
}

/// Rows of many lengths, vertices that are not reached, and parents that lie near in another order.
TEST(Search, WalksNarrowLevelsOfRoadsInEveryOrder) {
  for (const std::size_t threads : {1, 2, 7}) {
    SCOPED_TRACE(fmt::format("{} threads", threads));
    Team team(graph_mapping(threads));
    const EdgeList edges =
        generate(team, Road{.rows = 120, .columns = 151, .labels = Labels::scrambled});
    for (const Order order : {Order::caller, Order::locality}) {
      for (const std::size_t parts : {1, 2}) {
        expect_right(edges, team, {.order = order, .parts = parts}, {0, 9000, 120 * 151 - 1});
      }
    }
  }
}

TEST(Search, LeavesNarrowLevelsForWideOnesAndComesBack) {
  const EdgeList edges = paths_around_a_clique();
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    expect_right(edges, team, {.order = Order::caller}, {0, edges.vertices() - 1, 250});
    const Graph graph = Graph::build(team, edges, {.order = Order::caller});
    Search search(graph, team, {.alpha = kNever, .team_edges = 50});
    std::vector<std::int32_t> parents(edges.vertices());
    const SearchResult result = search.run(0, std::span(parents));
    ASSERT_EQ(result.levels.size(), 202u);  // with the one that finds nothing more
    EXPECT_EQ(result.levels[100].frontier, 1u);
    EXPECT_EQ(result.levels[101].frontier, 299u);
    EXPECT_EQ(result.levels[102].frontier, 1u);
  }
}

/// A root, its children, and theirs: the second level has several times the edges that the bins of
/// two threads take at once, and no vertex is found twice.
TEST(Search, WalksLevelsOfMoreEdgesThanTheBinsTake) {
  constexpr Vertex kChildren = 4000, kEach = 200;
  std::vector<Edge> tree;
  for (Vertex child = 1; child <= kChildren; ++child) {
    tree.push_back({0, child});
    for (Vertex k = 0; k < kEach; ++k) tree.push_back({child, child * kEach + k + kChildren});
  }
  const EdgeList edges = list_of((kChildren + 1) * kEach + kChildren, tree);
  Team team(graph_mapping(2));
  // In one part of a symmetric graph such a level does without bins.
  const BuildOptions builds[] = {{.parts = 1}, {.parts = 2}, {.sense = Sense::directed}};
  for (const BuildOptions& build : builds) {
    const Graph graph = Graph::build(team, edges, build);
    Search search(graph, team, {.alpha = kNever, .team_edges = 0});
    EXPECT_EQ(depths_found<std::int32_t>(search, 0, edges.vertices()),
              plain_depths(edges, 0, build.sense));
  }
}

/// A hub's neighbours have far more neighbours than others: who went by the mean would walk them.
TEST(Search, TurnsRoundBehindALevelOfManyEdges) {
  for (const std::size_t threads : {1, 2}) {
    SCOPED_TRACE(fmt::format("{} threads", threads));
    Team team(graph_mapping(threads));
    const EdgeList edges = generate(team, Kronecker{.scale = 16});
    const Graph graph = Graph::build(team, edges, {.order = Order::caller});
    const auto degree = [&](Vertex v) { return graph.parts()[0].neighbours(v).size(); };
    Vertex hub = 0;
    for (Vertex v = 0; v < graph.vertices(); ++v) {
      if (degree(v) > degree(hub)) hub = v;
    }
    Search search(graph, team);
    std::vector<std::int32_t> parents(edges.vertices());
    const SearchResult result = search.run(hub, std::span(parents));
    EXPECT_GT(32 * result.levels[0].looked_at, threads * graph.vertices());
    EXPECT_EQ(result.levels[0].crew, Crew::team);
    EXPECT_EQ(result.levels[1].direction, Direction::bottom_up);
  }
}

TEST(Search, WalksDirectedEdgesInTheirSenseAlone) {
  for (const auto& [name, edges] : samples()) {
    for (const std::size_t threads : {1, 2}) {
      SCOPED_TRACE(fmt::format("{}, {} threads", name, threads));
      Team team(graph_mapping(threads));
      expect_right(edges, team, {.sense = Sense::directed}, {0, edges.vertices() - 1});
    }
  }
}

TEST(Search, IsRightAtEveryLevelOfVectorInstructions) {
  Team team(graph_mapping(2));
  const EdgeList skewed = generate(team, Kronecker{.scale = 13});
  const EdgeList even = generate(team, Uniform{.scale = 13});
  for (const SimdLevel level : simd_levels()) {
    SCOPED_TRACE(to_string(level));
    const kinjo::detail::ForcedLevel forced(level);
    expect_right(skewed, team, {.order = Order::caller}, {1, 77, 4000});
    expect_right(even, team, {.order = Order::caller}, {1, 77, 4000});
  }
}

TEST(Search, IsRightOnAThousandRandomGraphs) {
  Team team(graph_mapping(2));
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const std::uint64_t vertices = 1 + seed * 7919 % 300;
    const EdgeList edges = random_list(seed, vertices, seed % 13 * vertices / 4, 1 + seed % 3);
    const std::uint64_t root = seed % vertices;
    const Graph graph = Graph::build(team, edges, {.parts = 1 + seed % 2});
    Search search(graph, team, kWays[seed % std::size(kWays)].options);
    EXPECT_EQ(depths_found<std::int32_t>(search, root, vertices), plain_depths(edges, root));
  }
}

TEST(Search, SearchesOtherPeoplesRows) {
  const std::vector<std::uint32_t> begins{0, 2, 4, 6, 8, 8};
  const std::vector<Vertex> neighbours{1, 3, 0, 2, 1, 3, 2, 0};
  const Graph graph = Graph::view(begins, neighbours, Sense::symmetric);
  Team team(graph_mapping(2));
  for (const Way& way : kWays) {
    Search search(graph, team, way.options);
    EXPECT_EQ(depths_found<std::int32_t>(search, 0, 5), (std::vector<std::int32_t>{0, 1, 2, 1, -1}))
        << way.name;
  }
}

TEST(Search, TellsWhatItsLevelsDid) {
  Team team(graph_mapping(1));
  const EdgeList edges = star(200, 0);
  const Graph graph = Graph::build(team, edges, {.order = Order::caller});
  std::vector<std::int32_t> parents(200);
  Search search(graph, team, {.alpha = kNever});
  const SearchResult result = search.run(5, parents);
  ASSERT_EQ(result.levels.size(), 3u);
  EXPECT_EQ(result.reached, 200u);
  EXPECT_EQ(result.levels[1].frontier, 1u);
  EXPECT_EQ(result.levels[1].looked_at, 199u);
  EXPECT_EQ(result.levels[2].frontier, 198u);
  EXPECT_EQ(result.levels[2].looked_at, 198u);
  EXPECT_EQ(result.levels[1].direction, Direction::top_down);
  EXPECT_EQ(result.levels[1].crew, Crew::caller);
}

TEST(Search, GoesBottomUpWhereThatIsLessWork) {
  Team team(graph_mapping(1));
  const Graph graph = Graph::build(team, generate(team, Kronecker{.scale = 14}));
  Search search(graph, team);
  std::vector<std::int32_t> parents(graph.vertices());
  std::uint64_t root = 0;
  while (graph.input_degrees()[root] == 0) ++root;
  const SearchResult result = search.run(root, parents);
  EdgeCount looked_at = 0;
  for (const Level& level : result.levels) looked_at += level.looked_at;
  EXPECT_LT(looked_at, graph.entries() / 4);
}

TEST(Search, RefusesWhatIsNoVertexAndNoRoom) {
  Team team(graph_mapping(1));
  const Graph graph = Graph::build(team, path(10));
  Search search(graph, team);
  std::vector<std::int32_t> parents(10), few(9);
  EXPECT_EQ(error_of([&] { search.run(10, parents); }),
            "invalid_argument: root 10: expected a vertex below 10");
  EXPECT_EQ(error_of([&] { search.run(0, few); }),
            "invalid_argument: 9 parents of 10 vertices: expected as many");
}

TEST(Depths, AreRefusedWhereParentsAreNoTree) {
  std::vector<std::int32_t> depths(4), few(3);
  const auto of = [&](std::vector<std::int64_t> parents, std::span<std::int32_t> into) {
    return error_of([&] { depths_of(std::span<const std::int64_t>(parents), into); });
  };
  EXPECT_EQ(of({0, 0, 1, -1}, depths), "no error");
  EXPECT_EQ(depths, (std::vector<std::int32_t>{0, 1, 2, -1}));
  EXPECT_EQ(of({0, 0, 1, -1}, few), "invalid_argument: 3 depths of 4 parents: expected as many");
  EXPECT_EQ(of({0, 2, 1, -1}, depths),
            "invalid_argument: the parents of vertex 1 go round in a circle");
  EXPECT_EQ(of({0, 3, 0, -1}, depths),
            "invalid_argument: vertex 1 is reached, and its parent 3 is not");
  EXPECT_EQ(of({0, 4, 0, 0}, depths),
            "invalid_argument: vertex 1 has the parent 4: expected a vertex below 4, or -1");
}

}  // namespace
}  // namespace kinjo::graph
