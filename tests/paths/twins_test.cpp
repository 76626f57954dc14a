#include "paths/twins.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "graph/graph_team.hpp"
#include "paths/family.hpp"
#include "paths/family_samples.hpp"
#include "paths/level_sweep.hpp"
#include "paths/mate_twins.hpp"
#include "paths/twin_order.hpp"
#include "simd/level.hpp"
#include "support/scratch.hpp"

namespace kinjo::paths {
namespace {

using namespace detail;
using kinjo::test::graph_mapping;
using test::kKinds;
using test::ProblemSource;

class Random {
 public:
  explicit Random(unsigned seed) : bits_(seed) {}
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(bits_);
  }
  template <class Range>
  void shuffle(Range& range) {
    std::ranges::shuffle(range, bits_);
  }

 private:
  std::mt19937 bits_;
};

Frontier frontier_of(const Network& network) {
  std::vector<std::uint32_t> order(network.edges.size());
  std::iota(order.begin(), order.end(), 0U);
  return make_frontier(network, order, Inheritance::allowed, 30);
}

/// All edges between so many vertices, but some.
Network all_but(Vertex vertices, std::size_t missing, Random& random) {
  Network network{.vertices = vertices, .edges = {}, .names = {}};
  for (Vertex u = 0; u < vertices; ++u) {
    for (Vertex v = u + 1; v < vertices; ++v) network.edges.push_back({u, v});
  }
  for (; missing > 0; --missing) {
    const auto which = static_cast<std::ptrdiff_t>(random.below(network.edges.size()));
    network.edges.erase(network.edges.begin() + which);
  }
  return network;
}

// The first two are alike after their edge, and all that remain when one leaves with its last edge.
TEST(Twins, AreAllThatRemainOfACompleteGraph) {
  Random random(1);
  const Network network = all_but(5, 0, random);
  const Frontier frontier = frontier_of(network);
  const Twins twins(frontier, 0, {}, 1);
  std::vector<std::size_t> sizes;
  for (std::size_t item = 0; item < network.edges.size(); ++item) {
    if (twins.after(item) == Twins::kNone) continue;
    const TwinClasses& classes = twins.all()[twins.after(item)];
    EXPECT_EQ(classes.size(), 1U) << item;
    EXPECT_TRUE(item == 0 || network.edges[item].to == 4) << item;
    sizes.push_back(classes.of(0).size());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 4, 3, 2}));
}

/// The other ends of a vertex' edges from an item on, but one vertex.
std::multiset<Vertex> neighbours(const Network& network, std::size_t item, Vertex v, Vertex but) {
  std::multiset<Vertex> found;
  for (; item < network.edges.size(); ++item) {
    const auto& [from, to] = network.edges[item];
    if (from == v && to != but) found.insert(to);
    if (to == v && from != but) found.insert(from);
  }
  return found;
}

/// By slot, who is in the frontier after an item.
std::vector<Vertex> seated(const Frontier& frontier, std::size_t item, Vertex nobody) {
  std::vector<Vertex> vertices(frontier.slots, nobody);
  for (std::size_t i = 0; i <= item; ++i) {
    for (const End* end : {&frontier.steps[i].a, &frontier.steps[i].b}) {
      vertices[end->slot] = end->leaves ? nobody : end->vertex;
    }
  }
  return vertices;
}

