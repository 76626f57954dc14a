/// Counts whose levels go by parts: where they outgrow the memory that they may take, and where
/// that takes less time.
#include "paths/part_sweep.hpp"

#include <array>
#include <filesystem>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <kinjo/paths.hpp>

#include "graph/graph_team.hpp"
#include "paths/family_samples.hpp"
#include "paths/known_counts.hpp"
#include "paths/level_sweep.hpp"
#include "paths/part_sizes.hpp"
#include "support/expect.hpp"
#include "support/scratch.hpp"

namespace kinjo::paths {
namespace {

using namespace detail;
using kinjo::test::error_of;
using kinjo::test::graph_mapping;
using kinjo::test::kCornerToCorner;
using test::corner_to_corner;
using test::kKinds;

/// So little that states leave memory when there are some hundred of them.
constexpr std::uint64_t kLittle = std::uint64_t{16} << 10;

Problem in_rule(const std::string& rule, Kind kind) {
  Problem problem{.network = network_by_rule(rule).network, .kind = kind};
  problem.to = problem.network.vertices - 1;
  problem.order = EdgeOrder::given;
  if (kind == Kind::degrees) problem.degrees = {1, 2};
  if (kind == Kind::components) problem.components = 2;
  return problem;
}

TEST(Spilled, CountsTheSameOfAllKinds) {
  const kinjo::test::Scratch folder;
  for (const std::size_t threads : {1, 2}) {
    Team team(graph_mapping(threads));
    for (const Kind kind : kKinds) {
      std::size_t spilled = 0;
      // Of matchings there are few states.
      const char* const complete = kind == Kind::matching ? "complete:14" : "complete:10";
      for (const char* const rule : {"grid:6x5", "king:5x5", complete, "hypercube:4"}) {
        const Family family(in_rule(rule, kind));
        const CountResult in_memory = count(team, family);
        const std::uint64_t limit = kLittle * threads;
        const CountResult found =
            count(team, family, {.memory_limit = limit, .spill = folder.path()});
        EXPECT_EQ(found.count, in_memory.count) << rule << ' ' << to_string(kind);
        spilled += in_memory.peak_bytes > limit ? 1 : 0;
      }
      // Several threads share the limit, and hand on, so that they spill what one would not.
      if (threads == 1) {
        EXPECT_GE(spilled, 1U) << to_string(kind);
      }
    }
  }
}

TEST(Spilled, SortsTheSameBySizeAndWeight) {
  const kinjo::test::Scratch folder;
  const Family family(in_rule("king:5x4", Kind::forest));
  std::vector<double> weights(family.edges().size());
  std::iota(weights.begin(), weights.end(), 1.0);
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    const CountOptions options{.memory_limit = 2 * kLittle * threads, .spill = folder.path()};
    const CountResult in_memory = count_by_size(team, family);
    const CountResult by_size = count_by_size(team, family, options);
    EXPECT_EQ(by_size.by_size, in_memory.by_size) << threads;
    if (threads == 1) {
      EXPECT_GT(in_memory.peak_bytes, options.memory_limit);
    }
    const double weight = weighted_sum(team, family, weights, options).weight;
    EXPECT_NEAR(weight / weighted_sum(team, family, weights).weight, 1, 1e-13) << threads;
    for (int again = 0; again < 3; ++again) {
      EXPECT_EQ(weighted_sum(team, family, weights, options).weight, weight) << threads;
    }
  }
}

// Numbers of two limbs and more, whose bound is told anew at each level on the disk.
TEST(Spilled, CountsLargeNumbers) {
  const kinjo::test::Scratch folder;
  for (const std::size_t threads : {1, 2, 7}) {
    Team team(graph_mapping(threads));
    for (const unsigned squares : {8U, 10U}) {
      const Family family(corner_to_corner(squares));
      const CountResult found =
          count(team, family,
                {.memory_limit = threads * (kLittle << (squares - 6)), .spill = folder.path()});
      EXPECT_EQ(found.count.to_string(), kCornerToCorner[squares - 1]) << threads;
      EXPECT_LE(found.peak_bytes, threads * (kLittle << (squares - 6)) * 5 / 4 + (threads << 18));
    }
  }
}

// Of these kinds parts stay apart.
TEST(Packed, CountsTheSameInLessMemory) {
  for (const Kind kind : {Kind::path, Kind::cycle, Kind::hamiltonian_cycle, Kind::degrees}) {
    Problem problem = in_rule("king:9", kind);
    for (const std::size_t threads : {1, 2}) {
      Team team(graph_mapping(threads));
      const std::uint64_t limit = threads * (std::uint64_t{8} << 20);
      problem.order = EdgeOrder::given;
      const CountResult found = count(team, Family(problem), {.memory_limit = limit});
      problem.order = EdgeOrder::frontier;
      EXPECT_EQ(found.count, count(team, Family(problem)).count) << to_string(kind);
      EXPECT_LE(found.peak_bytes, limit) << to_string(kind);
    }
  }
}

// Two levels have 8 million states.
TEST(Packed, CountsLargeLevelsUnasked) {
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    const CountResult found = count(team, Family(in_rule("hypercube:5", Kind::path)));
    EXPECT_EQ(found.count.to_string(), "18651552840");
    EXPECT_LT(found.peak_bytes, std::uint64_t{200} << 20);
  }
}

