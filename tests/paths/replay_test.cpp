#include "paths/replay.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "graph/graph_team.hpp"
#include "paths/family.hpp"
#include "paths/family_samples.hpp"
#include "paths/level_sweep.hpp"
#include "paths/mate_steps.hpp"
#include "paths/repeats.hpp"

namespace kinjo::paths {
namespace {

using namespace detail;
using kinjo::test::graph_mapping;
using test::kKinds;

/// Required slots and settled ones are told apart: these two items differ in both.
TEST(MateSteps, SignItemsThatDecideOtherwiseOtherwise) {
  const Network network{10, {{1, 7}, {6, 2}, {5, 1}, {5, 6}, {0, 5}, {0, 8}}, {}};
  std::vector<std::uint32_t> order(network.edges.size());
  std::iota(order.begin(), order.end(), 0U);
  MateRules rules{.shape = Shape::cycle,
                  .terminal = std::vector<bool>(network.vertices),
                  .required = std::vector<bool>(network.vertices)};
  for (const Vertex v : {2, 3, 4, 6, 9}) rules.required[v] = true;
  const MateSteps steps(make_frontier(network, order, Inheritance::allowed, 16), rules);
  std::vector<std::uint64_t> second, fourth;
  steps.sign(2, second);
  steps.sign(4, fourth);
  ASSERT_NE(steps.required[2], steps.required[4]);
  EXPECT_NE(second, fourth);
}

class Random {
 public:
  std::mt19937& bits() { return random_; }
  std::uint32_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(
        0, static_cast<std::uint32_t>(limit - 1))(random_);
  }

 private:
  std::mt19937 random_{1};
};

using Classes = std::vector<std::uint32_t>;

TEST(SequenceNumbers, AreEqualForEqualSequencesAsTheyCome) {
  SequenceNumbers numbers;
  Random random;
  std::vector<std::vector<std::uint64_t>> known = {{}};
  EXPECT_EQ(numbers.of(known[0]), 0);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint64_t> sequence(random.below(5));
    for (std::uint64_t& number : sequence) number = random.below(7);
    auto found = std::find(known.begin(), known.end(), sequence);
    const auto expected = static_cast<std::uint32_t>(found - known.begin());
    if (found == known.end()) known.push_back(sequence);
    ASSERT_EQ(numbers.of(sequence), expected);
  }
  EXPECT_GT(known.size(), 500);
}

TEST(Repeats, AreTheLongestRunThatComesAgain) {
  const struct {
    Classes classes;
    Repeats expected;
  } known[] = {
      {{}, {0, 0, 0}},
      {{7}, {0, 0, 0}},
      {{1, 2, 3, 4}, {0, 0, 0}},
      {{5, 5, 5}, {0, 3, 1}},
      {{9, 1, 2, 3, 1, 2, 3, 1, 2, 4}, {1, 9, 3}},
      {{1, 1, 2, 1, 1, 2, 1, 1}, {0, 8, 3}},
      {{1, 1, 1, 2, 3, 2, 3, 2, 3}, {3, 9, 2}},
      {{1, 2, 3, 1, 2}, {0, 0, 0}},  // not even twice
  };
  for (const auto& [classes, expected] : known) {
    const Repeats found = longest_repeats(classes);
    EXPECT_EQ(found.first, expected.first) << fmt::format("{}", fmt::join(classes, " "));
    EXPECT_EQ(found.end, expected.end);
    EXPECT_EQ(found.period, expected.period);
  }
}

TEST(Repeats, HoldAndCannotBeLonger) {
  Random random;
  for (int i = 0; i < 2000; ++i) {
    Classes classes(random.below(24));
    for (std::uint32_t& c : classes) c = random.below(3);
    const Repeats found = longest_repeats(classes);
    std::size_t longest = 0;
    for (std::size_t period = 1; period < classes.size(); ++period) {
      for (std::size_t first = 0; first < classes.size(); ++first) {
        std::size_t end = first + period;
        while (end < classes.size() && classes[end] == classes[end - period]) ++end;
        if (end <= classes.size() && end - first >= 2 * period) {
          longest = std::max(longest, end - first);
        }
      }
    }
    EXPECT_EQ(found.end - found.first, longest);
    for (std::size_t k = found.first + found.period; k < found.end; ++k) {
      EXPECT_EQ(classes[k], classes[k - found.period]);
    }
  }
}

