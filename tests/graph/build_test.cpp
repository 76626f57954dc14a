#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/graph_generators.hpp>

#include "graph/buckets.hpp"
#include "graph/graph_team.hpp"
#include "graph/reference.hpp"
#include "graph/stretches.hpp"
#include "support/expect.hpp"
#include "support/failing_new.hpp"

namespace kinjo::graph {
namespace {

using test::error_of;
using test::graph_mapping;
using test::list_of;

struct Sample {
  const char* name;
  EdgeList edges;
};

EdgeList star(Vertex n, Vertex hub) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v < n; ++v) edges.push_back(v % 2 == 0 ? Edge{hub, v} : Edge{v, hub});
  return list_of(n, edges);
}

EdgeList loops(Vertex n) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v < n; ++v) edges.push_back({v, v});
  return list_of(n, edges);
}

/// Rows that are all short but one bucket's, in some of which edges come twice.
EdgeList grid_with_hub() {
  Team team(graph_mapping(1));
  const EdgeList grid = generate(team, Grid{200, 450});
  std::vector<Edge> edges(grid.all().begin(), grid.all().end());
  for (std::size_t i = 0; i < 1000; ++i) edges.push_back(edges[i * 97]);
  for (Vertex v = 0; v < 40; ++v) edges.push_back({70000, 1000 * v});
  return list_of(90000, edges);
}

/// Every vertex and those that follow it, `reach` of them.
std::vector<Edge> band(Vertex n, Vertex reach) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v < n; ++v) {
    for (Vertex u = v + 1; u < n && u <= v + reach; ++u) edges.push_back({v, u});
  }
  return edges;
}

/// The same, and behind some edges others as `also` has it.
std::vector<Edge> with(const std::vector<Edge>& edges, std::size_t step,
                       const std::function<Edge(const Edge&)>& also) {
  std::vector<Edge> all;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    all.push_back(edges[i]);
    if (i % step == 0) all.push_back(also(edges[i]));
  }
  return all;
}

/// Lists of several buckets that need not be dealt: see graph/stretches.hpp.
std::vector<Sample> samples_in_order() {
  Team team(graph_mapping(1));
  const EdgeList list = generate(team, Grid{300, 300});
  const std::vector<Edge> grid(list.all().begin(), list.all().end());
  std::vector<Edge> backwards(grid.rbegin(), grid.rend()), by_sense = grid, hub = grid;
  std::stable_partition(by_sense.begin(), by_sense.end(),
                        [](const Edge& e) { return e.to == e.from + 1; });
  for (Vertex k = 0; k < 25; ++k) {  // short rows everywhere else
    hub.insert(hub.begin() + 100000, {50000, 50000 + 7 * k});
  }
  std::vector<Sample> all;
  all.push_back({"grid", list_of(90000, grid)});
  all.push_back({"grid backwards", list_of(90000, backwards)});
  all.push_back({"grid, row by row and then by columns", list_of(90000, by_sense)});
  all.push_back({"grid with repetitions", list_of(90000, with(grid, 97, [](const Edge& e) {
                                                    return Edge{e.to, e.from};
                                                  }))});
  all.push_back({"grid with loops", list_of(90000, with(grid, 501, [](const Edge& e) {
                                              return Edge{e.to, e.to};
                                            }))});
  all.push_back({"grid with a hub", list_of(90000, hub)});
  all.push_back({"short rows", list_of(60000, band(60000, 5))});
  all.push_back({"long rows", list_of(12000, band(12000, 20))});
  all.push_back({"long rows with repetitions",
                 list_of(12000, with(band(12000, 20), 7, [](const Edge& e) { return e; }))});
  return all;
}