TEST(Packed, SortsTheSameBySizeAndWeight) {
  const Family family(in_rule("king:7", Kind::path));
  std::vector<double> weights(family.edges().size());
  std::iota(weights.begin(), weights.end(), 1.0);
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    const CountResult in_tables = count_by_size(team, family);
    const CountOptions options{.memory_limit = in_tables.peak_bytes / 2};
    EXPECT_EQ(count_by_size(team, family, options).by_size, in_tables.by_size) << threads;
    const Family larger(in_rule("king:9", Kind::cycle));
    weights.resize(larger.edges().size(), 1.25);
    const CountOptions of_weight{.memory_limit = threads * (std::uint64_t{8} << 20)};
    const double weight = weighted_sum(team, larger, weights, of_weight).weight;
    EXPECT_NEAR(weight / weighted_sum(team, larger, weights).weight, 1, 1e-13) << threads;
    EXPECT_EQ(weighted_sum(team, larger, weights, of_weight).weight, weight) << threads;
  }
}

// Memory holds some of a level, and a disk the rest.
TEST(Packed, GoesToADiskWhereMemoryEnds) {
  const kinjo::test::Scratch folder;
  for (const std::size_t threads : {1, 2}) {
    Team team(graph_mapping(threads));
    const Family family(in_rule("hypercube:5", Kind::path));
    const std::uint64_t limit = threads * (std::uint64_t{40} << 20);
    EXPECT_THAT(
        error_of([&] { count(team, family, {.memory_limit = limit}); }),
        testing::StartsWith("out_of_memory: counting takes more memory than the limit of "));
    const CountResult found = count(team, family, {.memory_limit = limit, .spill = folder.path()});
    EXPECT_EQ(found.count.to_string(), "18651552840") << threads;
    EXPECT_LE(found.peak_bytes, limit);
  }
}

TEST(Packed, EndsWhenItIsTold) {
  Team team(graph_mapping(2));
  const Family family(in_rule("king:9", Kind::path));
  std::size_t calls = 0, end = std::numeric_limits<std::size_t>::max();
  const auto counted = [&] {
    calls = 0;
    const auto go_on = [&](const Progress&) { return ++calls < end; };
    return count(team, family, {.memory_limit = 16 << 20, .go_on = go_on});
  };
  EXPECT_FALSE(counted().interrupted);
  const std::size_t most = calls;
  ASSERT_GT(most, 100U);
  for (end = 1; end < most / 2; end += most / 6) {
    EXPECT_TRUE(counted().interrupted) << end;
    EXPECT_EQ(calls, end);
  }
}

/// Sets of `kAny` items, of which one alone may have others, too: of all states that there are one
/// goes on to double, and the others come to nothing.
class OneThatGrows {
 public:
  using State = detail::State<1>;
  static constexpr std::size_t kAny = 8, kItems = 24;
  static constexpr std::uint64_t kOne = 77;

