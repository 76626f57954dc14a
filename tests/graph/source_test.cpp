#include "graph/source.hpp"

#include <gtest/gtest.h>

#include "graph/graph_team.hpp"
#include "support/expect.hpp"
#include "support/failing_new.hpp"

namespace kinjo::graph::detail {
namespace {

using test::error_of;

TEST(GraphSource, RulesAreReadWithTheirSizesAndWrittenBack) {
  const struct {
    const char* text;
    const char* again;
    std::uint64_t vertices;
    EdgeCount edges;
  } cases[] = {
      {"kronecker:10", "kronecker:10", 1024, 16384},
      {"kronecker:10,16", "kronecker:10", 1024, 16384},
      {"kronecker:0,1", "kronecker:0,1", 1, 1},
      {"uniform:5,3", "uniform:5,3", 32, 96},
      {"grid:3x4", "grid:3x4", 12, 17},
      {"grid:1x1,scrambled", "grid:1x1,scrambled", 1, 0},
      {"road:1Kx2", "road:1024x2", 2048, 3070},
      {"road:8x9,scrambled", "road:8x9,scrambled", 72, 127},
  };
  for (const auto& c : cases) {
    const Source source = parse_source(c.text);
    EXPECT_EQ(to_string(source), c.again);
    const auto size = list_size(source);
    ASSERT_TRUE(size) << c.text;
    EXPECT_EQ(size->vertices, c.vertices) << c.text;
    EXPECT_EQ(size->edges, c.edges) << c.text;
    EXPECT_EQ(list_size(parse_source(c.again))->edges, c.edges);
  }
}

TEST(GraphSource, EverythingElseIsAPath) {
  for (const char* path : {"roads.mtx", "./grid:3x4", "C:graph.el", "grid", ""}) {
    const Source source = parse_source(path);
    EXPECT_EQ(to_string(source), path);
    EXPECT_TRUE(std::holds_alternative<SourceFile>(source));
    EXPECT_FALSE(list_size(source));
  }
}

TEST(GraphSource, IsCopiedOrNotAtAllWhereMemoryIsShort) {
  const std::string path(100, 'x');
  const std::vector<Source> sources = {parse_source(path), parse_source("grid:3x4")};
  const auto attempt = [&] {
    try {
      return std::vector<Source>(sources).size() == 2;
    } catch (const std::bad_alloc&) {
      return false;
    }
  };
  EXPECT_EQ(test::fail_each_allocation(attempt, [](int) {}), 2);
}

TEST(GraphSource, ListsHaveNoMoreEdgesThanTheirSizesSay) {
  Team team(test::graph_mapping(2));
  for (const char* text :
       {"kronecker:6,2", "uniform:6", "grid:5x7", "grid:5x7,scrambled", "road:20x30"}) {
    const Source source = parse_source(text);
    for (const Width width : {Width::automatic, Width::narrow, Width::wide}) {
      const AnyEdgeList any = generate_source(team, source, {}, width);
      EXPECT_EQ(std::holds_alternative<WideEdgeList>(any), width == Width::wide) << text;
      std::visit(
          [&](const auto& list) {
            EXPECT_EQ(list.vertices(), list_size(source)->vertices) << text;
            EXPECT_LE(list.size(), list_size(source)->edges) << text;
            EXPECT_GT(list.size(), 0u) << text;
          },
          any);
    }
  }
}

TEST(GraphSource, RefusalsSayWhatWasExpected) {
  const std::string kronecker =
      "expected kronecker:SCALE or kronecker:SCALE,EDGEFACTOR with a scale of 0 to 48, such as "
      "kronecker:20,16";
  const std::string grid =
      "expected grid:ROWSxCOLUMNS or grid:ROWSxCOLUMNS,scrambled, such as grid:1000x1000";
  const struct {
    const char* text;
    std::string fault;
  } cases[] = {
      {"kronecker:", kronecker},
      {"kronecker:-1", kronecker},
      {"kronecker:49", kronecker},
      {"kronecker:20,", kronecker},
      {"kronecker:20,0", kronecker},
      {"kronecker:20,16,1", kronecker},
      {"kronecker:31,2^60", "expected an edge factor of at most 33554431"},
      {"grid:", grid},
      {"grid:10", grid},
      {"grid:0x10", grid},
      {"grid:10x-1", grid},
      {"grid:10x10x10", grid},
      {"grid:10 x10", grid},
      {"grid:10x10,mixed", grid},
      {"grid:10x10,scrambled,scrambled", grid},
      {"grid:33554432x33554432", "expected at most 281474976710656 vertices"},
      {"grid:2^60x2^60", "expected at most 281474976710656 vertices"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(error_of([&] { parse_source(c.text); }),
              fmt::format("invalid_argument: '{}' as a graph: {}", c.text, c.fault));
  }
  EXPECT_EQ(error_of([] { parse_source("uniform:x\n"); }),
            "invalid_argument: 'uniform:x?' as a graph: expected uniform:SCALE or "
            "uniform:SCALE,EDGEFACTOR with a scale of 0 to 48, such as uniform:20,16");
}

}  // namespace
}  // namespace kinjo::graph::detail