/// Every kind of list, small enough to build it again and again.
std::vector<Sample> samples() {
  Team team(graph_mapping(1));
  std::vector<Sample> all;
  all.push_back({"nothing", EdgeList(0, 0)});
  all.push_back({"one vertex", EdgeList(1, 0)});
  all.push_back({"one loop", list_of(1, {{0, 0}})});
  all.push_back({"two vertices", list_of(2, {{1, 0}})});
  all.push_back({"the last vertex", list_of(700, {{699, 0}, {699, 699}, {0, 699}})});
  all.push_back({"no edge", EdgeList(5000, 0)});
  all.push_back({"all loops", loops(3000)});
  all.push_back({"one hub", star(5000, 1234)});
  all.push_back({"one edge a thousand times", list_of(1025, std::vector<Edge>(1000, {3, 1024}))});
  all.push_back({"kronecker", generate(team, Kronecker{.scale = 12, .edge_factor = 16})});
  all.push_back({"dense kronecker", generate(team, Kronecker{.scale = 6, .edge_factor = 200})});
  all.push_back({"uniform", generate(team, Uniform{.scale = 12, .edge_factor = 5})});
  all.push_back({"dense uniform", generate(team, Uniform{.scale = 9, .edge_factor = 12})});
  all.push_back({"grid", generate(team, Grid{.rows = 61, .columns = 77})});
  all.push_back({"scrambled grid", generate(team, Grid{61, 77, Labels::scrambled})});
  all.push_back({"road", generate(team, Road{.rows = 61, .columns = 77})});
  return all;
}

/// How often each vertex is met at other ones: what rows are ordered by.
std::vector<std::uint32_t> keys_of(const EdgeList& edges, Sense sense) {
  std::vector<std::uint32_t> keys(edges.vertices());
  for (const Edge& e : edges.all()) {
    if (e.from == e.to) continue;
    ++keys[e.to];
    if (sense == Sense::symmetric) ++keys[e.from];
  }
  return keys;
}

Vertex caller_of(const Graph& graph, Vertex internal) {
  return graph.to_caller().empty() ? internal : graph.to_caller()[internal];
}

void expect_tables(const Graph& graph) {
  const auto to_caller = graph.to_caller(), to_internal = graph.to_internal();
  if (graph.order() == Order::caller) {
    EXPECT_TRUE(to_caller.empty());
    EXPECT_TRUE(to_internal.empty());
    return;
  }
  ASSERT_EQ(to_caller.size(), graph.vertices());
  ASSERT_EQ(to_internal.size(), graph.vertices());
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    ASSERT_LT(to_caller[v], graph.vertices());
    ASSERT_EQ(to_internal[to_caller[v]], v);
  }
}

/// Whether no vertex has many neighbours, so that rows are in the order of the callers' numbers.
bool is_flat(const Graph& graph, std::span<const std::uint32_t> keys, Order asked_for) {
  return graph.sense() == Sense::symmetric && asked_for != Order::degree &&
         (keys.empty() || std::ranges::max(keys) <= 16);
}

/// The row of a vertex by the caller's numbers, as the graph must have it.
std::vector<Vertex> expected_row(const Graph& graph, std::span<const Vertex> plain,
                                 std::span<const std::uint32_t> keys, bool flat) {
  std::vector<Vertex> row(plain.begin(), plain.end());
  if (flat) return row;
  if (graph.order() == Order::locality) {
    std::ranges::sort(row, {}, [&](Vertex v) { return graph.to_internal()[v]; });
  } else {
    std::ranges::stable_sort(row, std::ranges::greater{}, [&](Vertex v) { return keys[v]; });
  }
  return row;
}

/// Four columns where degrees are even and at least 20 in the mean, else two.
std::size_t expected_columns(const Graph& graph) {
  EdgeCount most = 0;
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    most = std::max<EdgeCount>(most, graph.neighbours(v).size());
  }
  const bool even = most * graph.vertices() <= 4 * graph.entries();
  const bool dense = graph.entries() >= 20 * graph.vertices();
  return graph.sense() == Sense::symmetric && even && dense ? 4 : 2;
}

void expect_columns(const Graph& graph, bool has_none) {
  const std::size_t kept = has_none || graph.vertices() == 0 ? 0 : expected_columns(graph);
  for (const Part& part : graph.parts()) {
    ASSERT_EQ(part.kept, kept);
    for (std::size_t i = 0; i < part.vertices.size(); ++i) {
      const auto v = static_cast<Vertex>(part.vertices.begin + i);
      const auto row = part.neighbours(v);
      for (std::size_t c = 0; c < kept; ++c) {
        ASSERT_EQ(part.column(c)[i], row.empty() ? v : row[c < row.size() ? c : 0]);
      }
    }
  }
}