  std::size_t items() const { return kItems; }
  State root() const { return {0}; }
  AtItem<OneThatGrows> at(std::size_t item) const { return {*this, item}; }
  bool stays(std::size_t) const { return false; }
  Outcome skip(std::size_t, State&) const { return Outcome::alive; }
  Outcome take(std::size_t item, State& state) const {
    if (item >= kAny && state[0] % (1U << kAny) != kOne) return Outcome::dead;
    state[0] |= std::uint64_t{1} << item;
    return Outcome::alive;
  }
};

// How far the first part can go is too far for the one state.
TEST(Spilled, GoesNoFurtherThanEachPartCan) {
  const kinjo::test::Scratch folder;
  const OneThatGrows specification;
  constexpr std::uint64_t kSets =
      (1U << OneThatGrows::kAny) - 1 + (1U << (OneThatGrows::kItems - OneThatGrows::kAny));
  for (const std::size_t threads : {1, 2}) {
    Team team(graph_mapping(threads));
    for (std::uint64_t limit = kLittle * threads; limit < 32 * kLittle; limit += limit / 4) {
      const SweepOptions options{.memory_limit = limit, .spill = folder.path()};
      const SweepResult found = LevelSweep(specification, options).run(team);
      EXPECT_EQ(found.total.counts(), std::vector{Count(kSets)}) << threads << ' ' << limit;
      EXPECT_EQ(found.states.back(), kSets) << threads << ' ' << limit;
    }
  }
}

// States whose halves are alike have hashes whose low bits are.
TEST(Spilled, PartsStatesThatAreAlike) {
  std::array<std::size_t, 4> parts{};
  for (std::uint64_t i = 0; i < 4000; ++i) ++parts[part_of(State<1>{i << 32 | i}, parts.size())];
  for (const std::size_t states : parts) EXPECT_NEAR(static_cast<double>(states), 1000, 150);
}

TEST(Spilled, LeavesWhatFitsInMemory) {
  const kinjo::test::Scratch folder;
  Team team(graph_mapping(1));
  const Family family(in_rule("complete:9", Kind::path));
  const CountResult found =
      count(team, family, {.memory_limit = std::uint64_t{1} << 30, .spill = folder.path()});
  EXPECT_EQ(found.states, count(team, family).states);
}

TEST(Spilled, KeepsToTheLimitAlsoWhereRowsAreLong) {
  const kinjo::test::Scratch folder;
  const Family family(in_rule("king:6", Kind::path));
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    const std::uint64_t limit = threads << 19;
    EXPECT_GT(count_by_size(team, family).peak_bytes, 2 * limit);
    const CountResult found =
        count_by_size(team, family, {.memory_limit = limit, .spill = folder.path()});
    EXPECT_LE(found.peak_bytes, limit) << threads;
    EXPECT_EQ(found.by_size, count_by_size(team, family).by_size);
  }
}