TEST(Repeats, BeginWhereTheLastPeriodIsWhole) {
  const Repeats repeats{2, 12, 4};
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < 20; ++i) {
    if (repeats.begins_at(i)) begins.push_back(i);
  }
  EXPECT_EQ(begins, (std::vector<std::size_t>{4, 8, 12}));
  EXPECT_FALSE(Repeats{}.begins_at(0));
}

/// Row `to` += row `from` of `sender`.
struct Addition {
  std::size_t to, sender, from;
  auto operator<=>(const Addition&) const = default;
};

/// Who of a block is the first to come to each number from `known` on.
std::vector<std::uint16_t> beginners_of(const std::vector<std::uint32_t>& numbers,
                                        std::size_t known) {
  std::vector<std::uint16_t> beginners;
  for (auto found = std::ranges::find(numbers, known); found != numbers.end();
       found = std::ranges::find(numbers, known + beginners.size())) {
    beginners.push_back(static_cast<std::uint16_t>(found - numbers.begin()));
  }
  return beginners;
}

/// Draws the numbers of a block's rows: those that are known, and all of the next ones.
std::vector<std::uint32_t> draw_numbers(Random& random, std::size_t most_apart, std::size_t known) {
  std::vector<std::uint32_t> numbers(1 + random.below(kBlock));
  for (std::uint32_t& number : numbers) {
    number = known == 0 ? 0 : random.below(std::min(known, most_apart));
  }
  const std::size_t beginnings =
      std::max<std::size_t>(random.below(numbers.size() + 1), known == 0 ? 1 : 0);
  for (std::size_t i = 0; i < beginnings; ++i) {
    numbers[i] = static_cast<std::uint32_t>(known + i);
  }
  std::ranges::shuffle(numbers, random.bits());
  return numbers;
}

/// Records blocks of a group, drawn so that all widths of numbers come up. Rows begin as they come,
/// behind `rows` of layers before.
std::vector<Addition> record_some(Random& random, Record& record, std::size_t most_apart,
                                  std::size_t rows, std::size_t& known) {
  std::vector<Addition> added;
  for (int block = 0; block < 6; ++block) {
    const std::vector<std::uint32_t> numbers = draw_numbers(random, most_apart, known);
    std::vector<std::uint32_t> from(numbers.size());
    const std::size_t first = random.below(100000), sender = random.below(70);
    for (std::uint32_t& row : from) row = random.below(std::min<std::size_t>(most_apart, 16384));
    if (block % 2 == 0) std::ranges::sort(from);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      added.push_back({rows + numbers[i], sender, first + from[i]});
    }
    record.add(rows, known, numbers, beginners_of(numbers, known), sender, first, from.data());
    known = std::max<std::size_t>(known, std::ranges::max(numbers) + std::size_t{1});
  }
  std::ranges::sort(added);
  return added;
}

/// What a group adds, where rows that begin are numbered as they come.
std::vector<Addition> replayed(const Record& record, std::size_t group,
                               std::vector<std::size_t>& accepted) {
  std::vector<Addition> found;
  std::size_t begun = 0;
  record.replay(
      group,
      [&](const auto& b) {
        for (const std::uint16_t row : b.from) found.push_back({begun++, b.sender, b.first + row});
      },
      [&](const auto& a) {
        for (std::size_t i = 0; i < a.numbers.size(); ++i) {
          EXPECT_LT(a.least + a.numbers[i], begun);
          found.push_back({a.least + a.numbers[i], a.sender, a.first + a.from[i]});
        }
      },
      [&](std::size_t row) { accepted.push_back(row); });
  std::ranges::sort(found);
  return found;
}