TEST(Twins, AreThoseWithTheSameNeighboursByUndecidedEdges) {
  std::size_t pairs = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Network network = all_but(8, random.below(12), random);
    random.shuffle(network.edges);
    if (seed % 4 == 0) network.edges.push_back(network.edges[random.below(8)]);
    std::vector<bool> kind(network.vertices);
    for (Vertex v = 0; v < network.vertices; ++v) kind[v] = random.below(4) == 0;
    const Frontier frontier = frontier_of(network);
    const Twins twins(frontier, 0, kind, 1);
    for (std::size_t item = 0; item < network.edges.size(); ++item) {
      if (twins.after(item) == Twins::kNone) continue;
      const TwinClasses& classes = twins.all()[twins.after(item)];
      const std::vector<Vertex> vertices = seated(frontier, item, network.vertices);
      for (std::size_t a = 0; a < frontier.slots; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          const Vertex u = vertices[a], v = vertices[b];
          const bool expected =
              u < network.vertices && v < network.vertices && kind[u] == kind[v] &&
              neighbours(network, item + 1, u, v) == neighbours(network, item + 1, v, u);
          const bool found = classes.class_of(a) != TwinClasses::kNone &&
                             classes.class_of(a) == classes.class_of(b);
          ASSERT_EQ(found, expected) << seed << ' ' << item << ' ' << a << ' ' << b;
          pairs += found ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(pairs, 1000U);
}

/// Classes of some of so many slots; one in so many has vertices with one undecided edge, or none.
TwinClasses random_classes(std::size_t slots, Random& random, std::size_t one_in = 0) {
  std::vector<std::vector<std::uint16_t>> members(1 + random.below(4));
  for (std::uint16_t slot = 0; slot < slots; ++slot) {
    const std::size_t c = random.below(members.size() + 1);
    if (c < members.size()) members[c].push_back(slot);
  }
  TwinClasses classes(slots);
  for (const auto& slots_of_class : members) {
    if (slots_of_class.size() > 1)
      classes.add(slots_of_class, one_in != 0 && random.below(one_in) == 0);
  }
  return classes;
}

/// Of each slot where it goes to, if twins change places.
std::vector<std::uint16_t> random_exchange(const TwinClasses& classes, Random& random) {
  std::vector<std::uint16_t> to(classes.slots());
  std::iota(to.begin(), to.end(), std::uint16_t{0});
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::vector<std::uint16_t> places(classes.of(c).begin(), classes.of(c).end());
    random.shuffle(places);
    for (std::size_t i = 0; i < places.size(); ++i) to[classes.of(c)[i]] = places[i];
  }
  return to;
}

template <class Fields>
typename Fields::State exchanged(const typename Fields::State& state,
                                 const std::vector<std::uint16_t>& to) {
  std::vector<TwinSeat> seats(to.size());
  for (std::size_t slot = 0; slot < to.size(); ++slot) seats[to[slot]] = Fields::read(state, slot);
  std::vector<std::uint16_t> lowest(to.size(), 0xFFFF);  // by group, before and after
  typename Fields::State after = state;
  for (std::uint16_t slot = 0; slot < to.size(); ++slot) {
    lowest[seats[slot].group] = std::min(lowest[seats[slot].group], slot);
    Fields::write(after, slot, {lowest[seats[slot].group], seats[slot].kind});
  }
  return after;
}

template <class Fields>
typename Fields::State ordered(const TwinClasses& classes, typename Fields::State state) {
  TwinOrder<Fields>(classes).order(std::span(&state, 1));
  return state;
}

/// Ends of fragments, and vertices that are none, by chance.
template <unsigned Bits, std::size_t Words>
State<Words> random_mates(std::size_t slots, Random& random) {
  using Fields = MateFields<Bits, Words>;
  std::vector<std::uint16_t> order(slots);
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  random.shuffle(order);
  std::vector<TwinSeat> seats(slots);
  for (std::size_t i = 0; i < slots; ++i) {
    const auto kind = static_cast<std::uint16_t>(random.below(4));
    seats[order[i]] = {order[i], kind};
    if (kind != Fields::end) continue;
    if (i + 1 == slots) {
      seats[order[i]].kind = Fields::inside;
      continue;
    }
    const std::uint16_t group = std::min(order[i], order[i + 1]);
    seats[order[i]] = seats[order[i + 1]] = {group, kind};
    ++i;
  }
  State<Words> state{};
  for (std::size_t slot = 0; slot < slots; ++slot) Fields::write(state, slot, seats[slot]);
  return state;
}

template <class Fields>
typename Fields::State random_labels(std::size_t slots, Random& random) {
  typename Fields::State state{};
  std::vector<std::uint16_t> group(slots);
  for (std::uint16_t slot = 0; slot < slots; ++slot) {
    const std::size_t joined = random.below(2 * (slot + std::size_t{1}));
    group[slot] = joined < slot ? group[joined] : slot;
    Fields::write(state, slot, {group[slot], 0});
  }
  return state;
}

template <class Fields>
typename Fields::State random_degrees(std::size_t slots, Random& random) {
  typename Fields::State state{};
  for (std::uint16_t slot = 0; slot < slots; ++slot) {
    Fields::write(state, slot, {slot, static_cast<std::uint16_t>(random.below(4))});
  }
  return state;
}

/// That twins may change places before, and that nothing else has changed.
template <class Fields, class Draw>
void expect_one_of_all(std::size_t slots, Draw&& draw) {
  std::size_t changed = 0, reached = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const TwinClasses classes = random_classes(slots, random, 4);
    const auto state = draw(slots, random);
    const auto one = ordered<Fields>(classes, state);
    changed += one != state ? 1 : 0;
    for (int i = 0; i < 20; ++i) {
      const auto other = exchanged<Fields>(state, random_exchange(classes, random));
      reached += other == one ? 1 : 0;
      ASSERT_EQ(ordered<Fields>(classes, other), one) << seed;
    }
    ASSERT_EQ(ordered<Fields>(classes, one), one) << seed;
  }
  EXPECT_GT(changed, 100U);
  EXPECT_GT(reached, 100U);
}

