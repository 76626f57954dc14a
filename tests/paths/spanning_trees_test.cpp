#include <kinjo/spanning_trees.hpp>

#include <random>

#include <gtest/gtest.h>
#include <kinjo/mapping.hpp>

#include "paths/laplacian.hpp"
#include "paths/residue_field.hpp"
#include "support/expect.hpp"

namespace kinjo::paths {
namespace {

Count power(std::uint64_t base, unsigned exponent) {
  Count result(1);
  for (unsigned i = 0; i < exponent; ++i) result *= Count(base);
  return result;
}

Team team_of(std::size_t threads) {
  return Team(Mapping(Topology::this_machine(), Policy::none(), threads, Oversubscribe::wrap));
}

Count trees(const Network& network, const TreeCountOptions& options = {}) {
  Team team = team_of(1);
  return count_spanning_trees(team, network, options).count;
}

Network random_network(unsigned seed, Vertex vertices, std::size_t edges) {
  std::mt19937 random(seed);
  Network network{vertices, {}, {}};
  for (std::size_t i = 0; i < edges; ++i) {
    network.edges.push_back(
        {static_cast<Vertex>(random() % vertices), static_cast<Vertex>(random() % vertices)});
  }
  return network;
}

TEST(SpanningTrees, OfCompleteGraphsAreThoseOfCayley) {
  EXPECT_EQ(trees(network_by_rule("complete:1").network), Count(1));
  for (const unsigned n : {2u, 3u, 10u, 40u, 150u}) {
    EXPECT_EQ(trees(network_by_rule("complete:" + std::to_string(n)).network), power(n, n - 2));
  }
}

TEST(SpanningTrees, OfBipartiteGraphsAreThoseOfScoins) {
  Network network{7 + 12, {}, {}};
  for (Vertex a = 0; a < 7; ++a) {
    for (Vertex b = 0; b < 12; ++b) network.edges.push_back({a, 7 + b});
  }
  EXPECT_EQ(trees(network), power(7, 11) * power(12, 6));
}

/// Also in parallel, with loops, in several parts, and of vertices without edges.
TEST(SpanningTrees, OfRandomGraphsAreThoseOfASweep) {
  Team team = team_of(1);
  std::size_t none = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Vertex vertices = 2 + seed % 9;
    const Network network = random_network(seed, vertices, 1 + seed % 17);
    Network tidied = network;
    tidy(tidied, Parallel::keep);  // the engine takes no loops
    const Problem problem{.network = tidied, .kind = Kind::spanning_tree};
    const Count expected = count(team, Family(problem)).count;
    none += expected == Count(0) ? 1 : 0;
    EXPECT_EQ(trees(network), expected) << "seed " << seed;
    EXPECT_EQ(trees(network, {.otherwise = true}), expected) << "seed " << seed;
  }
  EXPECT_GT(none, 20u);
  EXPECT_LT(none, 180u);
}

TEST(SpanningTrees, AreTheSameForEachTeamAndByOtherPrimes) {
  const Network network = random_network(5, 300, 900);
  // One that no vertex is left out of: a way through all.
  Network joined = network;
  for (Vertex v = 1; v < joined.vertices; ++v) joined.edges.push_back({v - 1, v});
  const Count expected = trees(joined);
  EXPECT_GT(expected.bits(), 300u);
  EXPECT_EQ(trees(joined, {.otherwise = true}), expected);
  for (const std::size_t threads : {2u, 7u}) {
    Team team = team_of(threads);
    EXPECT_EQ(count_spanning_trees(team, joined).count, expected);
  }
}

TEST(SpanningTrees, OfATreeAreOneHoweverLargeItIs) {
  Network tree{100000, {}, {}};
  std::mt19937 random(1);
  for (Vertex v = 1; v < tree.vertices; ++v)
    tree.edges.push_back({static_cast<Vertex>(random() % v), v});
  Team team = team_of(1);
  const TreesResult found = count_spanning_trees(team, tree);
  EXPECT_EQ(found.count, Count(1));
  EXPECT_EQ(found.took.entries, 0u);
  tree.edges.push_back({0, 1});  // beside an edge that is there
  EXPECT_EQ(trees(tree), Count(2));
}

TEST(SpanningTrees, OfNoVerticesAreNone) { EXPECT_EQ(trees(Network{}), Count(0)); }

TEST(SpanningTrees, OfMoreVerticesThanMemoryHoldsAreNoneWhereEdgesAreTooFew) {
  EXPECT_EQ(trees(Network{.vertices = 4'000'000'000, .edges = {{0, 1}}}), Count(0));
}

TEST(SpanningTrees, AreRefusedWhereTheyDoNotFitAndEndWhereTheyAreAskedTo) {
  const Network network = network_by_rule("complete:100").network;
  Team team = team_of(1);
  const std::string refusal =
      test::error_of([&] { count_spanning_trees(team, network, {.memory_limit = 1000}); });
  EXPECT_EQ(refusal.substr(0, 64),
            "out_of_memory: counting spanning trees by a determinant takes 14");
  EXPECT_EQ(refusal.substr(refusal.size() - 23), "KiB: 1000 B may be used");
  std::size_t asked = 0;
  const auto found = count_spanning_trees(team, network, {.go_on = [&](const Progress& p) {
                                            EXPECT_EQ(p.items, 11u);
                                            EXPECT_EQ(p.states, 99u * 100 / 2);
                                            return ++asked < 30;
                                          }});
  EXPECT_TRUE(found.interrupted);
  EXPECT_EQ(asked, 30u);
}

// What elimination leaves of it is known only at its end, and far more than the graph.
TEST(SpanningTrees, AreRefusedAndEndedWhileTheirMatrixIsEliminated) {
  const Network network = network_by_rule("grid:120").network;
  Team team = team_of(1);
  const std::string refusal =
      test::error_of([&] { count_spanning_trees(team, network, {.memory_limit = 1 << 20}); });
  EXPECT_EQ(refusal.substr(0, 74),
            "out_of_memory: counting spanning trees by a determinant takes more than 1.");
  EXPECT_EQ(refusal.substr(refusal.size() - 22), "MiB: 1 MiB may be used");
  std::size_t asked = 0;
  const auto found = count_spanning_trees(team, network, {.go_on = [&](const Progress& p) {
                                            EXPECT_EQ(p.item, 0U);
                                            return ++asked < 3;
                                          }});
  EXPECT_TRUE(found.interrupted);
  EXPECT_EQ(asked, 3u);
  EXPECT_EQ(found.took.entries, 0u);
}

TEST(Laplacian, SparseGraphsStaySparse) {
  const Network grid = network_by_rule("grid:30x30").network;
  EXPECT_LT(detail::Laplacian(grid, 0).entries(), 15000u);  // 460,000 if it did not
  const Network tree{5, {{0, 1}, {1, 2}, {1, 3}, {3, 4}}, {}};
  const detail::Laplacian matrix(tree, 1);
  EXPECT_EQ(matrix.entries(), 4u);
  EXPECT_EQ(matrix.cofactor(101, [](std::size_t) { return true; }), 1u);
  EXPECT_EQ(matrix.cofactor(101, [](std::size_t) { return false; }), std::nullopt);
}

TEST(Laplacian, HasNoCofactorWhereAPivotIsAMultipleOfThePrime) {
  // Pivots 4, 15/4 …: of five vertices that are joined to each other.
  const detail::Laplacian matrix(network_by_rule("complete:5").network, 4);
  const auto always = [](std::size_t) { return true; };
  EXPECT_EQ(matrix.cofactor(3, always), std::nullopt);
  EXPECT_EQ(matrix.cofactor(101, always), 125u % 101);
}

TEST(ResidueField, IsThatOfItsPrime) {
  for (const std::uint64_t prime :
       {std::uint64_t{3}, std::uint64_t{101}, (std::uint64_t{1} << 63) - 25}) {
    const detail::ResidueField field(prime);
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t x = random() % prime, y = random() % prime;
      EXPECT_EQ(field.value(field.from(x)), x);
      EXPECT_EQ(field.value(field.times(field.from(x), field.from(y))),
                static_cast<std::uint64_t>(static_cast<unsigned __int128>(x) * y % prime));
      EXPECT_EQ(field.value(field.minus(field.from(x), field.from(y))), (x + (prime - y)) % prime);
      if (x == 0) continue;
      EXPECT_EQ(field.value(field.times(field.inverse(field.from(x)), field.from(x))), 1u);
    }
  }
}

}  // namespace
}  // namespace kinjo::paths