TEST(Record, TellsOfAllLayersWhatWasAdded) {
  for (const std::size_t most_apart : {200U, 60000U, 1U << 24}) {
    Random random;
    Record record;
    std::array<std::vector<Addition>, 3> added;
    std::array<std::vector<std::size_t>, 3> accepted;
    std::array<std::size_t, 3> rows{}, more_rows{};  // that groups of all layers, of this one begin
    record.begin(2, 10);
    for (std::size_t layer = 0; layer < 3; ++layer) {
      if (layer != 0) record.begin_layer(5);
      for (std::size_t group = 0; group < 3; ++group) {
        EXPECT_EQ(record.rows(group), group == 0 ? record.rows(0) : rows[group - 1]);
        std::size_t known = 0;
        const auto more = record_some(random, record, most_apart, rows[group], known);
        added[group].insert(added[group].end(), more.begin(), more.end());
        accepted[group].push_back(layer + group);
        record.accept(layer + group);
        record.end_group(known);
        more_rows[group] = known;
      }
      record.end_layer();
      for (std::size_t group = 0; group < 3; ++group) {
        rows[group] += more_rows[group];
        std::vector<std::size_t> found;
        std::ranges::sort(added[group]);
        EXPECT_EQ(replayed(record, group, found), added[group]);
        EXPECT_EQ(found, accepted[group]);
      }
    }
    EXPECT_EQ(record.layers(), 3U);
  }
}

SweepResult sweep(const Family& family, std::size_t threads, const SweepOptions& options) {
  Team team(graph_mapping(threads));
  return std::visit(
      [&](const auto& steps) {
        return with_specification(steps,
                                  [&](const auto& s) { return LevelSweep(s, options).run(team); });
      },
      family.impl().steps);
}

/// Counted by size, where nothing is replayed.
Count without_replay(const Family& family) {
  const SweepResult found = sweep(family, 1, {.measure = Measure::by_size});
  EXPECT_EQ(found.replayed, 0U);
  Count sum;
  for (const Count& count : found.total.counts()) sum += count;
  return sum;
}

Problem plain(const std::string& rule, Kind kind) {
  Network network = network_by_rule(rule).network;
  const Vertex last = network.vertices - 1;
  return {.network = std::move(network),
          .kind = kind,
          .from = 0,
          .to = last,
          .order = EdgeOrder::given};
}

Problem row_by_row(const std::string& rule, Kind kind) {
  Problem problem = plain(rule, kind);
  if (kind == Kind::components) problem.components = 2;
  if (kind == Kind::degrees) problem.degrees = {0, 1, 3};
  return problem;
}

// What is written while rows are read, in one array, must not be where rows are yet to be read.
TEST(Record, LeadsByNoMoreThanItSays) {
  Record record;
  record.begin(2, 600);
  const std::vector<std::uint32_t> four{0, 1, 2, 3}, two{2, 4}, none_new{0, 3, 1};
  const std::array<std::uint16_t, 4> from{0, 0, 1, 7};
  const std::vector<std::uint16_t> all{0, 1, 2, 3}, last{1}, none;
  record.add(0, 0, four, all, 0, 0, from.data());
  record.add(0, 4, two, last, 0, 256, from.data());
  record.end_group(5);
  record.add(0, 0, four, all, 0, 1, from.data());
  record.add(0, 4, none_new, none, 0, 2, from.data());
  EXPECT_EQ(record.lead(0), 4U);
  EXPECT_EQ(record.leads(), 4U + record.lead(1));
  EXPECT_EQ(record.lead(1), 3U);
}

// Numbers are read in words, and behind a page that is full there may be none.
TEST(Record, MayEndWithItsLastPage) {
  const std::size_t blocks = page_bytes() / 8;  // of four bytes of numbers, and four of rows
  const std::vector<std::uint32_t> numbers{0, 0xFFFF};
  const std::array<std::uint16_t, 2> from{0, 1};
  Record record;
  record.begin(1, 2);
  for (std::size_t b = 0; b < blocks; ++b)
    record.add(0, 0x10000, numbers, {}, 0, 2 * b, from.data());
  record.end_group(0);
  record.end_group(0);
  record.end_layer();
  record.fit();
  std::size_t added = 0;
  record.replay(
      0, [](const auto&) {},
      [&](const auto& a) {
        EXPECT_EQ(std::vector(a.numbers.begin(), a.numbers.end()), numbers);
        EXPECT_EQ(a.first + a.from[1], 2 * added++ + 1);
      },
      [](std::size_t) {});
  EXPECT_EQ(added, blocks);
}

