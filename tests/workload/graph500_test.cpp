#include "workload/graph500.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "support/expect.hpp"
#include "workload/graph500_statistics.hpp"

namespace kinjo {
namespace {

using test::error_of;

Mapping mapping(std::size_t threads) {
  return Mapping(Topology::this_machine(), Policy::scatter(), threads, Oversubscribe::wrap);
}

TEST(Graph500Statistics, AreThoseOfTheSpecification) {
  const double values[] = {4, 1, 3, 2, 10};
  const Graph500Statistics s = graph500_statistics(values);
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.first_quartile, 2);
  EXPECT_EQ(s.median, 3);
  EXPECT_EQ(s.third_quartile, 4);
  EXPECT_EQ(s.max, 10);
  EXPECT_EQ(s.mean, 4);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(12.5));
  const double four[] = {1, 2, 3, 4};
  EXPECT_EQ(graph500_statistics(four).first_quartile, 1.75);
}

TEST(Graph500Statistics, MeanOfRatesIsHarmonic) {
  const double rates[] = {1, 2, 4};
  const HarmonicMean h = harmonic_mean(rates);
  EXPECT_DOUBLE_EQ(h.mean, 3 / 1.75);
  // Inverses 1, 1/2, 1/4: mean 7/12, deviation √(7/48).
  EXPECT_DOUBLE_EQ(h.deviation, std::sqrt(7.0 / 48) / (49.0 / 144 * std::sqrt(2.0)));
  const double one[] = {5};
  EXPECT_EQ(harmonic_mean(one).deviation, 0);
}

TEST(Graph500, StartsFromTheSameRootsWhateverTheOrderAndTheTeam) {
  std::vector<std::uint64_t> first;
  for (const std::size_t threads : {1, 3}) {
    for (const graph::Order order : {graph::Order::caller, graph::Order::degree}) {
      Team team(mapping(threads));
      const auto graph =
          graph::Graph::build(team, generate(team, graph::Kronecker{.scale = 9}), {.order = order});
      const auto roots = graph500_roots(graph, 20, {});
      EXPECT_EQ(std::set(roots.begin(), roots.end()).size(), 20u);
      if (first.empty()) first = roots;
      EXPECT_EQ(roots, first);
      EXPECT_LT(graph500_roots(graph, 10000, {}).size(), 512u);
    }
  }
}

TEST(Graph500, SearchesAreValidatedAndCounted) {
  for (const unsigned bits : {32u, 64u}) {
    const Graph500Settings settings{.scale = 9, .roots = 5, .parent_bits = bits};
    const auto records = run_graph500(settings, {mapping(1), mapping(2)}, {});
    ASSERT_EQ(records.size(), 2u);
    for (const Record& record : records) {
      EXPECT_EQ(record.verified, true);
      EXPECT_EQ(find_metric(record, "gteps").samples.size(), 5u);
    }
  }
}

TEST(Graph500, SearchesOfGraphsWithIdsAreValidatedAndCounted) {
  const Graph500Settings settings{.scale = 9, .roots = 5, .parent_bits = 64, .listed = true};
  for (const Record& record : run_graph500(settings, {mapping(1), mapping(3)}, {})) {
    EXPECT_EQ(record.verified, true);
    const auto result = [&](const char* name) {
      return std::ranges::find(record.result, name, [](const auto& v) { return v.first; })->second;
    };
    EXPECT_EQ(std::get<std::int64_t>(result("vertices")), 512);
    EXPECT_EQ(std::get<std::int64_t>(result("edges")), 8192);
  }
  EXPECT_GT(graph500_bytes(settings), graph500_bytes({.scale = 9, .parent_bits = 64}));
}

