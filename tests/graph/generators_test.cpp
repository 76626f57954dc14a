#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <kinjo/graph_generators.hpp>

#include "graph/graph_team.hpp"
#include "graph/random.hpp"
#include "graph/reference.hpp"
#include "support/expect.hpp"

namespace kinjo::graph {
namespace {

using test::error_of;
using test::graph_mapping;

/// Every edge of a list by one thread, made by `rule`.
template <class Rule>
std::vector<Edge> edges_of(const Rule& rule, const Seeds& seeds = {}, std::size_t threads = 1) {
  Team team(graph_mapping(threads));
  const EdgeList list = generate(team, rule, seeds);
  return {list.all().begin(), list.all().end()};
}

template <class Rule>
void expect_the_same_for_all_threads(const Rule& rule) {
  const auto alone = edges_of(rule);
  for (const std::size_t threads : {2u, 3u, 7u}) EXPECT_EQ(edges_of(rule, {}, threads), alone);
  EXPECT_NE(edges_of(rule, {2, 4}), alone);
  EXPECT_NE(edges_of(rule, {3, 3}), alone);
}

TEST(Generators, GiveTheSameEdgesForAllNumbersOfThreads) {
  expect_the_same_for_all_threads(Kronecker{.scale = 8});
  expect_the_same_for_all_threads(Uniform{.scale = 8});
  expect_the_same_for_all_threads(Road{.rows = 31, .columns = 17});
  expect_the_same_for_all_threads(Grid{.rows = 9, .columns = 14, .labels = Labels::scrambled});
}

TEST(Kronecker, HasTheSizeThatGraph500Says) {
  Team team(graph_mapping(1));
  const EdgeList list = generate(team, Kronecker{.scale = 10, .edge_factor = 16});
  EXPECT_EQ(list.vertices(), 1024u);
  EXPECT_EQ(list.size(), 16384u);
}

TEST(Kronecker, TakesTheQuartersWithGraph500sProbabilities) {
  const auto edges = edges_of(Kronecker{.scale = 12, .edge_factor = 64, .labels = Labels::plain});
  std::map<std::pair<bool, bool>, double> quarters;
  double levels = 0;
  for (const Edge& e : edges) {
    for (unsigned level = 0; level < 12; ++level, ++levels) {
      ++quarters[{e.from >> level & 1, e.to >> level & 1}];
    }
  }
  EXPECT_NEAR((quarters[{false, false}] / levels), 0.57, 0.001);
  EXPECT_NEAR((quarters[{false, true}] / levels), 0.19, 0.001);
  EXPECT_NEAR((quarters[{true, false}] / levels), 0.19, 0.001);
  EXPECT_NEAR((quarters[{true, true}] / levels), 0.05, 0.001);
}

TEST(Kronecker, ScramblesLabelsByAPermutation) {
  const auto plain = edges_of(Kronecker{.scale = 9, .labels = Labels::plain});
  const auto scrambled = edges_of(Kronecker{.scale = 9});
  const detail::Permutation label(512, {});
  ASSERT_EQ(plain.size(), scrambled.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(scrambled[i].from, label(plain[i].from));
    EXPECT_EQ(scrambled[i].to, label(plain[i].to));
  }
}

TEST(Permutation, ReachesEveryNumberOnce) {
  for (const std::uint64_t n : {1u, 2u, 3u, 5u, 64u, 100u, 1000u, 4097u}) {
    const detail::Permutation p(n, {7, 8});
    std::set<std::uint64_t> images;
    for (std::uint64_t v = 0; v < n; ++v) images.insert(p(v));
    EXPECT_EQ(images.size(), n);
    EXPECT_LT(*images.rbegin(), n);
  }
}

TEST(Permutation, LeavesNeighboursFarApart) {
  const std::uint64_t n = 1 << 16;
  const detail::Permutation p(n, {});
  double sum = 0;
  for (std::uint64_t v = 0; v + 1 < n; ++v) {
    sum += std::abs(static_cast<double>(p(v)) - static_cast<double>(p(v + 1)));
  }
  EXPECT_NEAR(sum / static_cast<double>(n) / static_cast<double>(n), 1.0 / 3, 0.05);
}

TEST(Uniform, DrawsAllVerticesAlike) {
  std::vector<double> counts(256);
  for (const Edge& e : edges_of(Uniform{.scale = 8, .edge_factor = 256})) {
    ++counts[e.from];
    ++counts[e.to];
  }
  double chi2 = 0;
  for (const double c : counts) chi2 += (c - 512) * (c - 512) / 512;
  EXPECT_NEAR(chi2, 255, 5 * std::sqrt(2 * 255.0));
}

TEST(Grid, JoinsEachVertexToTheNextInRowAndColumn) {
  const std::vector<Edge> expected = {{0, 1}, {1, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 4}, {4, 5}};
  EXPECT_EQ(edges_of(Grid{.rows = 2, .columns = 3}), expected);
  EXPECT_EQ(edges_of(Grid{.rows = 1, .columns = 3}), (std::vector<Edge>{{0, 1}, {1, 2}}));
  EXPECT_EQ(edges_of(Grid{.rows = 3, .columns = 1}), (std::vector<Edge>{{0, 1}, {1, 2}}));
  EXPECT_TRUE(edges_of(Grid{.rows = 1, .columns = 1}).empty());
}

TEST(Road, KeepsItsShareOfTheStreetsAndAllMainRoads) {
  const Road rule{.rows = 200, .columns = 300};
  const auto edges = edges_of(rule);
  const double degree = 2 * static_cast<double>(edges.size()) / (200 * 300);
  EXPECT_NEAR(degree, 2.5, 0.05);
  std::size_t along_first_row = 0;
  for (const Edge& e : edges) along_first_row += e.to == e.from + 1 && e.from < 299;
  EXPECT_EQ(along_first_row, 299u);
}

TEST(Generators, RefuseWhat32BitsDoNotNumber) {
  Team team(graph_mapping(1));
  EXPECT_EQ(error_of([&] { generate(team, Kronecker{.scale = 32}); }),
            "invalid_argument: scale 32: expected at most 31, since vertices are numbered in 32 "
            "bits");
  EXPECT_EQ(error_of([&] { generate(team, Uniform{.scale = 64}); }),
            "invalid_argument: scale 64: expected at most 31, since vertices are numbered in 32 "
            "bits");
  EXPECT_EQ(error_of([&] { generate(team, Kronecker{.scale = 4, .edge_factor = 0}); }),
            "invalid_argument: edge factor 0: expected 1 to 4503599627370495");
  EXPECT_EQ(error_of([&] { generate(team, Grid{.rows = 65536, .columns = 65536}); }),
            "invalid_argument: a grid of 65536 x 65536: expected 1 to 4294967295 vertices, since "
            "they are numbered in 32 bits");
  EXPECT_EQ(error_of([&] { generate(team, Road{.rows = 0, .columns = 5}); }),
            "invalid_argument: a grid of 0 x 5: expected 1 to 4294967295 vertices, since they are "
            "numbered in 32 bits");
}

}  // namespace
}  // namespace kinjo::graph
