#include <kinjo/network.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>

#include <gtest/gtest.h>

#include "paths/order/automatic.hpp"
#include "paths/order/beam.hpp"
#include "paths/order/closing.hpp"
#include "paths/order/depth.hpp"
#include "paths/order/sweep.hpp"
#include "paths/order/windows.hpp"

namespace kinjo::paths {
namespace {

using Order = std::vector<std::uint32_t>;
using Edges = std::vector<Edge>;

constexpr EdgeOrder kOrders[] = {EdgeOrder::automatic, EdgeOrder::breadth, EdgeOrder::frontier,
                                 EdgeOrder::given};

/// The same graph with other numbers, and its edges in another order.
Network shuffled(Network network, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Vertex> numbers(network.vertices);
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::ranges::shuffle(numbers, random);
  for (Edge& e : network.edges) e = {numbers[e.to], numbers[e.from]};
  std::ranges::shuffle(network.edges, random);
  return network;
}

Network by_rule(const char* rule) { return network_by_rule(rule).network; }

Network random_network(unsigned seed, Vertex vertices, std::size_t edges) {
  std::mt19937 random(seed);
  Network network{vertices, {}, {}};
  while (network.edges.size() < edges) {
    const auto end = [&] { return static_cast<Vertex>(random() % vertices); };
    const Edge edge{end(), end()};
    if (edge.from != edge.to) network.edges.push_back(edge);
  }
  return network;
}

double cost_of(const Network& network, const Order& order) {
  return detail::cost_of(detail::Neighbours(network), order);
}

std::uint32_t greatest_frontier(const Network& network, EdgeOrder order) {
  return std::ranges::max(frontier_sizes(network, order_edges(network, order, 0)));
}

/// The edges as they are decided.
Edges decided(const Network& network, EdgeOrder order, Vertex first) {
  Edges edges;
  for (const std::uint32_t e : order_edges(network, order, first)) {
    edges.push_back(network.edges[e]);
  }
  return edges;
}

TEST(FrontierSizes, CountVerticesWithDecidedAndUndecidedEdges) {
  const Network path{4, {{0, 1}, {1, 2}, {2, 3}}, {}};
  EXPECT_EQ(frontier_sizes(path, {0, 1, 2}), (Order{1, 1, 0}));
  EXPECT_EQ(frontier_sizes(path, {0, 2, 1}), (Order{1, 2, 0}));
  EXPECT_EQ(frontier_sizes(by_rule("complete:4"), {0, 1, 2, 3, 4, 5}), (Order{2, 3, 3, 3, 2, 0}));
  const Network parallel{2, {{0, 1}, {1, 0}, {0, 1}}, {}};
  EXPECT_EQ(frontier_sizes(parallel, {0, 1, 2}), (Order{2, 2, 0}));
  EXPECT_EQ(frontier_sizes({5, {}, {}}, {}), Order{});
}

TEST(FrontierSizes, AgreeWithTheirDefinition) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Network network = random_network(seed, 12, 25);
    const Order order = order_edges(network, EdgeOrder::frontier, 0);
    const Order sizes = frontier_sizes(network, order);
    for (std::size_t k = 0; k < order.size(); ++k) {
      std::uint32_t size = 0;
      for (Vertex v = 0; v < network.vertices; ++v) {
        const auto touches = [&](std::uint32_t e) {
          return network.edges[e].from == v || network.edges[e].to == v;
        };
        const auto cut = order.begin() + static_cast<std::ptrdiff_t>(k) + 1;
        size += std::any_of(order.begin(), cut, touches) && std::any_of(cut, order.end(), touches);
      }
      ASSERT_EQ(sizes[k], size) << "seed " << seed << " edge " << k;
    }
  }
}

