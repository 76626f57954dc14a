#include <algorithm>
#include <cstdio>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/kinjo.h>

#include "capi/owned.hpp"
#include "support/failing_new.hpp"
#include "support/scratch.hpp"

namespace {

using kinjo::test::CBfs, kinjo::test::CGraph, kinjo::test::CMapping, kinjo::test::CTeam;

/// A path 0 - 1 - 2 - 3, a loop, a repeated edge, and 4 alone.
const std::vector<std::uint32_t> kEnds = {0, 1, 1, 2, 2, 3, 2, 2, 1, 0};

CGraph path_graph(unsigned flags = 0, kinjo_team* team = nullptr) {
  return CGraph(kinjo_graph_from_edges(team, 5, kEnds.size() / 2, kEnds.data(), flags));
}

std::vector<int> parents_of(const kinjo_graph* graph, std::uint64_t root, std::size_t vertices,
                            kinjo_team* team = nullptr) {
  const CBfs bfs(kinjo_bfs_create(graph, team));
  std::vector<std::int32_t> parents(vertices, 99);
  EXPECT_EQ(kinjo_bfs_run(bfs.get(), root, parents.data(), nullptr), KINJO_OK)
      << kinjo_last_error();
  return parents;
}

std::string refusal(const void* made, int status = KINJO_INVALID_ARGUMENT) {
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(kinjo_last_status(), status);
  return kinjo_last_error();
}

TEST(CGraphs, AreMadeOfEdgesAndSearched) {
  const CGraph graph = path_graph();
  kinjo_graph_size size;
  ASSERT_EQ(kinjo_graph_get(graph.get(), &size), KINJO_OK);
  EXPECT_EQ(size.vertices, 5u);
  EXPECT_EQ(size.edges, 5u);
  EXPECT_EQ(size.entries, 6u);
  EXPECT_GT(size.bytes, 0u);
  EXPECT_EQ(parents_of(graph.get(), 2, 5), (std::vector<int>{1, 2, 2, 2, -1}));
  EXPECT_EQ(parents_of(graph.get(), 4, 5), (std::vector<int>{-1, -1, -1, -1, 4}));
}

TEST(CGraphs, AreSearchedAlongTheirEdgesIfTheyAreDirected) {
  const CGraph graph = path_graph(KINJO_GRAPH_DIRECTED);
  EXPECT_EQ(parents_of(graph.get(), 2, 5), (std::vector<int>{-1, -1, 2, 2, -1}));
}

TEST(CGraphs, AreSearchedOverATeamInEveryOrderWithTheCallersNumbers) {
  const CMapping mapping = kinjo::test::map_two_nodes("none", 2);
  const CTeam team(kinjo_team_create(mapping.get(), 0));
  for (const unsigned order :
       {0, +KINJO_GRAPH_ORDER_CALLER, +KINJO_GRAPH_ORDER_DEGREE, +KINJO_GRAPH_ORDER_LOCALITY}) {
    const CGraph graph = path_graph(order, team.get());
    ASSERT_NE(graph, nullptr) << kinjo_last_error();
    EXPECT_EQ(parents_of(graph.get(), 0, 5, team.get()), (std::vector<int>{0, 0, 1, 2, -1}));
  }
}

TEST(CGraphs, AreViewsOfRows) {
  const std::uint32_t begins[] = {0, 1, 3, 4}, neighbours[] = {1, 0, 2, 1};
  const CGraph graph(kinjo_graph_from_rows(3, begins, neighbours, 0));
  EXPECT_EQ(parents_of(graph.get(), 0, 3), (std::vector<int>{0, 0, 1}));
  kinjo_graph_size size;
  ASSERT_EQ(kinjo_graph_get(graph.get(), &size), KINJO_OK);
  EXPECT_EQ(size.bytes, 0u);
  const std::uint32_t none = 0;
  EXPECT_NE(CGraph(kinjo_graph_from_rows(0, &none, nullptr, 0)), nullptr) << kinjo_last_error();
}

TEST(CGraphs, AreMadeByRuleSavedAndOpened) {
  const kinjo::test::Scratch folder;
  const std::string path = folder.path("g.kgraph");
  const CGraph made(kinjo_graph_open(nullptr, "grid:10x10", 0));
  ASSERT_EQ(kinjo_graph_save(made.get(), path.c_str()), KINJO_OK) << kinjo_last_error();
  const CGraph again(kinjo_graph_open(nullptr, path.c_str(), 0));
  ASSERT_NE(again, nullptr) << kinjo_last_error();
  const CBfs bfs(kinjo_bfs_create(again.get(), nullptr));
  std::vector<std::int64_t> parents(100);
  kinjo_bfs_result found;
  ASSERT_EQ(kinjo_bfs_run_64(bfs.get(), 0, parents.data(), &found), KINJO_OK);
  EXPECT_EQ(found.reached, 100u);
  EXPECT_EQ(found.eccentricity, 18u);
  EXPECT_GE(found.edges_looked_at, 99u);
  EXPECT_TRUE(parents[99] == 98 || parents[99] == 89);
}

TEST(CGraphs, OfEdgesOf64BitsHaveIds) {
  const std::uint64_t far = std::uint64_t{1} << 50;
  const std::vector<std::uint64_t> ends = {far, 7, 7, 3, 9, 9};
  const CGraph graph(kinjo_graph_from_edges_64(nullptr, 3, ends.data(), 0));
  ASSERT_NE(graph, nullptr) << kinjo_last_error();
  kinjo_graph_size size;
  ASSERT_EQ(kinjo_graph_get(graph.get(), &size), KINJO_OK);
  ASSERT_EQ(size.vertices, 4u);
  const std::uint64_t* const ids = kinjo_graph_ids(graph.get());
  EXPECT_EQ(std::vector(ids, ids + 4), (std::vector<std::uint64_t>{3, 7, 9, far}));
  const CBfs bfs(kinjo_bfs_create(graph.get(), nullptr));
  std::int64_t parents[4];
  ASSERT_EQ(kinjo_bfs_run_64(bfs.get(), far, parents, nullptr), KINJO_OK) << kinjo_last_error();
  const auto root = static_cast<std::int64_t>(far);
  EXPECT_EQ(std::vector(parents, parents + 4), (std::vector<std::int64_t>{7, root, -1, root}));
  std::int32_t narrow[4];
  EXPECT_EQ(kinjo_bfs_run(bfs.get(), far, narrow, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "32-bit parents of a graph with ids: expected 64 bits");
  EXPECT_EQ(kinjo_graph_ids(path_graph().get()), nullptr);
  EXPECT_EQ(kinjo_graph_ids(nullptr), nullptr);
  EXPECT_STREQ(kinjo_last_error(), "graph is NULL");
  const std::uint64_t wrong[] = {0, std::uint64_t{1} << 63};
  EXPECT_EQ(refusal(kinjo_graph_from_edges_64(nullptr, 1, wrong, 0)),
            "edge 0 ends in vertex 9223372036854775808: expected a number below "
            "9223372036854775808");
}

TEST(CGraphs, AreOpenedWithIdsWhereThatIsAskedForOrNeeded) {
  const kinjo::test::Scratch folder;
  const std::string wide = folder.write("w.el", "0 4294967296\n");
  const CGraph needed(kinjo_graph_open(nullptr, wide.c_str(), 0));
  const CGraph asked(kinjo_graph_open(nullptr, "grid:3x2", KINJO_GRAPH_LISTED));
  ASSERT_NE(needed, nullptr) << kinjo_last_error();
  ASSERT_NE(asked, nullptr) << kinjo_last_error();
  EXPECT_EQ(kinjo_graph_ids(needed.get())[1], std::uint64_t{1} << 32);
  EXPECT_EQ(kinjo_graph_ids(asked.get())[5], 5u);
}

TEST(CGraphs, AreOpenedWithIdsFromAnyListAndFromGraphsThatHaveThem) {
  const kinjo::test::Scratch folder;
  const std::string list = folder.write("a.el", "5 9\n9 100\n"), listed = folder.path("ids.kgraph"),
                    plain = folder.path("plain.kgraph");
  const auto open = [](const std::string& path, unsigned flags) {
    return CGraph(kinjo_graph_open(nullptr, path.c_str(), flags));
  };
  const auto ids_of = [](const CGraph& graph) {
    kinjo_graph_size size{};
    EXPECT_EQ(kinjo_graph_get(graph.get(), &size), KINJO_OK) << kinjo_last_error();
    const std::uint64_t* const ids = kinjo_graph_ids(graph.get());
    return ids ? std::vector(ids, ids + size.vertices) : std::vector<std::uint64_t>();
  };
  const std::vector<std::uint64_t> expected = {5, 9, 100};
  const CGraph made = open(list, KINJO_GRAPH_LISTED);
  EXPECT_EQ(ids_of(made), expected);
  ASSERT_EQ(kinjo_graph_save(made.get(), listed.c_str()), KINJO_OK) << kinjo_last_error();
  EXPECT_EQ(ids_of(open(listed, KINJO_GRAPH_LISTED)), expected);
  EXPECT_EQ(ids_of(open(listed, 0)), expected);
  ASSERT_EQ(kinjo_graph_save(open(list, 0).get(), plain.c_str()), KINJO_OK) << kinjo_last_error();
  EXPECT_TRUE(ids_of(open(plain, 0)).empty());
  EXPECT_EQ(refusal(open(plain, KINJO_GRAPH_LISTED).get()),
            "'" + plain +
                "' was built without ids, which were asked for: expected a list of "
                "edges, or a graph with ids");
}

TEST(CGraphs, RefuseWhatIsNoGraph) {
  const std::uint32_t far[] = {0, 7}, falling[] = {0, 2, 1, 2}, begins[] = {0, 1, 2, 2},
                      wrong[] = {0, 3};
  const auto edges = [](std::uint64_t n, std::uint64_t m, const std::uint32_t* ends,
                        unsigned flags = 0) {
    return refusal(CGraph(kinjo_graph_from_edges(nullptr, n, m, ends, flags)).get());
  };
  EXPECT_EQ(edges(5, 1, nullptr), "ends is NULL");
  EXPECT_NE(edges(5, 1, far).find("7"), std::string::npos);
  EXPECT_EQ(edges(5, 0, nullptr, KINJO_GRAPH_ORDER_CALLER | KINJO_GRAPH_ORDER_DEGREE),
            "graph: several KINJO_GRAPH_ORDER flags: expected one of them");
  EXPECT_EQ(edges(5, 0, nullptr, 64), "flag 0x40 has no meaning here: expected flags of 0xf");
  EXPECT_EQ(edges(std::uint64_t{1} << 32, 0, nullptr),
            "4294967296 vertices: expected at most 4294967295, since they are numbered in 32 bits");
  const auto rows = [](std::uint64_t n, const std::uint32_t* b, const std::uint32_t* t,
                       unsigned flags = 0) {
    return refusal(CGraph(kinjo_graph_from_rows(n, b, t, flags)).get());
  };
  EXPECT_EQ(rows(3, nullptr, far), "begins is NULL");
  EXPECT_EQ(rows(3, begins, nullptr), "neighbours is NULL");
  EXPECT_EQ(rows(3, falling, far), "row 1 begins at 2 and ends at 1");
  EXPECT_EQ(rows(3, begins, wrong), "neighbour 1 is vertex 3: expected a number below 3");
  EXPECT_EQ(rows(~std::uint64_t{0}, begins, wrong),
            "graph: 18446744073709551615 vertices: expected at most 4294967295");
  EXPECT_EQ(rows(3, begins, far, KINJO_GRAPH_ORDER_DEGREE),
            "flag 0x4 has no meaning here: expected flags of 0x1");
}

TEST(CGraphs, RefuseWhatCannotBeOpened) {
  EXPECT_EQ(refusal(kinjo_graph_open(nullptr, nullptr, 0)), "input is NULL");
  EXPECT_EQ(
      refusal(kinjo_graph_open(nullptr, "grid:0x1", 0)),
      "'grid:0x1' as a graph: expected grid:ROWSxCOLUMNS or grid:ROWSxCOLUMNS,scrambled, such "
      "as grid:1000x1000");
  EXPECT_EQ(refusal(kinjo_graph_open(nullptr, "/nowhere/g.el", 0), KINJO_NOT_FOUND),
            "cannot read '/nowhere/g.el': No such file or directory");
  EXPECT_EQ(kinjo_graph_save(nullptr, "x.kgraph"), KINJO_INVALID_ARGUMENT);
  EXPECT_EQ(kinjo_graph_save(path_graph().get(), "/nowhere/g.kgraph"), KINJO_NOT_FOUND);
  EXPECT_STREQ(kinjo_last_error(), "cannot write '/nowhere/g.kgraph': No such file or directory");
  kinjo_graph_free(nullptr);
  kinjo_bfs_free(nullptr);
}

TEST(CGraphs, RefuseSearchesThatCannotBe) {
  const CGraph graph = path_graph();
  const CBfs bfs(kinjo_bfs_create(graph.get(), nullptr));
  std::int32_t parents[5];
  EXPECT_EQ(kinjo_bfs_run(nullptr, 0, parents, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "bfs is NULL");
  EXPECT_EQ(kinjo_bfs_run(bfs.get(), 0, nullptr, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "parents is NULL");
  EXPECT_EQ(kinjo_bfs_run(bfs.get(), 5, parents, nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "root 5: expected a vertex below 5");
  EXPECT_EQ(refusal(kinjo_bfs_create(nullptr, nullptr)), "graph is NULL");
  EXPECT_EQ(kinjo_graph_get(graph.get(), nullptr), KINJO_INVALID_ARGUMENT);
  EXPECT_STREQ(kinjo_last_error(), "out is NULL");
}

TEST(CGraphs, ReportWantOfMemoryAtAnyAllocation) {
  const auto expect_out_of_memory = [](int nth) {
    EXPECT_EQ(kinjo_last_status(), KINJO_OUT_OF_MEMORY) << "at allocation " << nth;
  };
  const CMapping mapping = kinjo::test::map_two_nodes("none", 1);
  const CTeam team(kinjo_team_create(mapping.get(), 0));
  const auto attempt = [&] {
    const CGraph graph = path_graph(0, team.get());
    const CBfs bfs(graph ? kinjo_bfs_create(graph.get(), team.get()) : nullptr);
    std::int32_t parents[5];
    return bfs && kinjo_bfs_run(bfs.get(), 0, parents, nullptr) == KINJO_OK;
  };
  EXPECT_GT(kinjo::test::fail_each_allocation(attempt, expect_out_of_memory), 5);
  const std::uint64_t ends[] = {7, std::uint64_t{1} << 50, 9, 7};
  const auto attempt_with_ids = [&] {
    const CGraph graph(kinjo_graph_from_edges_64(team.get(), 2, ends, 0));
    const CBfs bfs(graph ? kinjo_bfs_create(graph.get(), team.get()) : nullptr);
    std::int64_t parents[3];
    return bfs && kinjo_bfs_run_64(bfs.get(), 9, parents, nullptr) == KINJO_OK;
  };
  EXPECT_GT(kinjo::test::fail_each_allocation(attempt_with_ids, expect_out_of_memory), 5);
}

}  // namespace