/// A list's rows, made in the plainest way.
struct Expected {
  Expected(const EdgeList& list, Sense s)
      : edges(list),
        sense(s),
        plain(detail::reference_rows(list, s)),
        keys(keys_of(list, s)),
        degrees(detail::reference_degrees(list)) {}
  const EdgeList& edges;
  Sense sense;
  detail::ReferenceRows plain;
  std::vector<std::uint32_t> keys, degrees;
};

/// Everything that a graph promises.
void expect_right(const Graph& graph, const Expected& expected, Order asked_for) {
  const auto& [edges, sense, plain, keys, all_degrees] = expected;
  EXPECT_EQ(graph.vertices(), edges.vertices());
  EXPECT_EQ(graph.input_edges(), edges.size());
  EXPECT_EQ(graph.entries(), plain.neighbours.size());
  EXPECT_EQ(graph.sense(), sense);
  expect_tables(graph);
  const bool flat = is_flat(graph, keys, asked_for);
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    const Vertex caller = caller_of(graph, v);
    std::vector<Vertex> row;
    for (const Vertex u : graph.neighbours(v)) row.push_back(caller_of(graph, u));
    ASSERT_EQ(row, expected_row(graph, plain.row(caller), keys, flat)) << "vertex " << caller;
  }
  expect_columns(graph, graph.order() == Order::locality || flat);
  const auto degrees = graph.input_degrees();
  if (sense == Sense::directed || graph.entries() == 2 * edges.size()) {
    EXPECT_TRUE(degrees.empty());
  } else {
    EXPECT_TRUE(std::ranges::equal(degrees, all_degrees));
  }
}