TEST(EdgeOrder, IsAPermutation) {
  std::vector<Network> networks{
      {}, {3, {}, {}}, {9, {{7, 4}}, {}}, {6, {{0, 1}, {1, 0}, {4, 5}, {0, 1}}, {}}};
  for (unsigned seed = 0; seed < 15; ++seed) {
    networks.push_back(random_network(seed, 5 + 2 * seed, 1 + 5 * seed));
  }
  for (const Network& network : networks) {
    for (const EdgeOrder which : kOrders) {
      Order order = order_edges(network, which, 0);
      std::ranges::sort(order);
      Order all(network.edges.size());
      std::iota(all.begin(), all.end(), 0u);
      EXPECT_EQ(order, all) << to_string(which);
    }
  }
}

TEST(EdgeOrder, LeavesEdgesAsGiven) {
  EXPECT_EQ(order_edges(by_rule("complete:4"), EdgeOrder::given, 2), (Order{0, 1, 2, 3, 4, 5}));
}

TEST(EdgeOrder, GoesBreadthFirstFromAVertex) {
  // From 3: 3, then 1 and 4 as the edges stand, then 2 and 0.
  const Network network{5, {{0, 1}, {1, 3}, {2, 1}, {4, 3}, {4, 2}, {2, 0}}, {}};
  EXPECT_EQ(decided(network, EdgeOrder::breadth, 3),
            (Edges{{1, 3}, {4, 3}, {0, 1}, {2, 1}, {4, 2}, {2, 0}}));
  const Network apart{6, {{0, 1}, {4, 5}, {1, 2}}, {}};
  EXPECT_EQ(decided(apart, EdgeOrder::breadth, 5), (Edges{{4, 5}, {0, 1}, {1, 2}}));
}

TEST(EdgeOrder, KeepsParallelEdgesTogether) {
  const Network network{3, {{0, 1}, {1, 2}, {1, 0}}, {}};
  for (const EdgeOrder which : {EdgeOrder::breadth, EdgeOrder::frontier}) {
    EXPECT_EQ(greatest_frontier(network, which), 2u) << to_string(which);
  }
}

TEST(EdgeOrder, SweepsAGridAlongItsShortSide) {
  for (const char* rule : {"grid:1x1", "grid:4x4", "grid:3x8", "grid:8x3", "grid:8x9"}) {
    const NamedNetwork grid = network_by_rule(rule);
    const Vertex side = std::min(grid.grid_rows, grid.grid_columns) + 1;
    // So small a grid is counted before the best order of it is found.
    EXPECT_LE(greatest_frontier(grid.network, EdgeOrder::automatic), side + 1) << rule;
    EXPECT_EQ(greatest_frontier(shuffled(grid.network, 3), EdgeOrder::frontier), side) << rule;
  }
}

TEST(EdgeOrder, FindsFrontiersThatAreKnown) {
  struct Case {
    const char* rule;
    std::uint32_t frontier;
  };
  for (const Case& c : {Case{"path:30", 1}, Case{"cycle:30", 2}, Case{"complete:9", 8},
                        Case{"king:1x9", 1}, Case{"hypercube:3", 4}}) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      EXPECT_EQ(greatest_frontier(shuffled(by_rule(c.rule), seed), EdgeOrder::frontier), c.frontier)
          << c.rule;
    }
  }
}

TEST(EdgeOrder, IsCheapestWhereItIsAutomatic) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    // Of the larger ones counting would take so long that all is searched for.
    const bool is_large = seed % 5 == 0;
    const Network network = is_large ? random_network(seed, 70, 140) : random_network(seed, 15, 24);
    const double automatic = cost_of(network, order_edges(network, EdgeOrder::automatic, 0));
    for (const EdgeOrder which : kOrders) {
      if (which == EdgeOrder::frontier && !is_large) continue;
      EXPECT_LE(automatic, cost_of(network, order_edges(network, which, 0))) << to_string(which);
    }
  }
}

