#include <kinjo/paths.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/graph_team.hpp"
#include "memory/spare_pages.hpp"
#include "paths/family_samples.hpp"
#include "paths/few_states.hpp"
#include "paths/known_counts.hpp"
#include "paths/level_sweep.hpp"
#include "paths/reference.hpp"
#include "simd/level.hpp"
#include "support/expect.hpp"

namespace kinjo::paths {
namespace {

using detail::kFewStates;
using detail::members_by_definition;
using kinjo::detail::keep_spare;
using kinjo::detail::Pages;
using kinjo::detail::take_spare;
using kinjo::test::error_of;
using kinjo::test::graph_mapping;
using kinjo::test::kCornerToCorner;
using test::corner_to_corner;
using test::kKinds;
using test::ProblemSource;

Team& team() {
  static Team team(graph_mapping(1));
  return team;
}

std::string counted(const Problem& problem) {
  return count(team(), Family(problem)).count.to_string();
}

Problem in_rule(const std::string& rule, Kind kind) {
  return {.network = network_by_rule(rule).network, .kind = kind, .to = 1};
}

TEST(Counting, KnowsThePathsOfGridsFromCornerToCorner) {
  for (unsigned squares = 1; squares <= 10; ++squares) {
    EXPECT_EQ(counted(corner_to_corner(squares)), kCornerToCorner[squares - 1]) << squares;
  }
}

TEST(Counting, KnowsThePathsOfCompleteGraphs) {
  for (unsigned n = 2; n <= 11; ++n) {
    std::uint64_t paths = 0, ways = 1;  // (n − 2)! / (n − 2 − k)! for k vertices between
    for (unsigned k = 0; k + 2 <= n; ++k) {
      paths += ways;
      ways *= n - 2 - k;
    }
    EXPECT_EQ(counted(in_rule(fmt::format("complete:{}", n), Kind::path)), std::to_string(paths));
  }
}

TEST(Counting, KnowsPublishedCounts) {
  const struct {
    const char* rule;
    Kind kind;
    const char* count;
  } known[] = {
      {"complete:9", Kind::spanning_tree, "4782969"},   // Cayley: 9^7
      {"complete:6", Kind::cycle, "197"},               // OEIS A002807
      {"complete:8", Kind::hamiltonian_cycle, "2520"},  // 7!/2
      {"complete:8", Kind::matching, "764"},            // OEIS A000085
      {"complete:6", Kind::forest, "2932"},             // OEIS A001858
      {"complete:6", Kind::components, "26704"},        // connected graphs, OEIS A001187
      {"grid:5x5", Kind::hamiltonian_cycle, "1072"},    // 6 × 6 vertices, OEIS A003763
      {"grid:7x7", Kind::spanning_tree, "126231322912498539682594816"},  // OEIS A007341
      {"hypercube:3", Kind::hamiltonian_cycle, "6"},
      {"hypercube:4", Kind::hamiltonian_cycle, "1344"},
      {"hypercube:3", Kind::spanning_tree, "384"},
  };
  for (const auto& [rule, kind, expected] : known) {
    EXPECT_EQ(counted(in_rule(rule, kind)), expected) << rule << ' ' << to_string(kind);
  }
  Problem dominoes = in_rule("grid:7x7", Kind::degrees);
  dominoes.degrees = {1};
  EXPECT_EQ(counted(dominoes), "12988816");  // Kasteleyn, of the chessboard
}

TEST(Counting, AgreesWithTheDefinitionOnRandomGraphs) {
  for (const Kind kind : kKinds) {
    ProblemSource source(kind);
    for (int i = 0; i < 400; ++i) {
      const Problem problem = source.next();
      ASSERT_EQ(counted(problem), std::to_string(members_by_definition(problem).size()))
          << to_string(kind) << ", the " << i << "th";
    }
  }
}

// Of 8 × 8 squares some levels are shared among threads, and those before and behind are not.
TEST(Counting, IsTheSameForAnyNumberOfThreads) {
  const Family family(corner_to_corner(8));
  const CountResult one = count(team(), family);
  EXPECT_GT(std::ranges::max(one.states), 2 * kFewStates);
  for (const std::size_t threads : {2, 3, 7, 64}) {
    Team many(graph_mapping(threads));
    const CountResult found = count(many, family);
    EXPECT_EQ(found.count, one.count) << threads;
    EXPECT_EQ(found.states, one.states) << threads;
  }
}

TEST(Counting, SortsTheSameBySizeAndWeightForAnyNumberOfThreads) {
  Problem problem = corner_to_corner(7);
  problem.kind = Kind::forest;  // its levels grow and shrink often
  const Family family(problem);
  const CountResult one = count_by_size(team(), family);
  const std::vector<double> weights(family.edges().size(), 0.5);
  const double weight = weighted_sum(team(), family, weights).weight;
  for (const std::size_t threads : {2, 5}) {
    Team many(graph_mapping(threads));
    EXPECT_EQ(count_by_size(many, family).by_size, one.by_size) << threads;
    EXPECT_NEAR(weighted_sum(many, family, weights).weight / weight, 1, 1e-12) << threads;
  }
}

TEST(Counting, HasOneWordForFourteenSlots) {
  // Who enters in a row takes the slot of the vertex above, the last terminal too.
  EXPECT_EQ(Family(corner_to_corner(13)).state_bytes(), 8U);
  EXPECT_EQ(Family(corner_to_corner(14)).state_bytes(), 16U);
}

TEST(Counting, SortsMembersBySize) {
  for (const Kind kind : kKinds) {
    ProblemSource source(kind);
    for (int i = 0; i < 100; ++i) {
      const Problem problem = source.next();
      std::vector<Count> expected(1);
      for (const std::uint32_t set : members_by_definition(problem)) {
        const auto size = static_cast<std::size_t>(std::popcount(set));
        if (expected.size() <= size) expected.resize(size + 1);
        expected[size] += 1;
      }
      const CountResult found = count_by_size(team(), Family(problem));
      ASSERT_EQ(found.by_size, expected) << to_string(kind) << ", the " << i << "th";
    }
  }
}

TEST(Counting, AddsUpProductsOfWeights) {
  for (const Kind kind : kKinds) {
    ProblemSource source(kind);
    for (int i = 0; i < 100; ++i) {
      const Problem problem = source.next();
      std::vector<double> weights;
      for (std::size_t e = 0; e < problem.network.edges.size(); ++e) {
        weights.push_back(0.25 * static_cast<double>(e) - 0.5);  // exact in binary
      }
      double expected = 0;
      for (const std::uint32_t set : members_by_definition(problem)) {
        double product = 1;
        for (std::size_t e = 0; e < weights.size(); ++e) {
          if ((set >> e & 1) != 0) product *= weights[e];
        }
        expected += product;
      }
      const double found = weighted_sum(team(), Family(problem), weights).weight;
      ASSERT_NEAR(found, expected, 1e-12 * (1 + std::abs(expected)) + 1e-9) << i;
    }
  }
}

TEST(Counting, DoesNotDependOnTheOrderOfEdges) {
  Problem problem = corner_to_corner(6);
  for (const EdgeOrder order :
       {EdgeOrder::automatic, EdgeOrder::breadth, EdgeOrder::frontier, EdgeOrder::given}) {
    problem.order = order;
    EXPECT_EQ(counted(problem), "575780564") << to_string(order);
  }
}

/// Each vertex is joined to two before it, the more edges one has the likelier.
Network network_with_hubs(unsigned seed, Vertex vertices) {
  std::mt19937 random(seed);
  Network network{.vertices = vertices, .edges = {{0, 1}}};
  for (Vertex v = 2; v < vertices; ++v) {
    const std::size_t known = network.edges.size();
    for (std::size_t joined = 0; joined < 2;) {
      const Edge& edge = network.edges[random() % known];
      const Vertex other = random() % 2 == 0 ? edge.from : edge.to;
      if (joined == 1 && network.edges.back().to == other) continue;
      network.edges.push_back({v, other});
      ++joined;
    }
  }
  return network;
}

// Orders of them are tried before others are searched for.
TEST(Counting, DoesNotDependOnTheOrderThatIsChosenOfNetworksWithHubs) {
  for (const Kind kind : {Kind::path, Kind::matching, Kind::spanning_tree}) {
    for (unsigned seed = 0; seed < 3; ++seed) {
      Problem problem{
          .network = network_with_hubs(seed, kind == Kind::path ? 28 : 18), .kind = kind, .to = 17};
      const Family chosen(problem);
      problem.order = EdgeOrder::breadth;
      const Family breadth(problem);
      EXPECT_EQ(count(team(), chosen).count, count(team(), breadth).count) << to_string(kind);
      EXPECT_LE(survey(team(), chosen).all_states(), survey(team(), breadth).all_states());
    }
  }
}

TEST(FewStates, AreToldFromMany) {
  for (const char* const rule : {"grid:6", "king:4", "hypercube:4"}) {
    for (const Kind kind : {Kind::path, Kind::forest, Kind::matching}) {
      const Family family(in_rule(rule, kind));
      const std::uint64_t states = survey(team(), family).all_states();
      EXPECT_TRUE(detail::has_few_states(family.impl().steps, states)) << rule;
      EXPECT_FALSE(detail::has_few_states(family.impl().steps, states / 4)) << rule;
      EXPECT_FALSE(detail::has_few_states(family.impl().steps, 1)) << rule;
    }
  }
}

TEST(FewStates, AreFewOfEachLevelToo) {
  const Family family(in_rule("king:4", Kind::path));
  const std::uint64_t most = std::ranges::max(survey(team(), family).states);
  EXPECT_TRUE(detail::has_few_states(family.impl().steps, 1 << 30, most));
  EXPECT_FALSE(detail::has_few_states(family.impl().steps, 1 << 30, most / 2));
}

TEST(FewStates, AreOneWhereTwinsChangePlaces) {
  const Family family(in_rule("complete:9", Kind::path));
  EXPECT_TRUE(detail::has_few_states(family.impl().steps, survey(team(), family).all_states() / 3));
}

TEST(Counting, NeedsMoreLimbsThanOneWithoutHarm) {
  // 2^300 paths in a chain of doubled edges: a limb more every 64 links.
  Network network{.vertices = 301};
  for (Vertex v = 0; v < 300; ++v) network.edges.insert(network.edges.end(), 2, Edge{v, v + 1});
  std::vector<std::uint64_t> limbs(5);
  limbs[300 / 64] = std::uint64_t{1} << 300 % 64;
  const Problem problem{.network = network, .from = 0, .to = 300, .order = EdgeOrder::given};
  EXPECT_EQ(count(team(), Family(problem)).count, Count(limbs));
  const auto by_size = count_by_size(team(), Family(problem)).by_size;
  ASSERT_EQ(by_size.size(), 301U);
  EXPECT_EQ(by_size[300], Count(limbs));
}

TEST(Counting, HasStatesForWideFrontiers) {
  // A star of n paths of two edges between two vertices: a frontier of n, and n paths.
  for (const Vertex n : {10, 20, 50, 200}) {
    Network network{.vertices = n + 2};
    for (Vertex v = 0; v < n; ++v) network.edges.push_back({n, v});
    for (Vertex v = 0; v < n; ++v) network.edges.push_back({v, n + 1});
    const Problem problem{.network = network, .from = n, .to = n + 1, .order = EdgeOrder::given};
    EXPECT_EQ(counted(problem), std::to_string(n));
    Problem matching = problem;
    matching.kind = Kind::degrees;
    matching.degrees = {0, 2};
    EXPECT_EQ(counted(matching), std::to_string(1 + n * (n - 1) / 2));
  }
}

TEST(Counting, RefusesAFrontierThatNoStateHolds) {
  Network network{.vertices = 302};
  for (Vertex v = 0; v < 300; ++v) network.edges.push_back({300, v});
  for (Vertex v = 0; v < 300; ++v) network.edges.push_back({v, 301});
  const Problem problem{.network = network, .from = 300, .to = 301, .order = EdgeOrder::given};
  EXPECT_EQ(error_of([&p = problem] { Family family(p); }),
            "invalid_argument: the frontier of this graph needs more than 254 vertices at edge 254 "
            "of 600, whatever is counted: its states would be too many; another order of the "
            "edges, or fewer edges, may do");
}

TEST(Counting, StopsAtItsLimitOfMemory) {
  const std::string error =
      error_of([&] { count(team(), Family(corner_to_corner(10)), {.memory_limit = 200000}); });
  EXPECT_EQ(error.rfind("out_of_memory: counting takes more memory than the limit of 195 KiB: "
                        "at edge ",
                        0),
            0U)
      << error;
}

/// A cycle whose every other edge is decided first, so that all its vertices are in the frontier,
/// with some chords.
Network widely_open_cycle(Vertex vertices) {
  Network network{.vertices = vertices};
  for (Vertex v = 0; v < vertices; v += 2) network.edges.push_back({v, v + 1});
  for (Vertex v = 0; v < 4; ++v) network.edges.push_back({v, v + vertices / 2});
  for (Vertex v = 1; v < vertices; v += 2) network.edges.push_back({v, (v + 1) % vertices});
  return network;
}

// Frontiers of up to 14 vertices have states of one word, up to 24 of two.
TEST(Counting, IsTheSameAtEveryLevelOfVectors) {
  for (const Network& network : {network_by_rule("grid:6x7").network, widely_open_cycle(14),
                                 widely_open_cycle(16), widely_open_cycle(20)}) {
    for (const Kind kind : {Kind::path, Kind::cycle, Kind::hamiltonian_cycle}) {
      const Family family({.network = network,
                           .kind = kind,
                           .to = network.vertices / 2 + 4,
                           .order = EdgeOrder::given});
      std::vector<CountResult> found;
      for (const SimdLevel level : simd_levels()) {
        const kinjo::detail::ForcedLevel forced(level);
        found.push_back(count(team(), family));
        EXPECT_EQ(found.back().count, found.front().count) << to_string(level);
        EXPECT_EQ(found.back().states, found.front().states) << to_string(level);
      }
      EXPECT_NE(found.front().count, Count()) << to_string(kind);
    }
  }
}

TEST(Counting, StopsWhenItIsTold) {
  std::size_t asked = 0;
  const CountResult found =
      count(team(), Family(corner_to_corner(5)), {.go_on = [&](const auto& p) {
              EXPECT_EQ(p.items, 60U);
              return ++asked < 10;
            }});
  EXPECT_TRUE(found.interrupted);
  EXPECT_EQ(asked, 10U);
  EXPECT_EQ(found.count, Count());
}

// Levels may be so large that to go through one takes minutes.
TEST(Counting, AsksWithinALargeLevel) {
  for (const std::size_t threads : {1, 2}) {
    Team own(graph_mapping(threads));
    const Family family(corner_to_corner(11));
    std::size_t last = ~std::size_t{0}, again = 0;
    const CountResult found = count(own, family, {.go_on = [&](const auto& p) {
                                      again += p.item == last ? 1 : 0;
                                      last = p.item;
                                      return again < 3;
                                    }});
    EXPECT_TRUE(found.interrupted);
    EXPECT_EQ(again, 3U);
    EXPECT_EQ(found.count, Count());
  }
}

// Pages that another thread gives back are not there for the next count.
TEST(Counting, LeavesEachThreadItsPagesForTheNextCount) {
  std::thread([] {
    Team own(graph_mapping(2));
    const Family family(corner_to_corner(7));
    count(own, family);
    EXPECT_EQ(take_spare(1).data, nullptr) << "the caller's";
    own.run([&](const Place& me) {
      const Pages pages = take_spare(1);
      ASSERT_NE(pages.data, nullptr) << me.thread;
      EXPECT_TRUE(keep_spare(pages));
    });
  }).join();
}

// Counting leaves out levels, and has all states of those that it does not.
TEST(Counting, SurveysAllLevelsAndLooksAtSomeOfThemToCount) {
  const Family family(corner_to_corner(6));
  const CountResult surveyed = survey(team(), family), by_size = count_by_size(team(), family);
  EXPECT_EQ(surveyed.states, by_size.states);
  EXPECT_LT(surveyed.peak_bytes, by_size.peak_bytes);
  EXPECT_EQ(surveyed.states.size(), 85U);
  const CountResult counted = count(team(), family);
  ASSERT_EQ(counted.states.size(), 85U);
  for (std::size_t i = 0; i < 85; ++i) {
    if (counted.states[i] == 0) continue;
    EXPECT_EQ(counted.states[i], surveyed.states[i]) << i;
  }
  EXPECT_LT(4 * counted.all_states(), surveyed.all_states());
}

// Of a line's matchings an edge can be taken where the one before was not; of a triangle's forests
// the last edge where the other two do not join its ends.
TEST(Counting, SurveysInHowManyStatesAnEdgeCanBeTaken) {
  using Takes = std::vector<std::uint64_t>;
  const Network line{.vertices = 5, .edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}}};
  const Network triangle = network_by_rule("cycle:3").network;
  for (const std::size_t threads : {1, 3}) {
    Team own(graph_mapping(threads));
    const auto takes = [&](const Network& network, Kind kind) {
      return survey(own, Family({.network = network, .kind = kind, .order = EdgeOrder::given}))
          .takes;
    };
    EXPECT_EQ(takes(line, Kind::matching), Takes({1, 1, 1, 1})) << threads;
    EXPECT_EQ(takes(triangle, Kind::forest), Takes({1, 2, 1})) << threads;
    const CountResult large = survey(own, Family(corner_to_corner(8)));
    EXPECT_EQ(large.takes, survey(team(), Family(corner_to_corner(8))).takes) << threads;
    EXPECT_LT(std::accumulate(large.takes.begin(), large.takes.end(), 0U), large.all_states());
  }
  EXPECT_TRUE(count(team(), Family(corner_to_corner(3))).takes.empty());
}

