#include <gtest/gtest.h>
#include <kinjo/graph.hpp>

#include "graph/graph_data.hpp"
#include "graph/graph_team.hpp"
#include "graph/reference.hpp"
#include "support/expect.hpp"

namespace kinjo::graph {
namespace {

using test::error_of;
using test::list_of;

TEST(EdgeList, RefusesWhatDoesNotFit) {
  EXPECT_EQ(error_of([] { EdgeList(4294967296, 1); }),
            "invalid_argument: 4294967296 vertices: expected at most 4294967295, since they are "
            "numbered in 32 bits");
  EXPECT_EQ(error_of([] { EdgeList(5, ~EdgeCount{0}); }),
            "out_of_memory: a list of 18446744073709551615 edges exceeds the address space");
  const std::string fault = error_of([] { EdgeList(5, EdgeCount{1} << 50); });
  EXPECT_TRUE(fault.starts_with("out_of_memory: a list of 1125899906842624 edges takes 8 PiB: "))
      << fault;
  EXPECT_TRUE(fault.ends_with(" are available")) << fault;
}

TEST(GraphView, ShowsRowsOfOthers) {
  const std::vector<std::uint32_t> begins = {0, 2, 3, 3, 4};
  const std::vector<Vertex> neighbours = {1, 3, 0, 0};
  const Graph graph = Graph::view(begins, neighbours, Sense::directed);
  EXPECT_EQ(graph.vertices(), 4u);
  EXPECT_EQ(graph.entries(), 4u);
  EXPECT_EQ(graph.order(), Order::caller);
  EXPECT_EQ(graph.sense(), Sense::directed);
  EXPECT_EQ(graph.bytes(), 0u);
  EXPECT_EQ(graph.neighbours(0).data(), neighbours.data());
  EXPECT_EQ(graph.neighbours(0).size(), 2u);
  EXPECT_TRUE(graph.neighbours(2).empty());
  EXPECT_EQ(graph.neighbours(3)[0], 0u);
}

TEST(GraphView, RefusesRowsThatAreNone) {
  using Begins = std::vector<std::uint32_t>;
  const auto view = [](const Begins& begins, const std::vector<Vertex>& neighbours) {
    return error_of([&] { Graph::view(begins, neighbours, Sense::symmetric); });
  };
  const char* ends =
      "invalid_argument: begins of rows: expected the first to be 0 and the last 2, as many as "
      "there are neighbours";
  EXPECT_EQ(view({}, {0, 0}), ends);
  EXPECT_EQ(view({1, 2}, {0, 0}), ends);
  EXPECT_EQ(view({0, 1}, {0, 0}), ends);
  EXPECT_EQ(view({0, 2, 1, 2}, {0, 0}), "invalid_argument: row 1 begins at 2 and ends at 1");
  EXPECT_EQ(view({0, 1, 2}, {1, 2}),
            "invalid_argument: neighbour 1 is vertex 2: expected a number below 2");
}

TEST(ReferenceRows, AreThoseOfASmallGraph) {
  const EdgeList edges = list_of(5, {{0, 1}, {1, 0}, {2, 2}, {3, 1}, {0, 3}, {0, 3}});
  const auto symmetric = detail::reference_rows(edges, Sense::symmetric);
  EXPECT_EQ(symmetric.begins, (std::vector<EdgeCount>{0, 2, 4, 4, 6, 6}));
  EXPECT_EQ(symmetric.neighbours, (std::vector<Vertex>{1, 3, 0, 3, 0, 1}));
  const auto directed = detail::reference_rows(edges, Sense::directed);
  EXPECT_EQ(directed.begins, (std::vector<EdgeCount>{0, 2, 3, 3, 4, 4}));
  EXPECT_EQ(directed.neighbours, (std::vector<Vertex>{1, 3, 0, 1}));
  EXPECT_EQ(detail::reference_degrees(edges), (std::vector<std::uint32_t>{4, 3, 2, 3, 0}));
}

TEST(Parts, AreEvenInWholeGranules) {
  struct Case {
    std::uint64_t vertices;
    std::vector<int> nodes;
    std::size_t parts;
    std::vector<Range> ranges;
    std::vector<int> owners;
  };
  const Case cases[] = {
      {0, {0}, 0, {{0, 0}}, {0}},
      {1, {3, 4}, 0, {{0, 1}}, {3}},
      {512, {-1}, 4, {{0, 512}}, {-1}},
      {513, {0, 1}, 0, {{0, 512}, {512, 513}}, {0, 1}},
      {2000, {5}, 3, {{0, 1024}, {1024, 1536}, {1536, 2000}}, {5, 5, 5}},
      {4096, {1, 0}, 4, {{0, 1024}, {1024, 2048}, {2048, 3072}, {3072, 4096}}, {1, 0, 1, 0}},
  };
  for (const Case& c : cases) {
    const auto parts = detail::cut_into_parts(c.vertices, c.nodes, c.parts);
    ASSERT_EQ(parts.size(), c.ranges.size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      EXPECT_EQ(parts[p].vertices, c.ranges[p]) << c.vertices;
      EXPECT_EQ(parts[p].node, c.owners[p]) << c.vertices;
    }
  }
}

TEST(RowStarts, HaveAsManyRowsToABaseAsKeepTheOffsetsSmall) {
  const std::vector<EdgeCount> begins = {0, 3, 5, 9, 9, 10, 20};
  EXPECT_EQ(detail::base_shift(begins, 32), 32u);
  EXPECT_EQ(detail::base_shift(begins, 5), 32u);
  EXPECT_EQ(detail::base_shift(begins, 4), 2u);  // 9 and 11 entries
  EXPECT_EQ(detail::base_shift(begins, 3), 0u);
  EXPECT_EQ(detail::base_shift(std::vector<EdgeCount>{0}, 4), 32u);
  const std::vector<std::uint32_t> low = {0, 3, 5, 9, 0, 1, 11};
  const std::vector<EdgeCount> base = {0, 9};
  const RowStarts starts{low.data(), base.data(), 2};
  for (std::size_t row = 0; row < begins.size(); ++row) EXPECT_EQ(starts[row], begins[row]);
}

TEST(Order, HasNames) {
  EXPECT_STREQ(to_string(Order::automatic), "automatic");
  EXPECT_STREQ(to_string(Order::locality), "locality");
  EXPECT_STREQ(to_string(Sense::symmetric), "symmetric");
  EXPECT_STREQ(to_string(Sense::directed), "directed");
}

}  // namespace
}  // namespace kinjo::graph
