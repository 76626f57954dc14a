#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/bfs.hpp>
#include <kinjo/graph_files.hpp>
#include <kinjo/graph_generators.hpp>

#include "graph/files/kgraph.hpp"
#include "graph/graph_team.hpp"
#include "graph/reference.hpp"
#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::graph {
namespace {

using test::error_of;
using test::graph_mapping;
using test::list_of;
using Edges = std::vector<Edge>;

/// A list that was read, in a form to be compared.
struct Listed {
  std::uint64_t vertices = 0;
  Edges edges;
  std::optional<Sense> sense;
  bool operator==(const Listed&) const = default;
};

void PrintTo(const Listed& listed, std::ostream* out) {
  *out << listed.vertices << " vertices:";
  for (const Edge& e : listed.edges) *out << ' ' << e.from << '-' << e.to;
  if (listed.sense) *out << ' ' << to_string(*listed.sense);
}

class GraphFiles : public testing::Test {
 protected:
  Listed read(const std::string& name, const std::string& text, const ReadOptions& options = {},
              std::size_t threads = 1) {
    Team team(graph_mapping(threads));
    const ListedEdges listed = read_edges(team, scratch_.write(name, text), options);
    const auto all = listed.edges.all();
    return {listed.edges.vertices(), {all.begin(), all.end()}, listed.sense};
  }

  /// What is wrong with a file, without its name.
  std::string fault(const std::string& name, const std::string& text,
                    const ReadOptions& options = {}) {
    const std::string error = error_of([&] { read(name, text, options); });
    const std::string head = "bad_input: cannot read '" + scratch_.path(name) + "': ";
    return error.starts_with(head) ? error.substr(head.size()) : error;
  }