TEST(TwinOrder, MakesOneStateOfAllThatTwinsCanMake) {
  expect_one_of_all<MateFields<4, 1>>(6, random_mates<4, 1>);
  expect_one_of_all<MateFields<5, 2>>(6, random_mates<5, 2>);
  using Labels = LabelFields<Marks<5, 2>, 24>;
  expect_one_of_all<Labels>(6, random_labels<Labels>);
  using Degrees = DegreeFields<Marks<4, 2>>;
  expect_one_of_all<Degrees>(6, random_degrees<Degrees>);
}

/// Whether twins that change places make one state of the other: of few slots, all ways are tried.
template <class Fields>
bool may_become(const TwinClasses& classes, const typename Fields::State& from,
                const typename Fields::State& to) {
  std::vector<std::vector<std::uint16_t>> places;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    places.emplace_back(classes.of(c).begin(), classes.of(c).end());
  }
  std::vector<std::uint16_t> exchange(classes.slots());
  std::iota(exchange.begin(), exchange.end(), std::uint16_t{0});
  for (;;) {
    for (std::size_t c = 0; c < places.size(); ++c) {
      for (std::size_t i = 0; i < places[c].size(); ++i) exchange[classes.of(c)[i]] = places[c][i];
    }
    if (exchanged<Fields>(from, exchange) == to) return true;
    std::size_t c = 0;
    while (c < places.size() && !std::ranges::next_permutation(places[c]).found) ++c;
    if (c == places.size()) return false;
  }
}

TEST(TwinOrder, ExchangesTwinsAlone) {
  using Mates = MateFields<4, 1>;
  using Labels = LabelFields<Marks<5, 2>, 24>;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const TwinClasses classes = random_classes(6, random);
    const auto mates = random_mates<4, 1>(6, random);
    ASSERT_TRUE(may_become<Mates>(classes, mates, ordered<Mates>(classes, mates))) << seed;
    const auto labels = random_labels<Labels>(6, random);
    ASSERT_TRUE(may_become<Labels>(classes, labels, ordered<Labels>(classes, labels))) << seed;
  }
}