Sums sums_of(const RowShape& shape, const std::vector<std::uint64_t>& numbers) {
  Sums sums;
  sums.begin(shape);
  sums.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint32_t to = static_cast<std::uint32_t>(i);
    const std::uint16_t from = 0;
    sums.add(0, std::span(&to, 1), &numbers[i], {}, &from, {});
  }
  return sums;
}
std::vector<std::uint64_t> lowest_limbs(const Sums& sums) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < sums.rows(); ++i) numbers.push_back(*sums.row(i));
  return numbers;
}

TEST(Sums, KeepTheirNumbersInRowsOfAnyWidthAndAnyPlace) {
  const std::vector<std::uint64_t> numbers{7, 1, 9, 4, 3, 8};
  for (const std::size_t limbs : {1, 2, 3}) {
    for (const std::size_t to : {1, 2, 3}) {
      for (const std::size_t room : {0, 1, 5, 100}) {
        Sums sums = sums_of({.limbs = limbs}, numbers);
        sums.leave_room(room);
        EXPECT_EQ(lowest_limbs(sums), numbers);
        sums.widen({.limbs = to});
        EXPECT_EQ(sums.shape().limbs, to);
        EXPECT_EQ(lowest_limbs(sums), numbers) << limbs << ' ' << to << ' ' << room;
        sums.leave_room(2);
        EXPECT_EQ(lowest_limbs(sums), numbers);
        EXPECT_EQ(sums.total(), Count(32));
      }
    }
  }
}