TEST(EdgeOrder, ComesNearTheCheapestOfAll) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Network network = random_network(seed, 6, 7);
    Order order = order_edges(network, EdgeOrder::given, 0);
    double least = INFINITY;
    do {
      least = std::min(least, cost_of(network, order));
    } while (std::ranges::next_permutation(order).found);
    EXPECT_LE(cost_of(network, order_edges(network, EdgeOrder::frontier, 0)), 1.5 * least)
        << "seed " << seed;
  }
}

TEST(EdgeOrder, TakesVerticesWithHighNumbers) {
  const Network network{4294967295, {{4294967294, 0}, {4294967294, 7}}, {}};
  EXPECT_EQ(frontier_sizes(network, order_edges(network, EdgeOrder::automatic, 5)), (Order{1, 0}));
}

TEST(EdgeOrder, HasNames) {
  EXPECT_STREQ(to_string(EdgeOrder::automatic), "automatic");
  EXPECT_STREQ(to_string(EdgeOrder::breadth), "breadth");
  EXPECT_STREQ(to_string(EdgeOrder::frontier), "frontier");
  EXPECT_STREQ(to_string(EdgeOrder::given), "given");
}

/// What finishing vertices in their order costs.
double sweep_cost(const detail::Neighbours& neighbours, const std::vector<Vertex>& order) {
  detail::Sweep sweep(neighbours);
  double cost = 0;
  for (const Vertex v : order) {
    const auto step = sweep.step(v);
    sweep.finish(v);
    EXPECT_EQ(sweep.frontier(), step.frontier);
    cost += step.cost;
  }
  EXPECT_EQ(sweep.frontier(), 0u);
  return cost;
}

TEST(Costs, CountWhatVerticesOfAFrontierMayBe) {
  // Nobody has two decided and two undecided edges: powers of three of 1, 1, 0 vertices.
  EXPECT_EQ(cost_of(by_rule("path:4"), {0, 1, 2}), 3 + 3 + 1);
  // Vertex 0 of five in a star has one decided edge, then two, then one undecided.
  const Network star{5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}, {}};
  EXPECT_EQ(cost_of(star, {0, 1, 2, 3}), 3 + 4 + 3 + 1);
  // Rows of a grid are better than diagonals: there every vertex has two and two.
  const Network grid = by_rule("grid:10x10");
  EXPECT_LT(cost_of(grid, order_edges(grid, EdgeOrder::given, 0)),
            cost_of(grid, order_edges(grid, EdgeOrder::breadth, 0)));
  EXPECT_LT(cost_of(grid, order_edges(grid, EdgeOrder::frontier, 0)),
            cost_of(grid, order_edges(grid, EdgeOrder::given, 0)));
}

TEST(Costs, LeaveOutWordsOfMoreEndsThanEdgesCanHaveMade) {
  detail::Front front;
  for (int i = 0; i < 5; ++i) front.change(3, 3, 2);  // one decided edge each, of one vertex
  EXPECT_EQ(front.states(3), 243);                    // all are ends, or may be
  EXPECT_NEAR(front.states(1), 1 + 5 * 2 + 10 * 4, 5);
}

TEST(EdgeOrder, FinishesVerticesOfACompleteGraphOneByOne) {
  Network network = by_rule("complete:12");
  std::ranges::stable_sort(network.edges, {}, [](const Edge& e) { return std::max(e.from, e.to); });
  const Order given = order_edges(network, EdgeOrder::given, 0);
  const Order chosen = order_edges(network, EdgeOrder::automatic, 0);
  EXPECT_LT(2 * cost_of(network, chosen), cost_of(network, given));
  for (std::size_t i = 0; i < 11; ++i) EXPECT_EQ(network.edges[chosen[i]].from, 0U) << i;
}