// Vectors may choose another state of those that twins can make, but the same one for all.
TEST(TwinKernels, MakeOneStateOfAllThatTwinsCanMake) {
  using Fields = MateFields<4, 1>;
  std::size_t levels = 0;
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    const auto order = twin_kernels().order;
    if (order == nullptr) continue;
    ++levels;
    for (unsigned seed = 0; seed < 2000; ++seed) {
      Random random(seed);
      const std::size_t slots = 2 + random.below(13);
      const TwinClasses classes = random_classes(slots, random, 4);
      if (classes.size() == 0) continue;
      const TwinTables tables(classes);
      std::vector<std::uint64_t> states, expected;
      for (std::size_t i = 0; i < 1 + seed % 19; ++i) {
        const auto state = random_mates<4, 1>(slots, random);
        const auto other = exchanged<Fields>(state, random_exchange(classes, random));
        states.insert(states.end(), {state[0], other[0]});
        expected.push_back(ordered<Fields>(classes, state)[0]);
      }
      // What is behind them stays.
      states.push_back(0x1234);
      order(tables, states.data(), states.size() - 1);
      ASSERT_EQ(states.back(), 0x1234U);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(states[2 * i], states[2 * i + 1]) << to_string(level) << ' ' << seed;
        ASSERT_EQ(ordered<Fields>(classes, {states[2 * i]})[0], expected[i])
            << to_string(level) << ' ' << seed;
      }
    }
  }
  if (levels == 0) GTEST_SKIP() << "there are no vectors that shuffle bytes here";
}

SweepResult sweep(Team& team, const Family& family, const SweepOptions& options) {
  return std::visit(
      [&](const auto& steps) {
        return with_specification(steps,
                                  [&](const auto& s) { return LevelSweep(s, options).run(team); });
      },
      family.impl().steps);
}
std::uint64_t all_states(const SweepResult& found) {
  return std::accumulate(found.states.begin(), found.states.end(), std::uint64_t{0});
}

Problem with_kind(Network network, Kind kind) {
  const Vertex last = network.vertices - 1;
  Problem problem{.network = std::move(network), .kind = kind, .to = last};
  problem.order = EdgeOrder::given;
  if (kind == Kind::components) problem.components = 2;
  if (kind == Kind::degrees) problem.degrees = {0, 1, 3};
  return problem;
}

/// Numbers where twins are exchanged are those where they are not.
void expect_the_same(const Family& family, std::size_t& states, std::size_t& merged) {
  for (const Measure measure : {Measure::sets, Measure::by_size}) {
    Team one(graph_mapping(1));
    const SweepResult plain = sweep(one, family, {.measure = measure});
    states += all_states(plain);
    const kinjo::test::Scratch folder;
    for (const std::size_t threads : {1, 3}) {
      Team team(graph_mapping(threads));
      const SweepOptions options{.measure = measure, .merges = true, .least_to_merge = 0};
      const SweepResult found = sweep(team, family, options);
      EXPECT_EQ(found.total.counts(), plain.total.counts());
      merged += threads == 1 ? all_states(found) : 0;
      SweepOptions spilled = options;
      spilled.spill = folder.path();
      spilled.memory_limit = threads << 18;
      EXPECT_EQ(sweep(team, family, spilled).total.counts(), plain.total.counts());
    }
  }
}

TEST(Twins, LeaveNumbersAsTheyAre) {
  for (const Kind kind : kKinds) {
    std::size_t states = 0, merged = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
      Random random(seed);
      Network network = all_but(8, random.below(5), random);
      if (seed % 3 == 0) random.shuffle(network.edges);
      if (seed % 3 == 1) {
        std::ranges::sort(network.edges, {}, [](const Edge& e) { return std::pair(e.to, e.from); });
      }
      Problem problem = with_kind(std::move(network), kind);
      if (seed % 4 == 1 && kind == Kind::path) problem.through = {2, 5};
      expect_the_same(Family(problem), states, merged);
    }
    EXPECT_LT(4 * merged, 3 * states) << to_string(kind);
  }
}

TEST(Twins, LeaveNumbersOfSmallProblemsAsTheyAre) {
  for (const Kind kind : kKinds) {
    ProblemSource source(kind);
    std::size_t states = 0, merged = 0;
    for (int i = 0; i < 100; ++i) {
      const Family family(source.next());
      if (!family.impl().empty) expect_the_same(family, states, merged);
    }
  }
}