void expect_right_in_all_orders(const Sample& sample, Sense sense, std::vector<Team*> teams) {
  const Expected expected(sample.edges, sense);
  for (Team* const team : teams) {
    for (const Order order : {Order::automatic, Order::caller, Order::degree, Order::locality}) {
      for (const std::size_t parts : {0u, 3u}) {
        SCOPED_TRACE(fmt::format("{}, {} threads, {}, {} parts, {}", sample.name, team->size(),
                                 to_string(order), parts, to_string(sense)));
        const Graph graph =
            Graph::build(*team, sample.edges, {.sense = sense, .order = order, .parts = parts});
        EXPECT_NE(graph.order(), Order::automatic);
        expect_right(graph, expected, order);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(Construction, GivesTheRowsOfThePlainestWay) {
  Team one(graph_mapping(1)), two(graph_mapping(2)), five(graph_mapping(5));
  for (const Sample& sample : samples()) {
    for (const Sense sense : {Sense::symmetric, Sense::directed}) {
      expect_right_in_all_orders(sample, sense, {&one, &two, &five});
    }
  }
}

TEST(Construction, GivesTheSameRowsThroughManyBucketsAndPastTheCaches) {
  Team team(graph_mapping(3));
  const EdgeList edges = generate(team, Kronecker{.scale = 16, .edge_factor = 20});
  ASSERT_GT(detail::bucket_count(edges.vertices(), detail::bucket_shift(1 << 16, 2 * edges.size())),
            32u);
  ASSERT_EQ(detail::past_for(2 * edges.size()), detail::Past::caches);
  const Expected expected(edges, Sense::symmetric);
  for (const Order order : {Order::caller, Order::degree}) {
    expect_right(Graph::build(team, edges, {.order = order, .parts = 2}), expected, order);
  }
}

TEST(Construction, GivesTheSameRowsWhereSomeBucketsHaveShortRowsAlone) {
  Team team(graph_mapping(2));
  const EdgeList edges = grid_with_hub();
  ASSERT_GT(detail::bucket_count(edges.vertices(),
                                 detail::bucket_shift(edges.vertices(), 2 * edges.size())),
            2u);
  const Expected expected(edges, Sense::symmetric);
  for (const Order order : {Order::caller, Order::locality}) {
    expect_right(Graph::build(team, edges, {.order = order}), expected, order);
  }
}

TEST(Construction, GivesTheSameRowsOfListsThatNeedNotBeDealt) {
  Team three(graph_mapping(3));
  for (const Sample& sample : samples_in_order()) {
    for (const Sense sense : {Sense::symmetric, Sense::directed}) {
      const EdgeCount entries = sample.edges.size() * (sense == Sense::symmetric ? 2 : 1);
      const unsigned shift = detail::bucket_shift(sample.edges.vertices(), entries);
      ASSERT_GT(detail::bucket_count(sample.edges.vertices(), shift), 1u) << sample.name;
      ASSERT_TRUE(detail::Stretches::find(three, sample.edges, sense, shift)) << sample.name;
      const Expected expected(sample.edges, sense);
      for (const Order order : {Order::automatic, Order::degree, Order::locality}) {
        SCOPED_TRACE(fmt::format("{}, {}, {}", sample.name, to_string(order), to_string(sense)));
        const std::size_t parts = order == Order::automatic ? 0 : 2;
        expect_right(
            Graph::build(three, sample.edges, {.sense = sense, .order = order, .parts = parts}),
            expected, order);
      }
    }
  }
}

TEST(Stretches, AreThoseOfListsThatTouchFewBucketsAtATime) {
  Team team(graph_mapping(2));
  const auto find = [&](const EdgeList& edges) {
    return detail::Stretches::find(team, edges, Sense::symmetric,
                                   detail::bucket_shift(edges.vertices(), 2 * edges.size()));
  };
  EXPECT_TRUE(find(generate(team, Grid{500, 700})));
  EXPECT_TRUE(find(generate(team, Road{.rows = 500, .columns = 700})));
  EXPECT_TRUE(find(EdgeList(5, 0)));
  EXPECT_FALSE(find(generate(team, Grid{500, 700, Labels::scrambled})));
  EXPECT_FALSE(find(generate(team, Kronecker{.scale = 15})));
  EXPECT_FALSE(find(generate(team, Uniform{.scale = 15})));
}

TEST(Stretches, AreNotUsedWhereAllButTheSampleIsOutOfOrder) {
  Team team(graph_mapping(2));
  EdgeList edges = generate(team, Uniform{.scale = 14});
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i / 2048 % 3 == 0) edges.all()[i] = {5, 6};  // one of 128 stretches in three is looked at
  }
  const unsigned shift = detail::bucket_shift(edges.vertices(), 2 * edges.size());
  EXPECT_FALSE(detail::Stretches::find(team, edges, Sense::symmetric, shift));
  expect_right(Graph::build(team, edges), Expected(edges, Sense::symmetric), Order::automatic);
}

TEST(Stretches, CountTheEntriesOfEachBucket) {
  Team team(graph_mapping(3));
  const auto sum = [](const detail::Counts& counts) {
    std::vector<EdgeCount> sums(counts[0].size());
    for (const auto& of_thread : counts) {
      for (std::size_t b = 0; b < sums.size(); ++b) sums[b] += of_thread[b];
    }
    return sums;
  };
  for (const Sample& sample : samples_in_order()) {
    for (const Sense sense : {Sense::symmetric, Sense::directed}) {
      const unsigned shift = detail::bucket_shift(sample.edges.vertices(), sample.edges.size());
      const auto stretches = detail::Stretches::find(team, sample.edges, sense, shift);
      ASSERT_TRUE(stretches) << sample.name;
      EXPECT_EQ(sum(stretches->count(team)),
                sum(detail::count_edges(team, sample.edges, sense, shift)))
          << sample.name;
    }
  }
}

TEST(DegreeOrder, DealsTheVerticesByFallingDegreeToTheParts) {
  Team team(graph_mapping(2));
  const EdgeList edges = generate(team, Kronecker{.scale = 12});
  const auto keys = keys_of(edges, Sense::symmetric);
  const Graph graph = Graph::build(team, edges, {.order = Order::degree, .parts = 3});
  ASSERT_EQ(graph.parts().size(), 3u);
  std::vector<std::uint32_t> dealt;
  for (std::size_t row = 0; dealt.size() < 3 * 1024; ++row) {  // as long as all have room
    for (const Part& part : graph.parts()) {
      dealt.push_back(keys[graph.to_caller()[part.vertices.begin + row]]);
    }
  }
  EXPECT_TRUE(std::ranges::is_sorted(dealt, std::ranges::greater{}));
}

TEST(LocalityOrder, BringsTheNeighboursOfAScrambledGridTogether) {
  Team team(graph_mapping(1));
  const EdgeList edges = generate(team, Grid{300, 300, Labels::scrambled});
  const Graph graph = Graph::build(team, edges);
  ASSERT_EQ(graph.order(), Order::locality);
  std::size_t near = 0;
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    for (const Vertex u : graph.neighbours(v)) near += (u > v ? u - v : v - u) < 512;
  }
  EXPECT_GT(static_cast<double>(near), 0.9 * static_cast<double>(graph.entries()));
}

/// A repetition or a loop, which rows in slots may not have, is left out in other ways.
TEST(LocalityOrder, IsTheSameWhetherRowsFitIntoSlotsOrNot) {
  Team one(graph_mapping(1)), three(graph_mapping(3));
  const EdgeList grid = generate(one, Grid{300, 300, Labels::scrambled});
  const Graph expected = Graph::build(one, grid, {.parts = 1});
  ASSERT_EQ(expected.order(), Order::locality);
  const Edge first = grid.all().front(), last = grid.all().back();
  const Edge extras[] = {first, {first.to, first.from}, last, {last.to, last.to}};
  for (Team* const team : {&one, &three}) {
    for (const std::size_t parts : {1, 2}) {
      const Graph same = Graph::build(*team, grid, {.parts = parts});
      EXPECT_TRUE(std::ranges::equal(same.to_caller(), expected.to_caller()));
      EXPECT_TRUE(same.input_degrees().empty());
    }
    for (const Edge& extra : extras) {
      std::vector<Edge> edges(grid.all().begin(), grid.all().end());
      edges.push_back(extra);
      const Graph same = Graph::build(*team, list_of(grid.vertices(), edges), {.parts = 1});
      EXPECT_TRUE(std::ranges::equal(same.to_caller(), expected.to_caller()));
      EXPECT_EQ(same.entries(), expected.entries());
      for (Vertex v = 0; v < same.vertices(); ++v) {
        ASSERT_TRUE(std::ranges::equal(same.neighbours(v), expected.neighbours(v))) << v;
      }
    }
  }
}

TEST(AutomaticOrder, TakesWhatTheShapeAsksFor) {
  struct Case {
    const char* name;
    EdgeList edges;
    std::size_t parts;
    Order expected;
  };
  Team team(graph_mapping(2));
  Case cases[] = {
      {"kronecker on one node", generate(team, Kronecker{.scale = 17}), 1, Order::caller},
      {"kronecker on two nodes", generate(team, Kronecker{.scale = 17}), 2, Order::degree},
      {"uniform", generate(team, Uniform{.scale = 17}), 2, Order::caller},
      {"sparse uniform", generate(team, Uniform{.scale = 17, .edge_factor = 2}), 1, Order::caller},
      {"grid in rows", generate(team, Grid{400, 400}), 1, Order::caller},
      {"scrambled grid", generate(team, Grid{400, 400, Labels::scrambled}), 1, Order::locality},
      {"scrambled road",
       generate(team, Road{.rows = 400, .columns = 400, .labels = Labels::scrambled}), 1,
       Order::locality},
      {"small", generate(team, Grid{30, 30, Labels::scrambled}), 1, Order::caller},
      {"nothing", EdgeList(100000, 0), 1, Order::caller},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Graph::build(team, c.edges, {.parts = c.parts}).order(), c.expected) << c.name;
  }
}