TEST(Spilled, EndsWhenItIsTold) {
  const kinjo::test::Scratch folder;
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    const Family family(corner_to_corner(9));
    std::size_t calls = 0, most = 0;
    const auto counted = [&](std::size_t end) {
      calls = 0;
      return count(team, family,
                   {.memory_limit = kLittle * threads,
                    .go_on = [&](const Progress&) { return ++calls < end; },
                    .spill = folder.path()});
    };
    EXPECT_FALSE(counted(std::numeric_limits<std::size_t>::max()).interrupted);
    most = calls;
    ASSERT_GT(most, 100U);
    for (std::size_t end = 1; end < most / 2; end += most / 6) {
      EXPECT_TRUE(counted(end).interrupted) << threads << ' ' << end;
      EXPECT_EQ(calls, end);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

TEST(Spilled, RefusesADirectoryThatIsNone) {
  Team team(graph_mapping(1));
  EXPECT_EQ(error_of([&] { count(team, Family(corner_to_corner(3)), {.spill = "/absent"}); }),
            "not_found: cannot keep states in a file in '/absent': No such file or directory; "
            "expected a directory with room for them");
}

// One state of 8 bytes with its number needs more than this.
TEST(Spilled, RefusesALimitThatHoldsNothing) {
  const kinjo::test::Scratch folder;
  for (const std::size_t threads : {1, 3}) {
    Team team(graph_mapping(threads));
    const std::string refusal = error_of([&] {
      count(team, Family(corner_to_corner(6)), {.memory_limit = 16, .spill = folder.path()});
    });
    EXPECT_EQ(refusal.rfind("out_of_memory: counting takes more memory than the limit of 16 ", 0),
              0U)
        << refusal;
  }
}

// A thread may use two fifths of its share for states.
TEST(Spilled, SaysWhatAThreadMayUseOfALimitThatHoldsTooLittle) {
  const kinjo::test::Scratch folder;
  Team team(graph_mapping(2));
  const Family family({.network = network_by_rule("complete:9").network, .from = 0, .to = 8});
  EXPECT_THAT(
      error_of([&] { count(team, family, {.memory_limit = 8 << 10, .spill = folder.path()}); }),
      testing::MatchesRegex(
          "out_of_memory: counting takes more memory than the limit of 8 KiB: at edge "
          "[0-9]+ of 36 even 1 state takes [0-9.]+ KiB, and a thread may use 1\\.6 KiB of "
          "it for states; expected a larger limit, or fewer threads"));
}

TEST(PartSizes, ExpectsWhatTheLastPartHad) {
  PartSizes sizes;
  sizes.begin(4);
  EXPECT_EQ(sizes.expected(0), 0u);
  for (const std::size_t states : {10, 30, 20}) sizes.add(states);
  EXPECT_EQ(sizes.groups(), 2u);
  sizes.keep();
  sizes.begin(4);
  EXPECT_EQ(sizes.groups(), 0u);
  EXPECT_EQ(sizes.expected(0), 10u);
  EXPECT_EQ(sizes.expected(1), 30u);
  EXPECT_EQ(sizes.expected(7), 30u);
  sizes.add(11);
  EXPECT_EQ(sizes.expected(0), 30u);
  sizes.add(29);
  EXPECT_EQ(sizes.expected(1), 20u);
  sizes.begin(4);  // one that was given up tells nothing
  EXPECT_EQ(sizes.expected(0), 10u);
  sizes.begin(8);  // a half
  EXPECT_EQ(sizes.expected(0), 0u);
}

TEST(PartSizes, WritesWhereThereIsLeastToWrite) {
  const auto cheapest = [](std::initializer_list<std::size_t> states, Parts parts = Parts::meet,
                           double most = 1000) {
    PartSizes sizes;
    sizes.begin(1);
    for (const std::size_t s : states) sizes.add(s);
    return sizes.cheapest(parts, most);
  };
  EXPECT_EQ(cheapest({100, 250}), 1u);
  EXPECT_EQ(cheapest({100, 110, 120, 210}), 2u);  // 110, 65, 80 by group
  EXPECT_EQ(cheapest({100, 100, 80, 300}), 2u);
  EXPECT_EQ(cheapest({100, 200, 60, 205}), 2u);
  EXPECT_EQ(cheapest({100, 50, 20, 10}), 3u);
  // No state is expanded twice: 150, 130 and 100 by group.
  EXPECT_EQ(cheapest({100, 150, 260, 300}, Parts::apart), 3u);
  EXPECT_EQ(cheapest({100, 150, 260, 300}), 1u);
  EXPECT_EQ(cheapest({100, 150, 260, 300}, Parts::apart, 299), 2u);
  EXPECT_EQ(cheapest({100, 150, 140, 300}, Parts::apart, 50), 2u);  // nowhere: the fewest
}

// At limits between which what is counted by parts, in tables or from records changes.
TEST(Packed, CountsWithALargerLimitWhatItCountsWithASmallerOne) {
  const Family family(corner_to_corner(11));
  for (const std::size_t threads : {1, 2}) {
    Team team(graph_mapping(threads));
    const Count expected = count(team, family).count;
    std::uint64_t refused = 0, counted = 0;
    for (std::uint64_t limit = 640 << 10; limit < 8 << 20; limit += limit / 8) {
      try {
        EXPECT_EQ(count(team, family, {.memory_limit = limit}).count, expected);
        counted = counted == 0 ? limit : counted;
      } catch (const Error&) {
        refused = limit;
      }
    }
    EXPECT_LT(refused, counted) << threads;
  }
}

}  // namespace
}  // namespace kinjo::paths
