/// Files whose numbers need 64 bits, and built graphs with ids.
#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/bfs.hpp>
#include <kinjo/graph_files.hpp>
#include <kinjo/graph_generators.hpp>

#include "graph/files/kgraph.hpp"
#include "graph/graph_team.hpp"
#include "graph/wide_samples.hpp"
#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::graph {
namespace {

using kinjo::test::error_of;
using kinjo::test::graph_mapping;
using kinjo::test::wide_list_of;
using Edges = std::vector<WideEdge>;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

class WideFiles : public testing::Test {
 protected:
  AnyEdgeList read(const std::string& name, const std::string& text,
                   const ReadOptions& options = {}) {
    return read_any_edges(team_, scratch_.write(name, text), options).edges;
  }
  Edges edges(const AnyEdgeList& any) {
    const auto all = std::get<WideEdgeList>(any).all();
    return {all.begin(), all.end()};
  }
  std::string fault(const std::string& name, const std::string& text,
                    const ReadOptions& options = {}) {
    const std::string error = error_of([&] { read(name, text, options); });
    const std::string head = "bad_input: cannot read '" + scratch_.path(name) + "': ";
    return error.starts_with(head) ? error.substr(head.size()) : error;
  }

  Team team_{graph_mapping(2)};
  kinjo::test::Scratch scratch_;
};

constexpr VertexId kFar = VertexId{1} << 45;

TEST_F(WideFiles, AreReadWideWhereNumbersAre) {
  const Edges expected{{0, kFar}, {7, 3}};
  const std::string lines = fmt::format("0 {}\n7 3\n", kFar);
  const AnyEdgeList text = read("a.el", lines);
  EXPECT_EQ(edges(text), expected);
  EXPECT_EQ(std::get<WideEdgeList>(text).vertices(), kFar + 1);
  EXPECT_EQ(edges(read("a.b64", bytes_of<std::uint64_t>({0, kFar, 7, 3}))), expected);
  const std::string matrix = fmt::format(
      "%%MatrixMarket matrix coordinate pattern general\n{0} {0} 2\n1 {0}\n8 4\n", kFar + 1);
  EXPECT_EQ(edges(read("a.mtx", matrix)), expected);
  EXPECT_EQ(edges(read("a.el", "1 2\n", {.vertices = kFar})), (Edges{{1, 2}}));
}

TEST_F(WideFiles, AreReadNarrowWhereThatWillDoUnlessAskedOtherwise) {
  EXPECT_TRUE(std::holds_alternative<EdgeList>(read("a.el", "1 4294967294\n")));
  EXPECT_EQ(edges(read("a.el", "1 2\n", {.width = Width::wide})), (Edges{{1, 2}}));
  EXPECT_EQ(edges(read("a.graph", "2 1\n2\n1\n", {.width = Width::wide})), (Edges{{0, 1}}));
}

TEST_F(WideFiles, AreNoneOf32BitNumbersOfWhichTheLastIsNoVertex) {
  const std::string pairs = bytes_of<std::uint32_t>({1, 4294967294, ~0u, 2});
  const std::string why =
      "byte 8: vertex 4294967295: expected at most 4294967294, since vertices are numbered in 32 "
      "bits";
  for (const Width width : {Width::automatic, Width::narrow, Width::wide}) {
    EXPECT_EQ(fault("a.b32", pairs, {.width = width}), why);
  }
  EXPECT_EQ(fault("a.b32", pairs, {.vertices = kFar}), why);
  EXPECT_EQ(fault("a.b32", pairs, {.vertices = 4294967295}),
            "byte 8: vertex 4294967295: expected at most 4294967294");
  EXPECT_EQ(edges(read("a.b32", pairs.substr(0, 8), {.vertices = kFar})), (Edges{{1, 4294967294}}));
}

TEST_F(WideFiles, AreRefusedWhere32BitsAreAskedFor) {
  const ReadOptions narrow{.width = Width::narrow};
  const std::string why = "since vertices are numbered in 32 bits";
  EXPECT_EQ(fault("a.el", "0 1\n0 4294967296\n", narrow),
            "line 2: vertex 4294967296: expected at most 4294967294, " + why);
  EXPECT_EQ(fault("a.b64", bytes_of<std::uint64_t>({0, 1, kFar, 2}), narrow),
            "byte 16: vertex 35184372088832: expected at most 4294967294, " + why);
}

TEST_F(WideFiles, NameWhatIsWrongInThem) {
  const std::string why = "since vertices are kept in 64 bits with a sign";
  EXPECT_EQ(fault("a.el", "0 9223372036854775807\n1 9223372036854775808\n"),
            "line 2: vertex 9223372036854775808: expected at most 9223372036854775807, " + why);
  EXPECT_EQ(fault("a.b64", bytes_of<std::uint64_t>({0, 1, 2, ~std::uint64_t{0}})),
            "byte 24: vertex 18446744073709551615: expected at most 9223372036854775807, " + why);
  EXPECT_EQ(fault("a.el", "0 4294967296\nx\n"),
            "line 2: expected the numbers of two vertices and at most a weight");
  EXPECT_EQ(fault("a.el", fmt::format("0 {}\n", kFar), {.vertices = kFar}),
            fmt::format("line 1: vertex {}: expected at most {}", kFar, kFar - 1));
}

TEST_F(WideFiles, HoldListsThatWereWritten) {
  const WideEdgeList list = wide_list_of(kFar + 1, {{0, kFar}, {kFar - 1, 3}});
  const Edges expected(list.all().begin(), list.all().end());
  for (const char* const name : {"a.el", "a.b64"}) {
    const std::string path = scratch_.path(name);
    write_edges(list, path);
    EXPECT_EQ(edges(read_any_edges(team_, path).edges), expected);
  }
  EXPECT_EQ(
      error_of([&] { write_edges(list, scratch_.path("a.b32")); }),
      fmt::format("invalid_argument: cannot write '{}': 35184372088833 vertices: expected at most "
                  "4294967295 in pairs of 32-bit numbers",
                  scratch_.path("a.b32")));
}

Graph sample(Team& team, Order order) {
  return Graph::build(team, test::renamed(generate(team, Kronecker{.scale = 9}), test::hashed),
                      {.order = order, .parts = 2});
}

TEST_F(WideFiles, MapGraphsWithIds) {
  const std::string path = scratch_.path("a.kgraph");
  for (const Order order : {Order::caller, Order::degree}) {
    const Graph graph = sample(team_, order);
    write_graph(graph, path);
    for (const Trust trust : {Trust::nothing, Trust::content}) {
      const Graph mapped = open_graph(path, trust);
      EXPECT_TRUE(std::ranges::equal(mapped.ids(), graph.ids()));
      EXPECT_EQ(mapped.universe(), graph.universe());
      EXPECT_EQ(mapped.bytes(), 0u);
      std::vector<std::int64_t> parents(graph.vertices());
      EXPECT_EQ(Search(mapped, team_).run(graph.ids()[3], parents).reached,
                Search(graph, team_).run(graph.ids()[3], parents).reached);
    }
  }
  EXPECT_EQ(error_of([&] { write_gap(sample(team_, Order::caller), scratch_.path("a.sg")); }),
            fmt::format(
                "invalid_argument: cannot write '{}': the graph's vertices have ids: GAP's format "
                "numbers them from 0 on",
                scratch_.path("a.sg")));
}

TEST_F(WideFiles, MapGraphsOfTheWidthThatIsAskedFor) {
  const std::string plain = scratch_.path("plain.kgraph"), ids = scratch_.path("ids.kgraph");
  write_graph(Graph::build(team_, kinjo::test::list_of(3, {{0, 1}})), plain);
  write_graph(sample(team_, Order::caller), ids);
  const auto open = [&](const std::string& path, Width width) {
    return read_graph(team_, path, {}, {.width = width});
  };
  for (const Width width : {Width::automatic, Width::narrow}) {
    EXPECT_EQ(open(plain, width).vertices(), 3u);
  }
  for (const Width width : {Width::automatic, Width::wide}) {
    EXPECT_FALSE(open(ids, width).ids().empty());
  }
  EXPECT_EQ(error_of([&] { open(plain, Width::wide); }),
            fmt::format("invalid_argument: '{}' was built without ids, which were asked for: "
                        "expected a list of edges, or a graph with ids",
                        plain));
  EXPECT_EQ(error_of([&] { open(ids, Width::narrow); }),
            fmt::format("invalid_argument: '{}' was built with ids: expected 64 bits, or a graph "
                        "without ids",
                        ids));
}

TEST_F(WideFiles, MapGraphsWithoutEdgesOfAsManyNumbers) {
  const std::string path = scratch_.path("a.kgraph");
  write_graph(Graph::build(team_, WideEdgeList(kFar, 0)), path);
  for (const Width width : {Width::automatic, Width::narrow, Width::wide}) {
    const Graph mapped = read_graph(team_, path, {}, {.width = width});
    EXPECT_EQ(mapped.vertices(), 0u);
    EXPECT_EQ(mapped.universe(), kFar);
  }
}

/// A file with a number changed, and all its sums made right again.
std::string with_number(std::string text, std::size_t at, std::uint64_t value) {
  const auto number = [&](std::size_t where) {
    std::uint64_t n;
    std::memcpy(&n, text.data() + where, sizeof n);
    return n;
  };
  const auto put = [&](std::size_t where, std::uint64_t n) {
    std::memcpy(text.data() + where, &n, sizeof n);
  };
  put(at, value);
  const std::uint64_t end = number(64), parts = number(56);
  for (std::size_t s = 80 + 24 * parts; s < end - 8; s += 24) {
    const auto section = std::string_view(text).substr(number(s), number(s + 8));
    put(s + 16, detail::check_sum(section));
  }
  put(end - 8, detail::check_sum(std::string_view(text).substr(0, end - 8)));
  return text;
}

TEST_F(WideFiles, RefuseDamagedIds) {
  const std::string path = scratch_.path("a.kgraph");
  const Graph graph =
      Graph::build(team_, wide_list_of(100, {{10, 20}, {20, 99}}), {.order = Order::degree});
  write_graph(graph, path);
  const std::string good = kinjo::test::read_file(path);
  const auto fault_of = [&](const std::string& text) {
    const std::string error = error_of([&] { open_graph(scratch_.write("a.kgraph", text)); });
    const std::string head = "bad_input: cannot read '" + path + "': ";
    return error.starts_with(head) ? error.substr(head.size()) : error;
  };
  std::uint64_t ids;  // their section is the fourth, behind one part
  std::memcpy(&ids, good.data() + 80 + 24 + 3 * 24, sizeof ids);
  EXPECT_EQ(fault_of(with_number(good, 8, 3)), "no error");
  EXPECT_EQ(fault_of(with_number(good, 8, 4)), "it has version 4: expected 2 or 3");
  EXPECT_EQ(fault_of(with_number(good, 8, 2)), "its head is cut off");
  EXPECT_EQ(fault_of(with_number(good, 72, 2)),
            "byte 72: 2 numbers of 3 vertices: expected at least as many");
  EXPECT_EQ(fault_of(with_number(good, 72, kMostIds + 1)),
            "byte 72: numbers of vertices 9223372036854775809: expected at most "
            "9223372036854775808");
  EXPECT_EQ(fault_of(with_number(good, ids + 8, 10)),
            "vertex 1 has the id 10: expected rising ids below 100");
  EXPECT_EQ(fault_of(with_number(good, ids + 16, 100)),
            "vertex 2 has the id 100: expected rising ids below 100");
  EXPECT_EQ(fault_of(with_number(good, 80 + 24 + 3 * 24 + 8, 16)),
            "its section 'ids' has 16 bytes: expected 24");
}

}  // namespace
}  // namespace kinjo::graph