TEST(Graph500, TellsOfItsProgress) {
  std::vector<std::string> told;
  run_graph500({.scale = 6, .roots = 2}, {mapping(1)},
               [&](const Progress& p) { told.push_back(p.now); });
  ASSERT_EQ(told.size(), 8u);
  EXPECT_EQ(told[0], "scatter, 1 thread, generation");
  EXPECT_EQ(told[1], "scatter, 1 thread, construction: dealing edges");
  EXPECT_EQ(told[5], "scatter, 1 thread, construction: assembling rows");
  EXPECT_TRUE(told[6].starts_with("scatter, 1 thread, search from ")) << told[6];
}

TEST(Graph500, SearchesGraphsByRule) {
  struct Case {
    const char* rule;
    std::uint64_t vertices, edges;  // 0: random
  };
  for (const Case& c : {Case{"kronecker:8", 256, 4096}, Case{"uniform:8,4", 256, 1024},
                        Case{"grid:10x20", 200, 370}, Case{"road:16x16,scrambled", 256, 0}}) {
    const auto records = run_graph500({.roots = 3, .graph = c.rule}, {mapping(2)}, {});
    ASSERT_EQ(records.size(), 1u);
    const Record& record = records[0];
    EXPECT_EQ(record.verified, true) << c.rule;
    EXPECT_EQ(std::get<std::string>(record.parameters.at(0).second), c.rule);
    for (const auto& [name, value] : record.parameters) EXPECT_NE(name, "scale");
    const auto result = [&](const char* name) {
      const auto at = std::ranges::find(record.result, name, [](const auto& v) { return v.first; });
      return static_cast<std::uint64_t>(std::get<std::int64_t>(at->second));
    };
    EXPECT_EQ(result("vertices"), c.vertices) << c.rule;
    if (c.edges > 0) {
      EXPECT_EQ(result("edges"), c.edges) << c.rule;
    }
  }
}

TEST(Graph500, SearchesTheSameGraphByScaleAndByRule) {
  const auto edges = [](const Graph500Settings& settings) {
    return run_graph500_once(settings, mapping(1), {}).searches.back().edges;
  };
  EXPECT_EQ(edges({.scale = 8, .roots = 2}), edges({.roots = 2, .graph = "kronecker:8"}));
}

TEST(Graph500, RefusesWhatDoesNotFitBeforeAnythingIsMade) {
  EXPECT_TRUE(error_of([] {
                check_graph500({.scale = 31, .edge_factor = 65536});
              }).starts_with("out_of_memory: a graph of scale 31 takes "));
  EXPECT_EQ(error_of([] { check_graph500({.scale = 32}); }),
            "invalid_argument: 4294967296 vertices: expected at most 4294967295 with 32 bits, or "
            "64 bits");
  EXPECT_TRUE(error_of([] {
                check_graph500({.scale = 32, .parent_bits = 64});
              }).starts_with("out_of_memory: a graph of scale 32 takes "));
  EXPECT_EQ(error_of([] { check_graph500({.scale = 48, .edge_factor = 256, .parent_bits = 64}); }),
            "invalid_argument: edge factor 256 at scale 48: expected at most 255");
  EXPECT_EQ(error_of([] { check_graph500({.listed = true}); }),
            "invalid_argument: parents that are ids have 64 bits: expected bits 64");
  EXPECT_TRUE(error_of([] {
                check_graph500({.graph = "grid:60000x60000"});
              }).starts_with("out_of_memory: a graph 'grid:60000x60000' takes "));
  EXPECT_EQ(error_of([] { check_graph500({.graph = "kronecker:x"}); }),
            "invalid_argument: 'kronecker:x' as a graph: expected kronecker:SCALE or "
            "kronecker:SCALE,EDGEFACTOR with a scale of 0 to 48, such as kronecker:20,16");
  EXPECT_EQ(error_of([] { check_graph500({.graph = "a file.el"}); }), "no error");
  Graph500Settings settings;
  EXPECT_EQ(
      error_of([&] { set_graph500(settings, "depth", "3"); }),
      "invalid_argument: graph500 has no parameter 'depth': expected scale, edgefactor, roots, "
      "bits, listed, order, validate, pages");
}

}  // namespace
}  // namespace kinjo