TEST(Sums, CanBeWrittenWhereTheyHaveBeenRead) {
  Sums sums = sums_of({.limbs = 2}, {10, 20, 30});
  sums.leave_room(2);
  const std::uint64_t* const before = sums.row(0);
  sums.begin_before(2);
  const std::vector<std::uint16_t> two{1, 0}, again{2, 2};
  sums.append(before, two);
  sums.append(before, again);
  EXPECT_EQ(lowest_limbs(sums), (std::vector<std::uint64_t>{20, 10, 30, 30}));
  sums.begin_behind();
  sums.resize(2);
  EXPECT_EQ(lowest_limbs(sums), (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(*(sums.row(0) - 2), 30U);
}

TEST(Replay, CountsWhatASweepCounts) {
  std::size_t replaying = 0;
  for (const char* rule : {"grid:12x2", "grid:9x3", "grid:8x4", "king:8x2", "grid:30x1"}) {
    for (const Kind kind : kKinds) {
      const Family family(row_by_row(rule, kind));
      const SweepResult found = sweep(family, 1, {.least_to_record = 1});
      EXPECT_EQ(found.total.counts().front(), without_replay(family)) << rule << to_string(kind);
      if (found.replayed != 0) ++replaying;
    }
  }
  // Of 45: where no slot is handed over rows shift theirs, and only after many are they as before.
  EXPECT_GE(replaying, 29U);
}

// A terminal in the midst, vertices to visit and to avoid: what repeats is shorter.
TEST(Replay, CountsWhatASweepCountsWhereRowsDiffer) {
  std::size_t replaying = 0;
  Random random;
  for (int i = 0; i < 40; ++i) {
    Problem problem = row_by_row("grid:14x3", i % 2 == 0 ? Kind::path : Kind::cycle);
    const std::size_t vertices = problem.network.vertices;
    problem.from = random.below(vertices);
    problem.to = (problem.from + 1 + random.below(vertices - 1)) % problem.network.vertices;
    const Vertex other = random.below(vertices);
    if (other != problem.from && other != problem.to) {
      (i % 3 == 0 ? problem.avoid : problem.through).push_back(other);
    }
    const Family family(problem);
    const SweepResult found = sweep(family, 1, {.least_to_record = 1});
    EXPECT_EQ(found.total.counts().front(), without_replay(family)) << i;
    if (found.replayed != 0) ++replaying;
  }
  EXPECT_GE(replaying, 20U);
}

TEST(Replay, IsTheSameForAnyNumberOfThreads) {
  for (const auto& [rule, kind] :
       {std::pair("grid:8", Kind::path), std::pair("grid:9x8", Kind::cycle)}) {
    const Family family(row_by_row(rule, kind));
    // Several threads do not record levels that one of them has alone.
    const SweepOptions options{.least_to_record = kFewStates};
    const SweepResult one = sweep(family, 1, options);
    EXPECT_GT(one.replayed, 0U) << rule;
    EXPECT_EQ(one.total.counts().front(), without_replay(family)) << rule;
    for (const std::size_t threads : {2, 3, 7}) {
      const SweepResult found = sweep(family, threads, options);
      EXPECT_EQ(found.replayed, one.replayed) << rule << ' ' << threads;
      EXPECT_EQ(found.states, one.states) << rule << ' ' << threads;
      EXPECT_EQ(found.total.counts(), one.total.counts()) << rule << ' ' << threads;
    }
  }
}

TEST(Replay, IsNotOfMoreStatesThanRowsHaveNumbers) {
  const Family family(row_by_row("grid:8", Kind::path));
  const SweepResult all = sweep(family, 1, {});
  EXPECT_GT(all.replayed, 0U);
  const std::uint64_t widest = std::ranges::max(all.states);
  std::size_t replayed = 0;
  for (std::uint64_t most = 0; most <= 4 * widest; most += widest / 8) {
    const SweepResult found = sweep(family, 1, {.most_to_record = most});
    EXPECT_EQ(found.total.counts(), all.total.counts()) << most;
    if (most < 384) {
      EXPECT_EQ(found.replayed, 0U);
    }
    EXPECT_GE(found.replayed, replayed) << most;
    replayed = found.replayed;
  }
  EXPECT_EQ(replayed, all.replayed);
}

TEST(Replay, TakesNoMemoryThatIsNotThere) {
  const Family family(row_by_row("grid:8", Kind::path));
  const SweepResult plain = sweep(family, 1, {.least_to_record = ~std::size_t{0}});
  EXPECT_EQ(plain.replayed, 0U);
  const SweepResult recorded = sweep(family, 1, {});
  EXPECT_GT(recorded.peak_bytes, plain.peak_bytes);
  for (std::uint64_t limit = plain.peak_bytes; limit < 3 * recorded.peak_bytes;
       limit += plain.peak_bytes / 8) {
    const SweepResult found = sweep(family, 1, {.memory_limit = limit});
    EXPECT_EQ(found.total.counts(), plain.total.counts()) << limit;
    EXPECT_LE(found.peak_bytes, limit);
  }
}

/// A record ends in all threads at the same group, or none would meet the others again.
TEST(Replay, EndsInAllThreadsWhereMemoryIsShort) {
  const Family family(row_by_row("grid:9", Kind::path));
  for (const std::size_t threads : {2, 3}) {
    const SweepResult whole = sweep(family, threads, {});
    std::size_t ended = 0;
    const std::uint64_t step = whole.peak_bytes / 16;
    for (std::uint64_t limit = 36 * step; limit >= 12 * step; limit -= step) {
      try {
        const SweepResult found = sweep(family, threads, {.memory_limit = limit});
        EXPECT_EQ(found.total.counts(), whole.total.counts()) << limit;
        ended += found.replayed > 0 && found.replayed < whole.replayed ? 1 : 0;
      } catch (const Error& refusal) {
        EXPECT_EQ(refusal.code(), Errc::out_of_memory);
        EXPECT_LT(limit, whole.peak_bytes) << refusal.what();
      }
    }
    EXPECT_GT(ended, 0U);
  }
}

TEST(Replay, CanBeStopped) {
  const Family family(row_by_row("grid:8", Kind::path));
  const std::size_t items = family.edges().size();
  for (const std::size_t threads : {1, 3}) {
    const SweepResult found = sweep(
        family, threads, {.go_on = [&](const SweepProgress& p) { return p.item < items * 3 / 4; }});
    EXPECT_TRUE(found.stopped);
    EXPECT_GT(found.replayed, 0U);
  }
}

}  // namespace
}  // namespace kinjo::paths