TEST(Twins, AtEveryLevelOfVectors) {
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    std::size_t states = 0, merged = 0;
    for (unsigned seed = 0; seed < 6; ++seed) {
      Random random(seed);
      expect_the_same(Family(with_kind(all_but(11, 4 * seed, random), Kind::path)), states, merged);
    }
    EXPECT_LT(merged, states) << to_string(level);
  }
}

TEST(Twins, ArePartedByWeightsOfEdges) {
  Random random(1);
  Team team(graph_mapping(1));
  const Family family(with_kind(all_but(10, 3, random), Kind::path));
  std::vector<double> weights(family.edges().size(), 0.375);
  const CountResult counted = count_by_size(team, family),
                    even = weighted_sum(team, family, weights);
  double sum = 0, weight = 1;
  for (const Count& sets : counted.by_size) {
    sum += weight * std::stod(sets.to_string());
    weight *= 0.375;
  }
  EXPECT_NEAR(even.weight, sum, 1e-12 * sum);
  EXPECT_EQ(even.states, counted.states);
  // Without its first edge.
  Problem rest =
      with_kind({10, {family.edges().begin() + 1, family.edges().end()}, {}}, Kind::path);
  weights.front() = 0;
  const CountResult odd = weighted_sum(team, family, weights);
  weights.erase(weights.begin());
  const double expected = weighted_sum(team, Family(rest), weights).weight;
  EXPECT_NEAR(odd.weight, expected, 1e-12 * expected);
  EXPECT_GT(odd.all_states(), 2 * even.all_states());
}

/// Paths from the first vertex of a complete graph to the last: by how many others they visit.
std::string paths_of_complete(std::uint64_t vertices) {
  // The sum over k of the products (n - 2)(n - 3)… of k factors; digits are to the base 10^9.
  std::vector<std::uint64_t> sum{1}, product{1};
  constexpr std::uint64_t kBase = 1'000'000'000;
  const auto carry = [&](std::vector<std::uint64_t>& digits) {
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (digits[i] < kBase) continue;
      if (i + 1 == digits.size()) digits.push_back(0);
      digits[i + 1] += digits[i] / kBase;
      digits[i] %= kBase;
    }
  };
  for (std::uint64_t k = 0; k + 2 < vertices; ++k) {
    for (std::uint64_t& digit : product) digit *= vertices - 2 - k;
    carry(product);
    sum.resize(std::max(sum.size(), product.size()));
    for (std::size_t i = 0; i < product.size(); ++i) sum[i] += product[i];
    carry(sum);
  }
  std::string text = std::to_string(sum.back());
  for (std::size_t i = sum.size() - 1; i-- > 0;) text += fmt::format("{:09}", sum[i]);
  return text;
}

TEST(Twins, LetLargeCompleteGraphsBeCounted) {
  for (const std::size_t threads : {1, 2}) {
    Team team(graph_mapping(threads));
    for (const unsigned vertices : {12U, 14U, 15U, 20U, 32U, 48U}) {
      const Family family({.network = network_by_rule(fmt::format("complete:{}", vertices)).network,
                           .to = vertices - 1});
      EXPECT_EQ(count(team, family).count.to_string(), paths_of_complete(vertices)) << threads;
    }
    // Cayley's formula, and matchings by a recurrence.
    const Family trees(
        {.network = network_by_rule("complete:16").network, .kind = Kind::spanning_tree});
    EXPECT_EQ(count(team, trees).count.to_string(), "72057594037927936");
    const Family matchings(
        {.network = network_by_rule("complete:30").network, .kind = Kind::matching});
    std::uint64_t before = 1, now = 1;
    for (std::uint64_t n = 2; n <= 30; ++n) before = std::exchange(now, now + (n - 1) * before);
    EXPECT_EQ(count(team, matchings).count.to_string(), std::to_string(now));
  }
}

}  // namespace
}  // namespace kinjo::paths