TEST(Counting, RefusesWhatMakesNoSense) {
  const Network square = network_by_rule("cycle:4").network;
  const struct {
    Problem problem;
    const char* error;
  } refused[] = {
      {{.network = square, .from = 4},
       "vertex 4 as the beginning of paths: the graph has 4 vertices"},
      {{.network = square, .to = 9}, "vertex 9 as the end of paths: the graph has 4 vertices"},
      {{.network = square, .to = 1, .through = {7}},
       "vertex 7 to go through: the graph has 4 vertices"},
      {{.network = square, .to = 1, .avoid = {7}},
       "vertex 7 to be avoided: the graph has 4 vertices"},
      {{.network = square, .to = 1, .through = {2}, .avoid = {2}},
       "vertex '2' is both to be avoided and to be visited"},
      {{.network = square, .kind = Kind::forest, .through = {2}},
       "vertices to go through are for paths and cycles, not for forest"},
      {{.network = square, .kind = Kind::spanning_tree, .through = {2}},
       "vertices to go through are for paths and cycles, not for tree"},
      {{.network = square, .kind = Kind::hamiltonian_cycle, .components = 2},
       "a number of components is for components, not for hamiltonian"},
      {{.network = square, .kind = Kind::hamiltonian_path},
       "a Hamiltonian path has two different ends; for Hamiltonian cycles give none"},
      {{.network = square, .kind = Kind::degrees},
       "degrees: expected the numbers of edges that a vertex may have, each up to 255"},
      {{.network = square, .kind = Kind::forest, .components = 2},
       "a number of components is for components, not for forest"},
      {{.network = square, .to = 1, .degrees = {2}},
       "numbers of edges of a vertex are for degrees, not for path"},
      {{.network = {.vertices = 2, .edges = {{0, 1}, {1, 1}}}, .to = 1},
       "there is a loop at vertex '1': loops belong to no family and must be left out"},
  };
  for (const auto& [problem, error] : refused) {
    EXPECT_EQ(error_of([&p = problem] { Family family(p); }),
              std::string("invalid_argument: ") + error);
  }
}

/// Simpath's definition: all cycles of the component, of which none goes through another's vertex.
TEST(Counting, HasNoPathFromAVertexToItselfThroughAnotherComponent) {
  const Network network{5, {{0, 1}, {1, 2}, {2, 0}, {3, 4}}, {}};
  EXPECT_EQ(count(team(), Family({.network = network})).count, Count(1));
  EXPECT_EQ(count(team(), Family({.network = network, .through = {2}})).count, Count(1));
  EXPECT_EQ(count(team(), Family({.network = network, .through = {3}})).count, Count());
  EXPECT_TRUE(build(team(), Family({.network = network, .through = {3}}))->empty());
}

}  // namespace
}  // namespace kinjo::paths