TEST(EdgeOrder, IsNotLookedForWhereEveryFrontierIsTooLarge) {
  for (const auto& [rule, core] :
       {std::pair{"complete:300", 299u}, {"grid:9x9", 2u}, {"king:5x5", 4u}}) {
    EXPECT_EQ(detail::Neighbours(by_rule(rule)).core(), core) << rule;
  }
  // What else takes part is no matter.
  Network network = by_rule("complete:300");
  for (Vertex v = 0; v < 600; ++v) network.edges.push_back({v, v + 1});
  network.vertices = 601;
  tidy(network, Parallel::merge);
  EXPECT_EQ(detail::Neighbours(network).core(), 299U);
  EXPECT_EQ(order_edges(network, EdgeOrder::automatic, 0),
            order_edges(network, EdgeOrder::given, 0));
}

TEST(Costs, AreNumbersForAnyFrontier) {
  const Network dense = by_rule("complete:700");
  EXPECT_TRUE(std::isfinite(cost_of(dense, order_edges(dense, EdgeOrder::given, 0))));
}

TEST(Sweep, ForeseesWhatAStepCosts) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Network network = random_network(seed, 14, 30);
    tidy(network, Parallel::merge);
    const detail::Neighbours neighbours(network);
    std::vector<Vertex> order(neighbours.size());
    std::iota(order.begin(), order.end(), 0u);
    detail::Sweep sweep(neighbours);
    Edges edges;
    for (const Vertex v : order) {
      for (const Vertex u : sweep.decisions(v)) edges.push_back({v, u});
      sweep.finish(v);
    }
    const Network swept{network.vertices, edges, {}};
    EXPECT_EQ(edges.size(), network.edges.size());
    EXPECT_DOUBLE_EQ(sweep_cost(neighbours, order),
                     cost_of(swept, order_edges(swept, EdgeOrder::given, 0)));
  }
}

TEST(Sweep, IsUndone) {
  const detail::Neighbours neighbours(by_rule("king:3x3"));
  detail::Sweep sweep(neighbours);
  sweep.finish(4);
  const auto before = sweep.fingerprint();
  std::vector<Vertex> ends;
  for (Vertex v = 0; v < 9; ++v) {
    if (v == 4) continue;
    sweep.ends(v, ends);
    sweep.finish(v);
    EXPECT_NE(sweep.fingerprint(), before);
    sweep.undo(v, ends);
    EXPECT_EQ(sweep.fingerprint(), before);
    EXPECT_EQ(sweep.frontier(), 8u);
  }
}

TEST(Sweep, ForetellsItsFingerprint) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const detail::Neighbours neighbours(random_network(seed, 12, 20));
    detail::Sweep sweep(neighbours);
    for (Vertex v = 0; v < neighbours.size(); ++v) {
      const auto foretold = sweep.fingerprint_after(v);
      sweep.finish(v);
      EXPECT_EQ(sweep.fingerprint(), foretold) << v;
    }
  }
}

TEST(Windows, FindTheCheapestOrderOfFewVertices) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const detail::Neighbours neighbours(random_network(seed, 7, 11));
    std::vector<Vertex> order(neighbours.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<Vertex> improved = order;
    detail::improve_by_windows(neighbours, improved, improved.size());
    double least = INFINITY;
    do {
      least = std::min(least, sweep_cost(neighbours, order));
    } while (std::ranges::next_permutation(order).found);
    EXPECT_DOUBLE_EQ(sweep_cost(neighbours, improved), least);
  }
}

TEST(Windows, LeaveNoneThatCouldBeImproved) {
  constexpr std::size_t kSize = 5;
  for (unsigned seed = 0; seed < 5; ++seed) {
    const detail::Neighbours neighbours(random_network(seed, 16, 26));
    std::vector<Vertex> order(neighbours.size());
    std::iota(order.begin(), order.end(), 0u);
    detail::improve_by_windows(neighbours, order, kSize);
    const double cost = sweep_cost(neighbours, order);
    for (std::size_t begin = 0; begin < order.size(); begin += kSize / 2) {
      std::vector<Vertex> other = order;
      const auto window = std::span(other).subspan(begin, std::min(kSize, order.size() - begin));
      std::ranges::sort(window);
      do {
        EXPECT_GE(sweep_cost(neighbours, other), (1 - 1e-9) * cost) << seed << ' ' << begin;
      } while (std::ranges::next_permutation(window).found);
    }
  }
}

