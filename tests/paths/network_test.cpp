#include <kinjo/network.hpp>

#include <random>
#include <set>

#include <gtest/gtest.h>
#include <kinjo/graph_files.hpp>
#include <kinjo/topology.hpp>

#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::paths {
namespace {

using test::error_of;
using Edges = std::vector<Edge>;
using Names = std::vector<std::string>;

Network by_rule(std::string_view text) { return network_by_rule(text).network; }

std::string rule_error(const std::string& text) {
  return error_of([&] { network_by_rule(text); });
}

TEST(Network, CallsVerticesByNumbersOrNames) {
  const Network numbers{.vertices = 16};
  EXPECT_EQ(numbers.name(15), "15");
  EXPECT_EQ(numbers.vertex("15"), 15u);
  const Network from_1{.vertices = 16, .first_number = 1};
  EXPECT_EQ(from_1.name(0), "1");
  EXPECT_EQ(from_1.vertex("16"), 15u);
  const Network names{.vertices = 2, .names = {"London", "7"}};
  EXPECT_EQ(names.name(1), "7");
  EXPECT_EQ(names.vertex("7"), 1u);
  EXPECT_EQ(names.vertex("London"), 0u);
}

TEST(Network, SaysWhatVerticesThereAre) {
  const auto error = [](const Network& network, const char* name) {
    return error_of([&] { network.vertex(name); });
  };
  const std::string head = "not_found: there is no vertex 'x' (the graph has ";
  EXPECT_EQ(error({.vertices = 16}, "x"), head + "16 vertices, 0 to 15)");
  EXPECT_EQ(error({.vertices = 1}, "x"), head + "1 vertex, 0)");
  EXPECT_EQ(error({}, "x"), head + "no vertices)");
  EXPECT_EQ(error({.vertices = 4, .first_number = 1}, "x"), head + "4 vertices, 1 to 4)");
  EXPECT_EQ(error({.vertices = 4, .names = {"a", "b", "c", "d"}}, "x"),
            head + "4 vertices, such as 'a', 'b' and 'c')");
  EXPECT_EQ(error({.vertices = 2, .names = {"a", "b\n"}}, "x"), head + "2 vertices, 'a' and 'b?')");
  EXPECT_EQ(error({.vertices = 1, .names = {"a"}}, "x"), head + "1 vertex, 'a')");
}

TEST(Network, KnowsNoNumberThatIsWrittenOtherwise) {
  const Network network{.vertices = 16, .first_number = 1};
  for (const char* name : {"0", "17", "01", "+1", "-1", " 1", "1 ", "", "4294967297"}) {
    EXPECT_TRUE(error_of([&] { network.vertex(name); }).starts_with("not_found: ")) << name;
  }
}

TEST(Tidy, LeavesOutLoopsAndRepeatedEdges) {
  const Edges edges{{0, 1}, {2, 2}, {1, 0}, {1, 2}, {0, 1}, {0, 0}};
  Network network{3, edges, {}};
  const LeftOut merged = tidy(network, Parallel::merge);
  EXPECT_EQ(network.edges, (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(merged.loops, 2u);
  EXPECT_EQ(merged.repeated, 2u);
  network.edges = edges;
  const LeftOut kept = tidy(network, Parallel::keep);
  EXPECT_EQ(network.edges, (Edges{{0, 1}, {1, 0}, {1, 2}, {0, 1}}));
  EXPECT_EQ(kept.loops, 2u);
  EXPECT_EQ(kept.repeated, 0u);
}

TEST(Tidy, KeepsTheFirstOfEdgesThatRepeatWhicheverWayTheyAreWritten) {
  std::mt19937 random(1);
  for (const Vertex vertices : {2U, 40U, 4'000'000'000U}) {
    Network network{vertices, {}, {}};
    std::set<std::pair<Vertex, Vertex>> known;
    Edges expected;
    for (int i = 0; i < 2000; ++i) {
      // Of few vertices that are far from each other, too.
      const auto vertex = [&] {
        return static_cast<Vertex>(random() % 40 * (vertices / 40 + 1)) % vertices;
      };
      const Edge edge{vertex(), vertex()};
      network.edges.push_back(edge);
      if (edge.from != edge.to && known.insert(std::minmax(edge.from, edge.to)).second) {
        expected.push_back(edge);
      }
    }
    const LeftOut left_out = tidy(network, Parallel::merge);
    EXPECT_EQ(network.edges, expected);
    EXPECT_EQ(left_out.loops + left_out.repeated, 2000 - expected.size());
  }
}

TEST(Rules, ListEdgesByTheirLesserEnd) {
  EXPECT_EQ(by_rule("grid:1x2").edges,
            (Edges{{0, 1}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {4, 5}}));
  EXPECT_EQ(
      by_rule("king:2x3").edges,
      (Edges{
          {0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {2, 4}, {2, 5}, {3, 4}, {4, 5}}));
  EXPECT_EQ(by_rule("complete:3").edges, (Edges{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(by_rule("hypercube:2").edges, (Edges{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(by_rule("cycle:4").edges, (Edges{{0, 1}, {0, 3}, {1, 2}, {2, 3}}));
  EXPECT_EQ(by_rule("path:3").edges, (Edges{{0, 1}, {1, 2}}));
}

TEST(Rules, MakeGraphsOfTheirSizes) {
  struct Case {
    const char* rule;
    Vertex vertices;
    std::size_t edges;
  };
  for (const Case& c : {Case{"grid:16x16", 289, 544}, Case{"grid:16", 289, 544},
                        Case{"grid:1", 4, 4}, Case{"king:8x8", 64, 210}, Case{"king:8", 64, 210},
                        Case{"king:1x5", 5, 4}, Case{"king:1", 1, 0}, Case{"complete:12", 12, 66},
                        Case{"complete:1", 1, 0}, Case{"hypercube:5", 32, 80},
                        Case{"cycle:3", 3, 3}, Case{"path:1", 1, 0}, Case{"path:1K", 1024, 1023}}) {
    const Network network = by_rule(c.rule);
    EXPECT_EQ(network.vertices, c.vertices) << c.rule;
    EXPECT_EQ(network.edges.size(), c.edges) << c.rule;
    std::set<std::pair<Vertex, Vertex>> seen;
    for (const Edge& e : network.edges) {
      EXPECT_LT(e.from, e.to) << c.rule;
      EXPECT_LT(e.to, c.vertices) << c.rule;
      EXPECT_TRUE(seen.insert({e.from, e.to}).second) << c.rule;
    }
  }
}

TEST(Rules, SayTheSquaresOfAGrid) {
  const NamedNetwork grid = network_by_rule("grid:3x5");
  EXPECT_EQ(grid.grid_rows, 3u);
  EXPECT_EQ(grid.grid_columns, 5u);
  EXPECT_EQ(network_by_rule("king:3x5").grid_rows, 0u);
  EXPECT_EQ(network_by_rule("complete:3").grid_columns, 0u);
}

TEST(Rules, AreToldFromFiles) {
  for (const char* text : {"grid:16x16", "king:", "path:x"}) EXPECT_TRUE(is_rule(text)) << text;
  for (const char* text : {"grid", "./grid:16x16", "roads.gr", "kronecker:4", "", ":"}) {
    EXPECT_FALSE(is_rule(text)) << text;
  }
}

TEST(Rules, RefuseWrongSizes) {
  const std::string head = "invalid_argument: '";
  const auto expected = [&](const std::string& text, const std::string& what) {
    EXPECT_EQ(rule_error(text), head + text + "' as a graph: expected " + what);
  };
  for (const char* text : {"grid:", "grid:0", "grid:3x", "grid:3x4x5", "grid:-1x2", "grid:3,4"}) {
    expected(text, "grid:RxC or grid:N, such as grid:8x8");
  }
  expected("king:x", "king:RxC or king:N, such as king:8x8");
  expected("complete:3x3", "complete:N, such as complete:8");
  expected("hypercube:0", "hypercube:N, such as hypercube:4");
  expected("cycle:2", "cycle:N with an N of 3 or more, such as cycle:8");
  expected("path:two", "path:N, such as path:8");
  expected("wheel:5", "grid:RxC, king:RxC, complete:N, hypercube:N, cycle:N or path:N");
  for (const char* text : {"grid:3000x3000", "grid:2^62x1", "king:2^62", "complete:6000",
                           "hypercube:21", "hypercube:64", "cycle:2^25", "path:2^62"}) {
    expected(text, "at most 16777216 edges");
  }
}

/// A network in a form to be compared.
struct Read {
  Vertex vertices = 0;
  Edges edges;
  Names names;
  Vertex first_number = 0;
  bool operator==(const Read&) const = default;
};

void PrintTo(const Read& read, std::ostream* out) {
  *out << read.vertices << " vertices from " << read.first_number << ':';
  for (const Edge& e : read.edges) *out << ' ' << e.from << '-' << e.to;
  for (const std::string& name : read.names) *out << " '" << name << '\'';
}

class NetworkFiles : public testing::Test {
 protected:
  Team team_{Mapping(Topology::this_machine(), Policy::none(), 1), {.caller = Caller::joins}};

  Read read_file(const std::string& path) {
    const Network network = read_network(team_, path);
    return {network.vertices, network.edges, network.names, network.first_number};
  }
  Read read(const std::string& name, const std::string& text) {
    return read_file(scratch_.write(name, text));
  }

  /// What is wrong with a file, without its name.
  std::string fault(const std::string& name, const std::string& text) {
    const std::string error = error_of([&] { read(name, text); });
    const std::string head = "bad_input: cannot read '" + scratch_.path(name) + "': ";
    return error.starts_with(head) ? error.substr(head.size()) : error;
  }

  test::Scratch scratch_;
};

TEST_F(NetworkFiles, NumberNamesAsTheyAppear) {
  EXPECT_EQ(read("a.txt", "Paris London 344\n# sea\nLondon Oslo -1e3\n  Oslo\tParis\r\n\n"),
            (Read{3, {{0, 1}, {1, 2}, {2, 0}}, {"Paris", "London", "Oslo"}}));
  EXPECT_EQ(read("a.csv", "b,a\na , c,2.5\n% more\nc,c"),
            (Read{3, {{0, 1}, {1, 2}, {2, 2}}, {"b", "a", "c"}}));
  EXPECT_EQ(read("a.el", "7 3\n3 07\n"), (Read{3, {{0, 1}, {1, 2}}, {"7", "3", "07"}}));
  EXPECT_EQ(read("a.edges", "# nothing\n"), Read{});
  EXPECT_EQ(read("a.tsv", ""), Read{});
  EXPECT_EQ(read("a.wel", "a b 1e999"), (Read{2, {{0, 1}}, {"a", "b"}}));
}

TEST_F(NetworkFiles, NameTheLineOfAListThatIsWrong) {
  const std::string expected = "expected two vertices and at most a weight";
  EXPECT_EQ(fault("a.txt", "a b\n# x\nc\n"), "line 3: " + expected);
  EXPECT_EQ(fault("a.txt", "a b c\n"), "line 1: " + expected);
  EXPECT_EQ(fault("a.txt", "\n\na b 1 2"), "line 3: " + expected);
  EXPECT_EQ(fault("a.txt", "a b 1x"), "line 1: " + expected);
  EXPECT_EQ(fault("a.txt", std::string("a b\nb \0c\n", 9)),
            "line 2: a zero byte: expected text in 8 bits");
}

TEST_F(NetworkFiles, ReadDimacsColouring) {
  const Read triangle{3, {{0, 1}, {1, 2}, {0, 2}}, {}, 1};
  EXPECT_EQ(read("a.col", "c a triangle\np edge 3 3\ne 1 2\ne 2 3\ne 1 3\n"), triangle);
  EXPECT_EQ(read("a.col", "cx\np col 3 3\r\nn 1 4\n\ne 1 2\r\nd 2\ne 2 3\nc\ne 1 3"), triangle);
  EXPECT_EQ(read("a.col", "p edges 5 0\n"), (Read{5, {}, {}, 1}));
  EXPECT_EQ(read("a.col", "p edge 4294967295 1\ne 4294967295 1\n"),
            (Read{4294967295, {{4294967294, 0}}, {}, 1}));
}

TEST_F(NetworkFiles, ReadDimacsShortestPaths) {
  EXPECT_EQ(read("a.gr", "c roads\np sp 3 3\na 1 2 7\na 2 1 7\na 3 3 -2.5\n"),
            (Read{3, {{0, 1}, {1, 0}, {2, 2}}, {}, 1}));
}

TEST_F(NetworkFiles, NameTheLineOfADimacsGraphThatIsWrong) {
  const std::string head = "p edge 3 2\n";
  EXPECT_EQ(fault("a.col", ""), "it has no line 'p edge VERTICES EDGES'");
  EXPECT_EQ(fault("a.col", "c\ne 1 2\n"), "line 2: expected 'p edge VERTICES EDGES' before edges");
  EXPECT_EQ(fault("a.col", "1 2\n"), "line 1: expected 'p edge VERTICES EDGES'");
  EXPECT_EQ(fault("a.col", head + "a 1 2\n"), "line 2: expected 'e U V'");
  for (const char* edge : {"e 1", "e 1 2 3", "e 1 x", "e -1 2", "e"}) {
    EXPECT_EQ(fault("a.col", head + edge), "line 2: expected 'e U V'") << edge;
  }
  for (const char* line : {"p edge 3", "p edge 3 2 1", "p sp 3 2", "p", "p edge x 2"}) {
    EXPECT_EQ(fault("a.col", line), "line 1: expected 'p edge VERTICES EDGES'") << line;
  }
  EXPECT_EQ(fault("a.col", head + "\ne 0 1\n"), "line 3: vertex 0: expected 1 to 3");
  EXPECT_EQ(fault("a.col", head + "e 1 4\n"), "line 2: vertex 4: expected 1 to 3");
  EXPECT_EQ(fault("a.col", "p edge 0 1\ne 1 1\n"),
            "line 2: vertex 1: line 1 says that there are none");
  EXPECT_EQ(fault("a.col", head + head), "line 2: a second line 'p': line 1 is one");
  EXPECT_EQ(fault("a.col", "c\n" + head + "e 1 2\n"), "it has 1 edges: line 2 says 2");
  EXPECT_EQ(fault("a.col", head + "e 1 2\ne 1 3\ne 2 3\n"),
            "line 4: more edges than the 2 that line 1 says");
  EXPECT_EQ(fault("a.col", "p edge 4294967296 0\n"),
            "line 1: 4294967296 vertices: expected at most 4294967295, since they are numbered in "
            "32 bits");
  EXPECT_EQ(fault("a.gr", "p sp 2 1\na 1 2\n"), "line 2: expected 'a U V WEIGHT'");
  EXPECT_EQ(fault("a.gr", "p edge 2 1\n"), "line 1: expected 'p sp VERTICES ARCS'");
  EXPECT_EQ(fault("a.gr", "p sp 2 1\nn 1 2\n"), "line 2: expected 'a U V WEIGHT'");
  EXPECT_EQ(fault("a.gr", "p sp 2 1\n"), "it has 0 arcs: line 1 says 1");
}

TEST_F(NetworkFiles, ReadWhatGraphsAreReadFrom) {
  const std::string entries = "2 2 2\n2 1\n1 2\n";
  EXPECT_EQ(read("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n" + entries),
            (Read{2, {{1, 0}, {0, 1}}, {}, 1}));
  EXPECT_EQ(read("a.graph", "3 2\n2\n1 3\n2\n"), (Read{3, {{0, 1}, {1, 2}}, {}, 1}));
  EXPECT_EQ(read("a.b32", std::string("\0\0\0\0\2\0\0\0", 8)), (Read{3, {{0, 2}}, {}}));
  graph::EdgeList list(4, 3);
  list.all()[0] = {3, 0};
  list.all()[1] = {1, 0};
  list.all()[2] = {3, 1};
  const std::string path = scratch_.path("a.kgraph");
  graph::write_graph(graph::Graph::build(team_, list, {.order = graph::Order::degree}), path);
  EXPECT_EQ(read_file(path), (Read{4, {{0, 1}, {0, 3}, {1, 3}}, {}}));
  graph::write_graph(graph::Graph::build(team_, list, {.sense = graph::Sense::directed}), path);
  EXPECT_EQ(read_file(path), (Read{4, {{1, 0}, {3, 0}, {3, 1}}, {}}));
  graph::WideEdgeList wide(100, 2);
  wide.all()[0] = {70, 10};
  wide.all()[1] = {10, 99};
  graph::write_graph(graph::Graph::build(team_, wide), path);
  EXPECT_EQ(read_file(path), (Read{3, {{0, 1}, {0, 2}}, {"10", "70", "99"}}));
}

/// What some programs write before UTF-8.
const std::string kByteOrderMark = "\xef\xbb\xbf";

TEST_F(NetworkFiles, PassOverAByteOrderMark) {
  EXPECT_EQ(read("a.txt", kByteOrderMark + "a b\nb c\n"),
            (Read{3, {{0, 1}, {1, 2}}, {"a", "b", "c"}}));
  EXPECT_EQ(read("a.csv", kByteOrderMark + "# towns\na,b"), (Read{2, {{0, 1}}, {"a", "b"}}));
  EXPECT_EQ(read("a.el", kByteOrderMark), Read{});
  EXPECT_EQ(read("a.col", kByteOrderMark + "p edge 2 1\ne 1 2\n"), (Read{2, {{0, 1}}, {}, 1}));
  EXPECT_EQ(read("a.gr", kByteOrderMark + "p sp 2 1\na 1 2 7\n"), (Read{2, {{0, 1}}, {}, 1}));
  EXPECT_EQ(read("a.mtx", kByteOrderMark +
                              "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"),
            (Read{2, {{1, 0}}, {}, 1}));
  EXPECT_EQ(fault("a.txt", kByteOrderMark + "a b\nc\n"),
            "line 2: expected two vertices and at most a weight");
}

TEST_F(NetworkFiles, PassOverNoOtherMark) {
  const std::string twice = kByteOrderMark + kByteOrderMark;
  EXPECT_EQ(read("a.txt", twice + "a b\n").names, (Names{kByteOrderMark + "a", "b"}));
  EXPECT_EQ(read("a.txt", "a b\n" + kByteOrderMark + "a b\n").names,
            (Names{"a", "b", kByteOrderMark + "a"}));
  EXPECT_EQ(read("a.txt", "\xef\xbb b\n").names, (Names{"\xef\xbb", "b"}));
}

TEST_F(NetworkFiles, TakeWhatIsNoFileAndHasAColonForARule) {
  EXPECT_EQ(error_of([&] { read_file("torus:3"); }), rule_error("torus:3"));
  EXPECT_EQ(error_of([&] { read_file("roads:1.txt"); }), rule_error("roads:1.txt"));
  EXPECT_EQ(read_file("path:3").edges, by_rule("path:3").edges);
  EXPECT_EQ(read("path:3.el", "a b\n").names, (Names{"a", "b"}));
}

TEST_F(NetworkFiles, RefuseWhatIsNone) {
  EXPECT_EQ(
      error_of([&] { read_file("roads.dat"); }),
      "invalid_argument: 'roads.dat' does not end as a graph's file: expected one of .el .wel "
      ".txt .tsv .csv .edges .b32 .b64 .mtx .graph .metis .sg .kgraph .col .gr");
  for (const char* name : {"none.col", "none.gr", "none.txt", "none.mtx", "none.kgraph"}) {
    const std::string path = scratch_.path(name);
    EXPECT_EQ(error_of([&] { read_file(path); }),
              "not_found: cannot read '" + path + "': No such file or directory");
  }
}

}  // namespace
}  // namespace kinjo::paths