  test::Scratch scratch_;
};

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

TEST_F(GraphFiles, KnowFormatsByTheirEndings) {
  EXPECT_EQ(format_of("a/b.el"), FileFormat::text);
  EXPECT_EQ(format_of("b.mtx"), FileFormat::matrix_market);
  EXPECT_EQ(format_of("b.x.kgraph"), FileFormat::kinjo);
  EXPECT_EQ(
      error_of([] { format_of("roads.dat"); }),
      "invalid_argument: 'roads.dat' does not end as a graph's file: expected one of .el .wel "
      ".txt .tsv .csv .edges .b32 .b64 .mtx .graph .metis .sg .kgraph");
  EXPECT_STREQ(to_string(FileFormat::matrix_market), "matrix_market");
}

TEST_F(GraphFiles, ReadLinesOfTwoNumbers) {
  const Listed expected{8, {{0, 7}, {2, 1}, {3, 3}}, {}};
  EXPECT_EQ(read("a.el", "0 7\n2 1\n3 3\n"), expected);
  EXPECT_EQ(read("a.el", "# head\n\n  0\t7\r\n% more\n2 , 1\n3 3"), expected);
  EXPECT_EQ(read("a.wel", "0 7 1.5\n2 1 -3e2\n3 3 4\n"), expected);
  EXPECT_EQ(read("a.csv", "0,7\n2,1\n3,3\n"), expected);
  EXPECT_EQ(read("a.dat", "0 7\n2 1\n3 3\n", {.format = FileFormat::text}), expected);
  EXPECT_EQ(read("a.el", "0 1\n", {.vertices = 9}), (Listed{9, {{0, 1}}, {}}));
  EXPECT_EQ(read("a.el", "# nothing\n"), Listed{});
  EXPECT_EQ(read("a.el", ""), Listed{});
  EXPECT_EQ(read("a.el", "4294967294 0"), (Listed{4294967295, {{4294967294, 0}}, {}}));
}

TEST_F(GraphFiles, ReadLinesAlikeWithAnyNumberOfThreads) {
  Team team(graph_mapping(1));
  const EdgeList edges = generate(team, Kronecker{.scale = 8});
  const std::string path = scratch_.path("list.el");
  write_edges(edges, path);
  const std::string text = "# a comment\n" + test::read_file(path) + "\n\n#\n";
  const Listed expected = read("a.el", text);
  EXPECT_EQ(expected.edges, Edges(edges.all().begin(), edges.all().end()));
  for (const std::size_t threads : {2u, 3u, 16u})
    EXPECT_EQ(read("a.el", text, {}, threads), expected);
}

TEST_F(GraphFiles, PassOverAByteOrderMarkBeforeText) {
  const std::string mark = "\xef\xbb\xbf";
  const std::string matrix = "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n";
  for (const std::size_t threads : {1u, 3u}) {
    EXPECT_EQ(read("a.csv", mark + "0,7\n2,1\n", {}, threads), (Listed{8, {{0, 7}, {2, 1}}, {}}));
    EXPECT_EQ(read("a.mtx", mark + matrix, {}, threads), (Listed{2, {{1, 0}}, Sense::symmetric}));
  }
  EXPECT_EQ(read("a.el", mark), Listed{});
  EXPECT_EQ(read("a.graph", mark + "% head\n2 1\n2\n1\n"), (Listed{2, {{0, 1}}, Sense::symmetric}));
  EXPECT_EQ(fault("a.el", mark + "0 1\n2\n"),
            "line 2: expected the numbers of two vertices and at most a weight");
  EXPECT_EQ(fault("a.el", "0 1\n" + mark + "2 3\n"),
            "line 2: expected the numbers of two vertices and at most a weight");
}

TEST_F(GraphFiles, NameTheLineThatIsWrong) {
  const std::string expected = "expected the numbers of two vertices and at most a weight";
  EXPECT_EQ(fault("a.el", "0 1\n# x\n2\n"), "line 3: " + expected);
  EXPECT_EQ(fault("a.el", "0 1\nx 1\n"), "line 2: " + expected);
  EXPECT_EQ(fault("a.el", "0 1 2 3"), "line 1: " + expected);
  EXPECT_EQ(fault("a.el", "0 1 x"), "line 1: " + expected);
  EXPECT_EQ(fault("a.el", "0 1x"), "line 1: " + expected);
  EXPECT_EQ(fault("a.el", "-1 1"), "line 1: " + expected);
  EXPECT_EQ(
      fault("a.el", "0 4294967296"),
      "line 1: vertex 4294967296: expected at most 4294967294, since vertices are numbered in "
      "32 bits");
  EXPECT_EQ(fault("a.el", "0 99999999999999999999999"),
            "line 1: vertex 99999999999999999999999: expected at most 4294967294, since vertices "
            "are numbered in 32 bits");
  EXPECT_EQ(fault("a.el", "0 1 ++2\n"), "line 1: " + expected);
  EXPECT_EQ(fault("a.el", "0 1 +-2\n"), "line 1: " + expected);
  EXPECT_EQ(fault("a.el", "0 1 +\n"), "line 1: " + expected);
  EXPECT_EQ(fault("a.el", "0 +1\n"), "line 1: " + expected);
  EXPECT_EQ(fault("a.el", "1 2\n0 5\n", {.vertices = 5}), "line 2: vertex 5: expected at most 4");
}

TEST_F(GraphFiles, ReadPairsOfNumbers) {
  const Listed expected{8, {{0, 7}, {2, 1}}, {}};
  const std::string narrow = bytes_of<std::uint32_t>({0, 7, 2, 1});
  const std::string wide = bytes_of<std::uint64_t>({0, 7, 2, 1});
  for (const std::size_t threads : {1u, 3u}) {
    EXPECT_EQ(read("a.b32", narrow, {}, threads), expected);
    EXPECT_EQ(read("a.b64", wide, {}, threads), expected);
  }
  EXPECT_EQ(read("a.b32", ""), Listed{});
  EXPECT_EQ(fault("a.b32", narrow + "x"),
            "it has 17 bytes: expected a multiple of 8, pairs of 32-bit numbers");
  EXPECT_EQ(fault("a.b64", narrow + wide + narrow.substr(8)),
            "it has 56 bytes: expected a multiple of 16, pairs of 64-bit numbers");
  EXPECT_EQ(fault("a.b64", bytes_of<std::uint64_t>({0, 1, 5, 4294967296})),
            "byte 24: vertex 4294967296: expected at most 4294967294, since vertices are numbered "
            "in 32 bits");
  EXPECT_EQ(fault("a.b32", narrow, {.vertices = 7}), "byte 4: vertex 7: expected at most 6");
}

TEST_F(GraphFiles, ReadMatrixMarket) {
  EXPECT_EQ(
      read("a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n% x\n\n4 4 2\n2 1\n4 3\n"),
      (Listed{4, {{1, 0}, {3, 2}}, Sense::symmetric}));
  EXPECT_EQ(
      read("a.mtx", "%%MatrixMarket MATRIX Coordinate real general\n3 3 2\n1 2 0.5\n3 3 -1e9\n"),
      (Listed{3, {{0, 1}, {2, 2}}, Sense::directed}));
  EXPECT_EQ(
      read("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 +1.5\n2 3 1\n"),
      (Listed{3, {{0, 1}, {1, 2}}, Sense::directed}));
  EXPECT_EQ(read("a.mtx", "%%MatrixMarket matrix coordinate integer general\n0 0 0"),
            (Listed{0, {}, Sense::directed}));
}

TEST_F(GraphFiles, RefuseMatricesThatAreNoGraphs) {
  const std::string head = "%%MatrixMarket matrix coordinate pattern general\n";
  struct Case {
    std::string text, fault;
  };
  const Case cases[] = {
      {"", "line 1: expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"},
      {"1 1 1\n", "line 1: expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"},
      {"%%MatrixMarket matrix array real general\n", "line 1: 'array': expected coordinate"},
      {"%%MatrixMarket matrix coordinate complex general\n",
       "line 1: 'complex': expected pattern, real, double or integer"},
      {"%%MatrixMarket matrix coordinate real hermitian\n",
       "line 1: 'hermitian': expected general, symmetric or skew-symmetric"},
      {head, "line 2: expected 'ROWS COLUMNS ENTRIES'"},
      {head + "3 3\n", "line 2: expected 'ROWS COLUMNS ENTRIES'"},
      {head + "% c\n3 4 1\n",
       "line 3: 3 rows and 4 columns: expected as many, since both are vertices"},
      {head + "4294967296 4294967296 1\n",
       "line 2: 4294967296 vertices: expected at most 4294967295, since they are numbered in 32 "
       "bits"},
      {head + "99999999999999999999 99999999999999999999 1\n",
       "line 2: 99999999999999999999 vertices: expected at most 4294967295, since they are "
       "numbered in 32 bits"},
      {head + "3 3 2\n1 2\n", "it has 1 entries: line 2 says 2"},
      {head + "3 3 1\n0 2\n", "line 3: vertex 0: expected at least 1"},
      {head + "3 3 1\n% c\n1 4\n", "line 4: vertex 4: expected at most 3"},
      {head + "3 3 1\n1 2 7\n", "line 3: expected a row and a column"},
      {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2\n",
       "line 3: expected a row, a column and a value"},
  };
  for (const Case& c : cases) EXPECT_EQ(fault("a.mtx", c.text), c.fault);
}

TEST_F(GraphFiles, ReadMetis) {
  const Listed expected{4, {{0, 1}, {0, 3}, {1, 3}}, Sense::symmetric};
  EXPECT_EQ(read("a.graph", "% c\n4 3\n2 4\n1 4\n\n% c\n2 1\n"), expected);
  EXPECT_EQ(read("a.metis", "4 3 001\n2 9 4 9\n1 9 4 9\n\n2 9 1 9\n"), expected);
  EXPECT_EQ(read("a.graph", "4 3 110 2\n5 1 1 2 4\n5 1 1 1 4\n5 1 1\n5 1 1 2 1\n\n"), expected);
  EXPECT_EQ(read("a.graph", "0 0"), (Listed{0, {}, Sense::symmetric}));
}

TEST_F(GraphFiles, RefuseMetisThatContradictsItself) {
  struct Case {
    std::string text, fault;
  };
  const Case cases[] = {
      {"", "line 1: expected 'VERTICES EDGES [FMT [NCON]]'"},
      {"4\n", "line 1: expected 'VERTICES EDGES [FMT [NCON]]'"},
      {"4 3 0 1 1\n", "line 1: expected 'VERTICES EDGES [FMT [NCON]]'"},
      {"4 3 12\n", "line 1: format 12: expected three digits, each 0 or 1"},
      {"4 99\n", "line 1: 99 edges: expected at most 0, as many as there are bytes behind"},
      {"4294967296 1\n",
       "line 1: 4294967296 vertices: expected at most 4294967295, since they are numbered in 32 "
       "bits"},
      {"2 1\n2\n", "it ends behind vertex 1 of 2"},
      {"2 1\n2\n1\n1\n", "line 4: expected 2 vertices and no more"},
      {"99999999999999999999 1\n",
       "line 1: 99999999999999999999 vertices: expected at most 4294967295, since they are "
       "numbered in 32 bits"},
      {"2 1\n2\n3\n", "line 3: vertex 3: expected 1 to 2"},
      {"2 1\n2\n99999999999999999999\n", "line 3: vertex 99999999999999999999: expected 1 to 2"},
      {"2 1\n2\n0\n", "line 3: vertex 0: expected 1 to 2"},
      {"2 1\n1\n1\n", "line 2: vertex 1 is its own neighbour"},
      {"2 1\nx\n1\n", "line 2: expected numbers of neighbours"},
      {"2 1 1\n2\n1 3\n", "line 2: expected a weight behind each neighbour"},
      {"3 1\n2 3\n1\n1\n", "line 2: more edges than the 1 that the head says"},
      {"3 2\n2\n1\n\n", "it has 2 neighbours: expected 4, two for each of 2 edges"},
      {"3 1\n2\n3\n\n", "line 3: more edges than the 1 that the head says"},
      {"3 2\n2 3\n1\n2\n", "some edge stands in the line of one of its ends alone"},
  };
  for (const Case& c : cases) EXPECT_EQ(fault("a.graph", c.text), c.fault);
}

/// A `.sg` of rows.
std::string gap_text(char directed, std::uint64_t entries, std::uint64_t vertices,
                     const std::vector<std::uint64_t>& begins,
                     const std::vector<std::uint32_t>& neighbours) {
  return std::string(1, directed) + bytes_of<std::uint64_t>({entries, vertices}) +
         bytes_of(begins) + bytes_of(neighbours);
}

TEST_F(GraphFiles, ReadGapsRows) {
  EXPECT_EQ(read("a.sg", gap_text(0, 4, 3, {0, 2, 3, 4}, {1, 2, 0, 0})),
            (Listed{3, {{0, 1}, {0, 2}}, Sense::symmetric}));
  const std::string inverse = bytes_of<std::uint64_t>({0, 0, 1}) + bytes_of<std::uint32_t>({0});
  EXPECT_EQ(read("a.sg", gap_text(1, 1, 2, {0, 1, 1}, {1}) + inverse),
            (Listed{2, {{0, 1}}, Sense::directed}));
}

TEST_F(GraphFiles, RefuseDamagedRowsOfGap) {
  const std::string whole = gap_text(0, 4, 3, {0, 2, 3, 4}, {1, 2, 0, 0});
  EXPECT_EQ(fault("a.sg", whole.substr(0, 16)), "its head of 17 bytes is cut off");
  EXPECT_EQ(fault("a.sg", gap_text(7, 0, 0, {0}, {})), "byte 0: 7: expected 0 or 1 (directed)");
  EXPECT_EQ(fault("a.sg", whole + "x"),
            "it has 66 bytes: its head says 65 for 3 vertices and 4 neighbours");
  EXPECT_EQ(fault("a.sg", gap_text(0, ~std::uint64_t{0}, 3, {0, 2, 3, 4}, {1, 2, 0, 0})),
            "it has 65 bytes: its head says more for 3 vertices and 18446744073709551615 "
            "neighbours");
  EXPECT_EQ(fault("a.sg", gap_text(0, 4, std::uint64_t{1} << 32, {0}, {})),
            "byte 9: 4294967296 vertices: expected at most 4294967295, since they are numbered in "
            "32 bits");
  EXPECT_EQ(fault("a.sg", gap_text(0, 4, 3, {0, 3, 2, 4}, {1, 2, 0, 0})),
            "byte 25: row 1 begins at 3 and ends at 2");
  EXPECT_EQ(fault("a.sg", gap_text(0, 4, 3, {1, 2, 3, 4}, {1, 2, 0, 0})),
            "its rows have neighbours 1 to 4: expected 0 to 4");
  EXPECT_EQ(fault("a.sg", gap_text(0, 4, 3, {0, 2, 3, 4}, {1, 3, 0, 0})),
            "byte 53: vertex 3: expected a number below 3");
  EXPECT_EQ(fault("a.sg", gap_text(0, 4, 3, {0, 2, 3, 4}, {1, 2, 0, 1})),
            "some edge stands in the row of one of its ends alone");
}

TEST_F(GraphFiles, SayWhatCannotBeOpened) {
  Team team(graph_mapping(1));
  EXPECT_EQ(error_of([&] { read_edges(team, scratch_.path("none.el")); }),
            "not_found: cannot read '" + scratch_.path("none.el") + "': No such file or directory");
  std::filesystem::create_directory(scratch_.path("folder.el"));
  EXPECT_EQ(error_of([&] { read_edges(team, scratch_.path("folder.el")); }),
            "system: cannot read '" + scratch_.path("folder.el") + "': Is a directory");
  const std::string built = scratch_.write("a.kgraph", "");
  EXPECT_EQ(error_of([&] { read_edges(team, built); }),
            "invalid_argument: '" + built +
                "' holds a built graph and no list of edges: read it as a graph");
}

TEST_F(GraphFiles, WriteListsThatReadBackTheSame) {
  Team team(graph_mapping(2));
  const EdgeList edges = generate(team, Kronecker{.scale = 7});
  for (const char* name : {"a.el", "a.b32", "a.b64"}) {
    write_edges(edges, scratch_.path(name));
    const ListedEdges again = read_edges(team, scratch_.path(name), {.vertices = 128});
    EXPECT_TRUE(std::ranges::equal(again.edges.all(), edges.all())) << name;
    EXPECT_EQ(again.edges.vertices(), 128u);
  }
  EXPECT_EQ(
      error_of([&] { write_edges(edges, "a.mtx"); }),
      "invalid_argument: cannot write 'a.mtx': a list of edges is written as text or as pairs "
      "of numbers");
}

TEST_F(GraphFiles, GiveGapTheRowsInItsOrder) {
  Team team(graph_mapping(1));
  const EdgeList edges = list_of(4, {{0, 2}, {2, 1}, {1, 0}, {2, 0}, {3, 3}});
  const std::string expected = gap_text(0, 6, 4, {0, 2, 4, 6, 6}, {1, 2, 0, 2, 0, 1});
  for (const Order order : {Order::caller, Order::degree}) {
    write_gap(Graph::build(team, edges, {.order = order}), scratch_.path("a.sg"));
    EXPECT_EQ(test::read_file(scratch_.path("a.sg")), expected);
  }
  EXPECT_EQ(
      error_of([&] { write_gap(Graph::build(team, edges, {.sense = Sense::directed}), "a.sg"); }),
      "invalid_argument: cannot write 'a.sg': GAP's format wants a directed graph's edges in "
      "both senses");
}

void expect_equal(const Graph& a, const Graph& b) {
  EXPECT_EQ(a.vertices(), b.vertices());
  EXPECT_EQ(a.entries(), b.entries());
  EXPECT_EQ(a.input_edges(), b.input_edges());
  EXPECT_EQ(a.sense(), b.sense());
  EXPECT_EQ(a.order(), b.order());
  EXPECT_TRUE(std::ranges::equal(a.to_caller(), b.to_caller()));
  EXPECT_TRUE(std::ranges::equal(a.to_internal(), b.to_internal()));
  EXPECT_TRUE(std::ranges::equal(a.input_degrees(), b.input_degrees()));
  ASSERT_EQ(a.parts().size(), b.parts().size());
  for (std::size_t p = 0; p < a.parts().size(); ++p) {
    const Part &x = a.parts()[p], &y = b.parts()[p];
    ASSERT_EQ(x.vertices, y.vertices);
    ASSERT_EQ(x.kept, y.kept);
    for (std::size_t v = x.vertices.begin; v < x.vertices.end; ++v) {
      const auto row = static_cast<Vertex>(v);
      ASSERT_TRUE(std::ranges::equal(x.neighbours(row), y.neighbours(row)));
    }
    ASSERT_TRUE(std::equal(x.columns, x.column(x.kept), y.columns));
  }
}

TEST_F(GraphFiles, MapWhatWasWritten) {
  Team team(graph_mapping(2));
  const std::string path = scratch_.path("a.kgraph");
  std::vector<EdgeList> lists;
  lists.push_back(generate(team, Kronecker{.scale = 11}));
  lists.push_back(generate(team, Uniform{.scale = 11}));
  lists.push_back(generate(team, Grid{40, 30}));
  lists.push_back(list_of(1, {{0, 0}}));
  lists.push_back(EdgeList(0, 0));
  for (const EdgeList& edges : lists) {
    for (const Order order : {Order::caller, Order::degree, Order::locality}) {
      for (const Sense sense : {Sense::symmetric, Sense::directed}) {
        const Graph graph = Graph::build(team, edges, {.sense = sense, .order = order, .parts = 3});
        write_graph(graph, path);
        expect_equal(open_graph(path), graph);
        expect_equal(open_graph(path, Trust::content), graph);
        expect_equal(read_graph(team, path), graph);
        EXPECT_EQ(open_graph(path).bytes(), 0u);
      }
    }
  }
}

/// A file of kinjo's with some bytes changed, its head signed again.
std::string with_number(std::string text, std::size_t at, std::uint64_t value) {
  std::memcpy(text.data() + at, &value, sizeof value);
  std::uint64_t end;
  std::memcpy(&end, text.data() + 64, sizeof end);
  const std::uint64_t sum = detail::check_sum(std::string_view(text).substr(0, end - 8));
  std::memcpy(text.data() + end - 8, &sum, sizeof sum);
  return text;
}

TEST_F(GraphFiles, RefuseDamagedGraphs) {
  Team team(graph_mapping(1));
  const std::string path = scratch_.path("a.kgraph");
  write_graph(Graph::build(team, generate(team, Kronecker{.scale = 6}), {.order = Order::degree}),
              path);
  const std::string good = test::read_file(path);
  const auto fault_of = [&](const std::string& text, Trust trust = Trust::nothing) {
    const std::string error =
        error_of([&] { open_graph(scratch_.write("a.kgraph", text), trust); });
    const std::string head = "bad_input: cannot read '" + path + "': ";
    return error.starts_with(head) ? error.substr(head.size()) : error;
  };
  EXPECT_EQ(fault_of(good), "no error");
  EXPECT_EQ(fault_of("kinjo"), "it is no graph of kinjo's");
  EXPECT_EQ(fault_of(good.substr(0, 40)), "its head is cut off");
  EXPECT_EQ(fault_of(with_number(good, 8, 1)), "it has version 1: expected 2 or 3");
  EXPECT_EQ(fault_of(with_number(good, 16, 2)), "byte 16: sense 2: expected at most 1");
  EXPECT_EQ(fault_of(with_number(good, 24, 0)), "byte 24: order 0: expected 1 to 3");
  EXPECT_EQ(fault_of(with_number(good, 32, std::uint64_t{1} << 32)),
            "byte 32: number of vertices 4294967296: expected at most 4294967295");
  EXPECT_EQ(fault_of(with_number(good, 32, 65)), "its parts have 64 vertices: its head says 65");
  std::uint64_t entries;
  std::memcpy(&entries, good.data() + 40, sizeof entries);
  EXPECT_EQ(fault_of(with_number(good, 40, 1)),
            fmt::format("its parts have {} entries: its head says 1", entries));
  EXPECT_EQ(fault_of(with_number(good, 56, 70000)),
            "byte 56: number of parts 70000: expected at most 65536");
  EXPECT_EQ(fault_of(with_number(good, 56, 0)), "byte 56: number of parts 0: expected at least 1");
  EXPECT_EQ(fault_of(with_number(good, 72, 1)),
            "a part has vertices 1 to 64: expected them from 0 on");
  EXPECT_EQ(fault_of(with_number(good, 96, 1)).substr(0, 10),
            "it has " + std::to_string(good.size()).substr(0, 3));
  EXPECT_EQ(fault_of(with_number(good, 104, 4)),
            "its section 'to_caller' has 4 bytes: expected 256");
  std::string damaged = good;
  damaged[20] ^= 1;
  EXPECT_EQ(fault_of(damaged, Trust::content).substr(0, 7), "byte 16");
  damaged = good;
  damaged[48] ^= 1;
  EXPECT_EQ(fault_of(damaged, Trust::content), "its head is damaged: the check sum differs");
  damaged = good;
  damaged[good.size() - 100] ^= 1;
  EXPECT_EQ(fault_of(damaged).substr(0, 6), "bytes ");
  EXPECT_EQ(fault_of(damaged, Trust::content), "no error");
  EXPECT_NE(fault_of(good.substr(0, good.size() - 64)), "no error");
}

TEST_F(GraphFiles, RefuseGraphsCutElsewhereThanWords) {
  Team team(graph_mapping(1));
  const std::string path = scratch_.path("a.kgraph");
  write_graph(Graph::build(team, generate(team, Kronecker{.scale = 10}), {.parts = 2}), path);
  const std::string cut = with_number(with_number(test::read_file(path), 80, 500), 96, 500);
  EXPECT_EQ(error_of([&] { open_graph(scratch_.write("a.kgraph", cut)); }),
            "bad_input: cannot read '" + path +
                "': a part begins with vertex 500: expected a multiple of 512");
}

/// A section of a file of kinjo's with a number changed, and signed again.
template <class Number>
std::string with_value(std::string text, std::size_t entry, std::size_t index, Number value) {
  std::uint64_t offset, bytes;
  std::memcpy(&offset, text.data() + entry, sizeof offset);
  std::memcpy(&bytes, text.data() + entry + 8, sizeof bytes);
  std::memcpy(text.data() + offset + index * sizeof value, &value, sizeof value);
  return with_number(text, entry + 16,
                     detail::check_sum(std::string_view(text).substr(offset, bytes)));
}

/// The only part's rows begin behind 1, which its first row then lacks.
TEST_F(GraphFiles, AreSearchedByTheBaseThatTheySay) {
  Team team(graph_mapping(1));
  const EdgeList star = list_of(4, {{0, 1}, {0, 2}, {0, 3}});
  const Graph graph = Graph::build(team, star, {.sense = Sense::directed, .order = Order::caller});
  const std::string path = scratch_.path("a.kgraph");
  write_graph(graph, path);
  std::string text = with_value<std::uint64_t>(test::read_file(path), 192, 0, 1);
  for (std::size_t row = 1; row <= 4; ++row) text = with_value<std::uint32_t>(text, 168, row, 2);
  const Graph opened = open_graph(scratch_.write("a.kgraph", text));
  EXPECT_EQ(opened.neighbours(0).size(), 2u);
  std::vector<std::int64_t> parents(4);
  Search(opened, team).run(0, parents);
  EXPECT_EQ(parents, (std::vector<std::int64_t>{0, -1, 0, 0}));
}

TEST_F(GraphFiles, BuildGraphsInTheSenseThatTheFileSays) {
  Team team(graph_mapping(1));
  const std::string general = "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n";
  const Graph directed = read_graph(team, scratch_.write("a.mtx", general));
  EXPECT_EQ(directed.sense(), Sense::directed);
  EXPECT_EQ(directed.entries(), 1u);
  EXPECT_EQ(read_graph(team, scratch_.write("a.el", "0 1\n")).entries(), 2u);
  EXPECT_EQ(read_graph(team, scratch_.write("a.el", "0 1\n"), {.sense = Sense::directed}).entries(),
            1u);
}

}  // namespace
}  // namespace kinjo::graph