TEST(Construction, NamesTheFirstEdgeThatHasNoVertex) {
  for (const std::size_t threads : {1u, 3u}) {
    Team team(graph_mapping(threads));
    std::vector<Edge> edges(10000, {1, 2});
    edges[7000] = {4, 9};
    edges[5000] = {8, 1};
    EXPECT_EQ(error_of([&] { Graph::build(team, list_of(8, edges)); }),
              "invalid_argument: edge 5000 begins in vertex 8: expected a number below 8");
    edges[5000] = {1, 4000000000};
    EXPECT_EQ(error_of([&] { Graph::build(team, list_of(8, edges)); }),
              "invalid_argument: edge 5000 ends in vertex 4000000000: expected a number below 8");
    EdgeList grid = generate(team, Grid{300, 300});
    grid.all()[123456].to = 90000;
    EXPECT_EQ(error_of([&] { Graph::build(team, grid); }),
              "invalid_argument: edge 123456 ends in vertex 90000: expected a number below 90000");
    EXPECT_EQ(error_of([&] {
                Graph::build(team, list_of(0, {{0, 0}}));
              }),
              "invalid_argument: edge 0 begins in vertex 0: expected a number below 0");
  }
}

TEST(Construction, TellsWhatBegins) {
  Team team(graph_mapping(2));
  const auto told = [&](const EdgeList& edges, Order order) {
    std::string stages;
    Graph::build(team, edges, {.order = order, .begins = [&](const char* stage) {
                                 stages += stages.empty() ? "" : ", ";
                                 stages += stage;
                               }});
    return stages;
  };
  const EdgeList edges = generate(team, Kronecker{.scale = 8});
  EXPECT_EQ(told(edges, Order::degree),
            "dealing edges, filling rows, ordering vertices, sorting rows, assembling rows");
  EXPECT_EQ(told(generate(team, Grid{8, 8}), Order::caller),
            "dealing edges, filling rows, ordering vertices, assembling rows");
  EXPECT_EQ(told(EdgeList(0, 0), Order::automatic), "dealing edges, assembling rows");
}