TEST(Windows, NeverMakeAnOrderDearer) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const detail::Neighbours neighbours(random_network(seed, 30, 50));
    std::vector<Vertex> order(neighbours.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<Vertex> improved = order;
    detail::improve_by_windows(neighbours, improved, 5);
    EXPECT_TRUE(std::ranges::is_permutation(improved, order));
    EXPECT_LT(sweep_cost(neighbours, improved), sweep_cost(neighbours, order));
  }
}

TEST(Beam, FindsBetterOrdersTheWiderItIs) {
  const detail::Neighbours neighbours(shuffled(by_rule("grid:8x8"), 1));
  const auto narrow = detail::beam_order(neighbours, 1), wide = detail::beam_order(neighbours, 64);
  EXPECT_TRUE(std::ranges::is_permutation(narrow, wide));
  EXPECT_EQ(wide.size(), 81u);
  EXPECT_LT(sweep_cost(neighbours, wide), sweep_cost(neighbours, narrow));
}

TEST(ClosingOrder, MeetsEachVertexOnce) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const detail::Neighbours neighbours(random_network(seed, 40, 30 + 2 * seed));
    std::vector<Vertex> order = detail::closing_order(neighbours, neighbours.nearest(seed));
    EXPECT_EQ(order.front(), neighbours.nearest(seed));
    std::ranges::sort(order);
    std::vector<Vertex> all(neighbours.size());
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(order, all);
  }
}

TEST(ClosingOrder, FinishesTheVertexThatMissesFewestFirst) {
  // From 0 on 1 and 3 are next, who miss one neighbour and two; behind 1 its other one, 2.
  const Network network{6, {{0, 3}, {0, 1}, {1, 2}, {3, 4}, {3, 5}}, {}};
  EXPECT_EQ(detail::closing_order(detail::Neighbours(network), 0),
            (std::vector<Vertex>{0, 1, 2, 3, 4, 5}));
}

TEST(ClosingOrder, IsNoneWhereAVertexHasTooManyNeighbours) {
  Network star{2000, {}, {}};
  for (Vertex v = 1; v < star.vertices; ++v) star.edges.push_back({0, v});
  EXPECT_TRUE(detail::closing_order(detail::Neighbours(star), 0).empty());
  EXPECT_EQ(frontier_sizes(star, order_edges(star, EdgeOrder::automatic, 0)).back(), 0U);
  EXPECT_TRUE(detail::closing_order(detail::Neighbours(Network{3, {}, {}}), 0).empty());
}

std::uint32_t largest_frontier(const Network& network, EdgeOrder order) {
  return std::ranges::max(frontier_sizes(network, order_edges(network, order, 0)));
}

TEST(DepthOrder, MeetsEachVertexOnce) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const detail::Neighbours neighbours(random_network(seed, 40, 20 + 2 * seed));
    std::vector<Vertex> order = detail::depth_order(neighbours, neighbours.nearest(seed));
    std::ranges::sort(order);
    std::vector<Vertex> all(neighbours.size());
    std::iota(all.begin(), all.end(), 0u);
    EXPECT_EQ(order, all);
  }
  EXPECT_TRUE(detail::depth_order(detail::Neighbours(Network{3, {}, {}}), 0).empty());
}

TEST(DepthOrder, OfWhatHangsBelowAVertexFinishesTheDearestFirst) {
  // Below 0 hang 1, a leaf, and 2, below which hang 3 and 4.
  const Network network{5, {{0, 1}, {0, 2}, {2, 3}, {2, 4}}, {}};
  EXPECT_EQ(detail::depth_order(detail::Neighbours(network), 0),
            (std::vector<Vertex>{3, 4, 2, 1, 0}));
}

