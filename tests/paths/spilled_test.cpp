/// Counts whose levels outgrow the memory that they may take, and lie on a disk.
#include "paths/spilled_level.hpp"

#include <array>
#include <filesystem>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>
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

/// A level of states 0, 1 ... with a row each, of which each of some writers has written every
/// third, beginning with its own.
class WrittenLevel {
 public:
  static constexpr std::uint64_t kStates = 20'000, kParts = 6;

  WrittenLevel() : level_(folder_.path()) {
    SpillScratch<1> scratch;
    level_.begin(kParts, shape_);
    for (std::uint64_t writer = 0; writer < 2; ++writer) {
      StateTable<1> table;
      Sums sums;
      table.begin(0);
      sums.begin(shape_);
      for (std::uint64_t s = writer; s < kStates; s += writer + 1) add(s, 1 + writer, table, sums);
      level_.write(writer, table, sums, scratch);
    }
  }
  const SpilledLevel<1>& level() const { return level_; }

  /// Sums by state of what a part has; 0 where it has none.
  std::vector<std::uint64_t> read(const Part& part) const {
    StateTable<1> table;
    Sums sums;
    SpillScratch<1> scratch;
    table.begin(0);
    sums.begin(shape_);
    EXPECT_TRUE(level_.read(part, table, sums, scratch, [] { return true; }));
    std::vector<std::uint64_t> found(kStates);
    for (std::size_t i = 0; i < table.size(); ++i) found[table.states()[i][0]] = *sums.row(i);
    return found;
  }

 private:
  static void add(std::uint64_t state, std::uint64_t sum, StateTable<1>& table, Sums& sums) {
    const State<1> one{state};
    std::uint32_t number = 0;
    table.find_or_add({&one, 1}, &number);
    sums.resize(table.size());
    const std::uint16_t first = 0;
    sums.add(0, std::span<const std::uint32_t>(&number, 1), &sum, {}, &first, {});
  }

  kinjo::test::Scratch folder_;
  RowShape shape_;
  SpilledLevel<1> level_;
};

// Of as many as were written, and of more.
TEST(SpilledLevel, HasEachStateInOnePartWithTheSumOfItsRows) {
  const WrittenLevel written;
  EXPECT_EQ(written.level().records(), WrittenLevel::kStates * 3 / 2);
  for (const std::uint64_t parts : {6, 12, 96}) {
    std::vector<std::uint64_t> sums(WrittenLevel::kStates);
    for (std::uint64_t part = 0; part < parts; ++part) {
      const auto found = written.read({part, parts});
      std::uint64_t states = 0;
      for (std::size_t s = 0; s < found.size(); ++s) {
        if (found[s] == 0) continue;
        EXPECT_EQ(sums[s], 0U) << s;
        sums[s] = found[s];
        ++states;
      }
      EXPECT_NEAR(static_cast<double>(states), static_cast<double>(WrittenLevel::kStates / parts),
                  0.3 * static_cast<double>(WrittenLevel::kStates / parts));
    }
    for (std::size_t s = 0; s < sums.size(); ++s) EXPECT_EQ(sums[s], s % 2 == 0 ? 1U : 3U) << s;
  }
}

TEST(SpilledLevel, ReadsNoMoreThanFits) {
  const WrittenLevel written;
  StateTable<1> table;
  Sums sums;
  SpillScratch<1> scratch;
  table.begin(0);
  sums.begin({});
  EXPECT_FALSE(
      written.level().read({0, 6}, table, sums, scratch, [&] { return table.size() == 0; }));
  EXPECT_LT(table.size(), WrittenLevel::kStates);
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
  const auto cheapest = [](std::initializer_list<std::size_t> states) {
    PartSizes sizes;
    sizes.begin(1);
    for (const std::size_t s : states) sizes.add(s);
    return sizes.cheapest();
  };
  EXPECT_EQ(cheapest({100, 250}), 1u);
  EXPECT_EQ(cheapest({100, 110, 120, 210}), 2u);  // 110, 65, 80 by group
  EXPECT_EQ(cheapest({100, 100, 80, 300}), 2u);
  EXPECT_EQ(cheapest({100, 200, 60, 205}), 2u);
  EXPECT_EQ(cheapest({100, 50, 20, 10}), 3u);
}

TEST(SpilledLevel, BeginsAnew) {
  const kinjo::test::Scratch folder;
  SpilledLevel<1> level(folder.path());
  StateTable<1> table;
  Sums sums;
  SpillScratch<1> scratch;
  table.begin(0);
  sums.begin({});
  const State<1> one{7};
  std::uint32_t number = 0;
  table.find_or_add({&one, 1}, &number);
  sums.resize(1);
  for (int again = 0; again < 2; ++again) {
    level.begin(4, {});
    EXPECT_EQ(level.records(), 0U);
    level.write(0, table, sums, scratch);
    EXPECT_EQ(level.records(), 1U);
  }
  StateTable<1> found;
  found.begin(0);
  Sums found_sums;
  found_sums.begin({});
  for (std::uint64_t part = 0; part < 4; ++part) {
    ASSERT_TRUE(level.read({part, 4}, found, found_sums, scratch, [] { return true; }));
  }
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.states()[0], one);
}

}  // namespace
}  // namespace kinjo::paths
