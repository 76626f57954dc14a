#include "report/heat_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figure_samples.hpp"

namespace kinjo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> titles(const std::vector<NodeMatrix>& matrices) {
  std::vector<std::string> all;
  for (const NodeMatrix& matrix : matrices) all.push_back(matrix.title + " " + matrix.unit);
  return all;
}

TEST(NodeMatrices, AreThoseThatHaveAFigure) {
  NodesProfile profile = test::ring_of_nodes(2);
  EXPECT_THAT(titles(node_matrices(profile)),
              ElementsAre("idle latency ns", "read bandwidth, one thread GB/s"));
  profile.pairs[1].all_threads.copy = test::figure(40, "GB/s");
  profile.pairs[2].first_touch = test::figure(1.5, "GB/s");
  EXPECT_THAT(
      titles(node_matrices(profile)),
      ElementsAre("idle latency ns", "read bandwidth, one thread GB/s",
                  "copy bandwidth, all threads of a node GB/s", "first touch, one thread GB/s"));
  EXPECT_THAT(node_matrices({}), IsEmpty());
}

TEST(NodeMatrices, PutEachPairWhereItsNodesAre) {
  // Memory without CPUs has a column and no row; pairs may come in any order.
  NodesProfile profile;
  for (const auto& [from, to, ns] : {std::tuple{8, 3, 30.0}, {0, 0, 1.0}, {8, 8, 2.0}}) {
    NodePairProfile pair{.cpu_node = from, .memory_node = to};
    pair.latency_ns = test::figure(ns, "ns");
    profile.pairs.push_back(pair);
  }
  const NodeMatrix matrix = node_matrices(profile).at(0);
  EXPECT_THAT(matrix.cpu_nodes, ElementsAre(0, 8));
  EXPECT_THAT(matrix.memory_nodes, ElementsAre(0, 3, 8));
  EXPECT_EQ(matrix.at(0, 0)->summary.median, 1);
  EXPECT_EQ(matrix.at(1, 1)->summary.median, 30);
  EXPECT_EQ(matrix.at(1, 2)->summary.median, 2);
  EXPECT_FALSE(matrix.at(0, 1));
}

TEST(HeatMapTable, HasTheNumbersOfTheCells) {
  NodesProfile profile = test::ring_of_nodes(2);
  profile.pairs[1].latency_ns.reset();
  EXPECT_EQ(heat_map_table(node_matrices(profile)[0]).to_csv(),
            "threads on node (ns),memory on node 0,memory on node 2\n"
            "0,85,-\n"
            "2,117,85\n");
}

TEST(HeatMapSvg, IsDarkForTheLeastAndLightForTheGreatest) {
  const std::string svg = heat_map_svg(node_matrices(test::ring_of_nodes(2))[0]).inline_text();
  EXPECT_THAT(svg, HasSubstr("fill=\"#00224e\" stroke=\"#ffffff\" stroke-width=\"1\">"
                             "<title>threads on node 0, memory on node 0: 85 ns "
                             "(80.8 to 89.2, 10 samples)</title>"));
  EXPECT_THAT(svg, HasSubstr("fill=\"#fee838\" stroke=\"#ffffff\" stroke-width=\"1\">"
                             "<title>threads on node 0, memory on node 2: 117 ns "));
}

TEST(HeatMapSvg, SaysInWordsWhatItShows) {
  EXPECT_THAT(heat_map_svg(node_matrices(test::ring_of_nodes(4))[0]).inline_text(),
              HasSubstr("A row for each of 4 nodes with threads, a column for each of 4 nodes with "
                        "memory. From 85 to 148 ns.</desc>"));
}

}  // namespace
}  // namespace kinjo