TEST(EdgeOrders, HaveLogarithmicFrontiersForTreesAndFewMoreForEdgesBesides) {
  Network balanced{(1u << 13) - 1, {}, {}}, random{5000, {}, {}};
  for (Vertex v = 1; v < balanced.vertices; ++v) balanced.edges.push_back({(v - 1) / 2, v});
  std::mt19937 numbers(1);
  for (Vertex v = 1; v < random.vertices; ++v) {
    random.edges.push_back({static_cast<Vertex>(numbers() % v), v});
  }
  for (const EdgeOrder order : {EdgeOrder::automatic, EdgeOrder::frontier}) {
    EXPECT_LE(largest_frontier(balanced, order), 13u);
    EXPECT_LE(largest_frontier(random, order), 13u);
  }
  for (int i = 0; i < 10; ++i) {
    random.edges.push_back({static_cast<Vertex>(numbers() % random.vertices),
                            static_cast<Vertex>(numbers() % random.vertices)});
  }
  EXPECT_LE(largest_frontier(random, EdgeOrder::automatic), 20u);
}

/// What `automatic_order` tried, and chose.
struct Tried {
  std::vector<Order> orders;
  std::vector<std::uint64_t> states;
  Order chosen;
};
Tried try_orders(const Network& network, std::size_t refusals) {
  Tried tried;
  tried.chosen = detail::automatic_order(network, 0, [&](const Order& order, std::uint64_t states) {
    tried.orders.push_back(order);
    tried.states.push_back(states);
    return tried.orders.size() > refusals;
  });
  return tried;
}

TEST(AutomaticOrder, IsTheFirstThatHasFewStates) {
  const Network network = random_network(1, 60, 120);
  const Tried all = try_orders(network, 100);
  ASSERT_GE(all.orders.size(), 2U);
  EXPECT_LE(cost_of(network, all.chosen),
            cost_of(network, order_edges(network, EdgeOrder::automatic, 0)));
  for (std::size_t refusals = 0; refusals < all.orders.size(); ++refusals) {
    const Tried some = try_orders(network, refusals);
    EXPECT_EQ(some.chosen, all.orders[refusals]);
    EXPECT_EQ(some.orders.size(), refusals + 1);
  }
}

TEST(AutomaticOrder, IsTriedWithMoreStatesTheMoreASearchWouldTake) {
  const Network network = random_network(2, 60, 120);
  const Tried tried = try_orders(network, 100);
  ASSERT_GE(tried.orders.size(), 2U);
  for (std::size_t i = 1; i < tried.orders.size(); ++i) {
    EXPECT_GT(tried.states[i], tried.states[i - 1]);
    EXPECT_LE(cost_of(network, tried.orders[i]), cost_of(network, tried.orders[i - 1]));
  }
}

TEST(AutomaticOrder, IsNotSearchedForWhereAllVerticesAreAlike) {
  const Network complete = by_rule("complete:60");
  const Tried tried = try_orders(complete, 100);
  EXPECT_TRUE(tried.orders.empty());
  EXPECT_LE(cost_of(complete, tried.chosen),
            cost_of(complete, order_edges(complete, EdgeOrder::given, 0)));
}

// Two halves, each vertex of one next to all of the other: levels are small, and there are many.
TEST(AutomaticOrder, IsTakenOfManySmallLevelsBeforeAllIsSearched) {
  Network halves{.vertices = 120};
  for (Vertex a = 0; a < 60; ++a) {
    for (Vertex b = 60; b < 120; ++b) halves.edges.push_back({a, b});
  }
  const Tried tried = try_orders(halves, 100);
  ASSERT_GE(tried.states.size(), 2U);
  EXPECT_GT(tried.states.back(), std::uint64_t{1} << 20);
}

TEST(AutomaticOrder, IsNotTriedWhereLittleIsToBeSaved) {
  for (const char* const rule : {"grid:5", "king:4", "complete:8", "path:100"}) {
    EXPECT_TRUE(try_orders(by_rule(rule), 0).orders.empty()) << rule;
  }
}

}  // namespace
}  // namespace kinjo::paths