TEST(Construction, EndsWhereItsListenerThrows) {
  Team team(graph_mapping(2));
  const EdgeList edges = generate(team, Kronecker{.scale = 8});
  for (const char* last : {"dealing edges", "ordering vertices", "assembling rows"}) {
    BuildOptions options{.order = Order::degree};
    options.begins = [&](const char* stage) {
      if (std::string_view(stage) == last) throw Error(Errc::usage, last);
    };
    EXPECT_EQ(error_of([&] { Graph::build(team, edges, options); }), std::string("usage: ") + last);
  }
  EXPECT_EQ(Graph::build(team, edges).input_edges(), edges.size());
}

/// Builds a list while one allocation after the other fails, and then as it should be.
void expect_nothing_left_behind(const EdgeList& edges, const BuildOptions& options) {
  Team team(graph_mapping(2));
  const auto build = [&] {
    try {
      Graph::build(team, edges, options);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  };
  EXPECT_GT(test::fail_each_allocation(build, [](int) {}), 20);
  expect_right(Graph::build(team, edges, options), Expected(edges, Sense::symmetric),
               options.order);
}

TEST(Construction, LeavesNothingBehindWhereMemoryRunsOut) {
  Team team(graph_mapping(2));
  expect_nothing_left_behind(generate(team, Kronecker{.scale = 10}),
                             {.order = Order::degree, .parts = 2});
  // One thread finds an order that the other waits for.
  expect_nothing_left_behind(generate(team, Grid{260, 260, Labels::scrambled}),
                             {.order = Order::locality});
}

/// More than two only while the graph stays within a fifth of what its rows alone take with begins
/// of 64 bits.
TEST(Columns, AreFourWhereTheFirstNeighboursAreHardlyTheLikeliest) {
  Team team(graph_mapping(2));
  const EdgeList uniform = generate(team, Uniform{.scale = 14});
  const Graph even = Graph::build(team, uniform);
  EXPECT_EQ(even.parts()[0].kept, 4u);
  EXPECT_LT(static_cast<double>(even.bytes()),
            1.2 * static_cast<double>(4 * even.entries() + 8 * even.vertices()));
  for (const Order order : {Order::caller, Order::degree}) {
    const EdgeList skewed = generate(team, Kronecker{.scale = 14});
    EXPECT_EQ(Graph::build(team, skewed, {.order = order}).parts()[0].kept, 2u);
  }
  const EdgeList sparse = generate(team, Uniform{.scale = 14, .edge_factor = 9});
  EXPECT_EQ(Graph::build(team, sparse).parts()[0].kept, 2u);
}

TEST(BuildBytes, AreWhatAGraphTakesAtMost) {
  Team team(graph_mapping(2));
  for (const Order order : {Order::caller, Order::degree}) {
    for (const EdgeList& edges :
         {generate(team, Kronecker{.scale = 14}), generate(team, Uniform{.scale = 14})}) {
      const Graph graph = Graph::build(team, edges, {.order = order});
      EXPECT_LT(graph.bytes(), build_bytes(edges.vertices(), edges.size(), {.order = order}));
    }
  }
  // 24 bytes for both ends of an edge while it is built, and some tables.
  const double per_edge = static_cast<double>(build_bytes(1 << 24, EdgeCount{16} << 24)) /
                          static_cast<double>(EdgeCount{16} << 24);
  EXPECT_LT(per_edge, 27.0);
}

}  // namespace
}  // namespace kinjo::graph
