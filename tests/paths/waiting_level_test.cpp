/// Levels that wait by parts: packed in memory, on a disk, and both; and what keeps parts apart.
#include "paths/waiting_level.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/paths.hpp>

#include "paths/family.hpp"
#include "paths/family_samples.hpp"
#include "support/scratch.hpp"

namespace kinjo::paths {
namespace {

using namespace detail;

constexpr std::uint64_t kStates = 20'000, kParts = 6, kWriters = 2;
constexpr std::size_t kRoom = 1024;

/// Where a level waits: with room for so many chunks in memory, and on a disk or not.
struct Where {
  const char* name;
  std::size_t chunks;
  bool on_disk;
};
std::ostream& operator<<(std::ostream& out, const Where& where) { return out << where.name; }

/// States 0, 1 ... with a row each, of which the first writer has all and the second one every
/// other.
class WrittenLevel {
 public:
  explicit WrittenLevel(const Where& where, std::size_t words = 1)
      : shape_{.limbs = words},
        pool_(kWriters, kRoom, where.chunks * (kRoom + sizeof(Chunk))),
        level_(where.chunks == 0 ? nullptr : &pool_, where.on_disk ? folder_.path() : "",
               kWriters) {}

  /// Whether there was room.
  bool write() {
    level_.begin(kParts, shape_);
    bool done = true;
    for (std::uint64_t writer = 0; writer < kWriters; ++writer) {
      StateTable<1> table;
      Sums sums;
      PartScratch<1> scratch;
      table.begin(0);
      sums.begin(shape_);
      for (std::uint64_t s = writer; s < kStates; s += writer + 1) add(s, 1 + writer, table, sums);
      scratch.by_part.sort(table.states(), kParts,
                           [](const State<1>& state) { return part_of(state, kParts); });
      done = done && level_.write({writer, writer}, table.states(), sums, scratch);
    }
    level_.finish();
    return done;
  }
  WaitingLevel<1>& level() { return level_; }
  const ChunkPool& pool() const { return pool_; }

  /// The lowest limbs of sums by state of what a part has; 0 where it has none.
  std::vector<std::uint64_t> read(const Part& part) const {
    StateTable<1> table;
    Sums sums;
    PartScratch<1> scratch;
    table.begin(0);
    sums.begin(shape_);
    EXPECT_TRUE(level_.read(part, table, sums, scratch, [] { return true; }));
    std::vector<std::uint64_t> found(kStates);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::uint64_t state = table.states()[i][0];
      found[state] = *sums.row(i);
      const std::uint64_t top = sums.row(i)[shape_.limbs - 1];
      EXPECT_EQ(top, shape_.limbs == 1 ? found[state] : top_limb(state, found[state])) << state;
    }
    return found;
  }

 private:
  /// What the last limb of a row is, by how often 1 or 2 was added.
  static std::uint64_t top_limb(std::uint64_t state, std::uint64_t sum) {
    return state * 0x1'0000'0001 * (sum == 3 ? 2 : 1);
  }
  void add(std::uint64_t state, std::uint64_t sum, StateTable<1>& table, Sums& sums) const {
    const State<1> one{state};
    std::uint32_t number = 0;
    table.find_or_add({&one, 1}, &number);
    sums.resize(table.size());
    std::vector<std::uint64_t> row(shape_.limbs);
    row.back() = top_limb(state, 1);
    row.front() = sum;
    const std::uint16_t first = 0;
    sums.add(0, std::span<const std::uint32_t>(&number, 1), row.data(), shape_, &first, {});
  }

  kinjo::test::Scratch folder_;
  RowShape shape_;
  ChunkPool pool_;
  WaitingLevel<1> level_;
};

class Waiting : public testing::TestWithParam<Where> {};

/// Of as many parts as were written, and of more; and once more when it has begun anew.
TEST_P(Waiting, HasEachStateInOnePartWithTheSumOfItsRows) {
  for (const std::size_t words : {1, 5}) {
    WrittenLevel written(GetParam(), words);
    for (int again = 0; again < 2; ++again) {
      ASSERT_TRUE(written.write());
      EXPECT_EQ(written.level().records(), kStates * 3 / 2);
      for (const std::uint64_t parts : {6, 12, 96}) {
        std::vector<std::uint64_t> sums(kStates);
        for (std::uint64_t part = 0; part < parts; ++part) {
          const auto found = written.read({part, parts});
          std::uint64_t states = 0;
          for (std::size_t s = 0; s < found.size(); ++s) {
            if (found[s] == 0) continue;
            EXPECT_EQ(sums[s], 0U) << s;
            sums[s] = found[s];
            ++states;
          }
          EXPECT_NEAR(static_cast<double>(states), static_cast<double>(kStates / parts),
                      0.3 * static_cast<double>(kStates / parts));
        }
        for (std::size_t s = 0; s < sums.size(); ++s) EXPECT_EQ(sums[s], s % 2 == 0 ? 1U : 3U) << s;
      }
    }
  }
}

TEST_P(Waiting, ReadsNoMoreThanFits) {
  WrittenLevel written(GetParam());
  ASSERT_TRUE(written.write());
  StateTable<1> table;
  Sums sums;
  PartScratch<1> scratch;
  table.begin(0);
  sums.begin({});
  const auto fits = [&] { return table.size() == 0; };
  EXPECT_FALSE(written.level().read({0, kParts}, table, sums, scratch, fits));
  const auto all = written.read({0, kParts});
  EXPECT_LT(sums.total(), Count(std::accumulate(all.begin(), all.end(), std::uint64_t{0})));
}

INSTANTIATE_TEST_SUITE_P(Levels, Waiting,
                         testing::Values(Where{"in_memory", 4000, false},
                                         Where{"on_a_disk", 0, true}, Where{"in_both", 130, true}),
                         [](const auto& where) { return std::string(where.param.name); });

TEST(PackedLevel, TakesAFractionOfATable) {
  WrittenLevel written({"in memory", 4000, false});
  ASSERT_TRUE(written.write());
  // Two bytes of a state and one of its row; of a chunk's end room for 16 states may be left.
  EXPECT_LT(written.pool().bytes(), 3 * kStates * 3 / 2 * 5 / 4 + 2 * kWriters * kParts * kRoom);
}

TEST(PackedLevel, GivesChunksOfPartsThatWereReadToOthers) {
  WrittenLevel written({"in memory", 4000, false});
  ASSERT_TRUE(written.write());
  const std::uint64_t bytes = written.pool().bytes();
  for (std::uint64_t part = 0; part < kParts; ++part) written.level().drop(part);
  for (const std::uint64_t sum : written.read({0, kParts})) ASSERT_EQ(sum, 0U);
  ASSERT_TRUE(written.write());
  EXPECT_EQ(written.pool().bytes(), bytes);
}

TEST(PackedLevel, SaysWhereThereIsNoRoom) {
  WrittenLevel written({"in memory", 20, false});
  EXPECT_FALSE(written.write());
  for (const std::uint64_t sum : written.read({0, kParts})) ASSERT_EQ(sum, 0U);  // nothing is left
}

TEST(ChunkPool, TakesOthersChunksOnlyWhenThereIsNoMemoryForFurtherOnes) {
  constexpr std::size_t kMost = 4;
  const std::size_t chunk = ChunkPool(1, kRoom, 0).room() + sizeof(Chunk);
  ChunkPool pool(2, kRoom, kMost * chunk);
  std::array<Chunk*, kMost> chunks{};
  for (Chunk*& each : chunks) each = pool.take(0);
  EXPECT_EQ(pool.take(0), nullptr);
  EXPECT_EQ(pool.take(1), nullptr);
  EXPECT_EQ(pool.used_bytes(), kMost * chunk);
  pool.give_back(chunks[2]);
  EXPECT_EQ(pool.used_bytes(), (kMost - 1) * chunk);
  EXPECT_EQ(pool.take(1), chunks[2]);
  EXPECT_EQ(chunks[2]->thread, 0u);  // where it lies, and comes back to
  EXPECT_EQ(pool.take(1), nullptr);
  EXPECT_EQ(pool.bytes(), kMost * chunk);

  ChunkPool large(2, kRoom, 2 * kMost * chunk);
  large.give_back(large.take(0));
  EXPECT_EQ(large.take(1)->thread, 1u);
}

TEST(PackedColumns, TellWordsAgain) {
  std::mt19937_64 random(1);
  for (unsigned bits = 0; bits <= 64; ++bits) {
    std::vector<std::uint64_t> words(77);
    for (auto& word : words) word = bits == 0 ? 0 : random() >> (64 - bits);
    std::vector<std::byte> packed(words.size() * 8 + packed_columns::kSlack);
    const unsigned bytes = packed_columns::put(words, packed.data());
    EXPECT_LE(bytes, (bits + 7) / 8);
    std::vector<std::uint64_t> found(words.size() * 3, 1);
    packed_columns::get(packed.data(), bytes, words.size(), found.data(), 3);
    for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(found[3 * i], words[i]);
  }
}

/// Whether no two of the states before an item become the same after those before `end` that do not
/// keep the same.
template <Specification S>
void expect_kept(const S& specification, const std::vector<typename S::State>& before,
                 std::size_t item, std::size_t end) {
  const auto keeps = kept(specification, item, end);
  if (keeps.count() == 0) return;
  std::map<typename S::State, typename S::State> after;
  for (const auto& state : before) after.emplace(state, keeps.of(state));
  for (std::size_t i = item; i < end; ++i) {
    const auto at = specification.at(i);
    std::map<typename S::State, typename S::State> next;
    for (const auto& [state, key] : after) {
      for (const Decision decision : {Decision::skip, Decision::take}) {
        auto to = state;
        const Outcome outcome = decision == Decision::skip ? at.skip(to) : at.take(to);
        if (outcome != Outcome::alive) continue;
        const auto [known, is_new] = next.emplace(to, key);
        EXPECT_EQ(known->second, key) << item << ' ' << i;
      }
    }
    after = std::move(next);
  }
}

/// How many keys of several vertices were looked at.
template <Specification S>
std::size_t expect_kept(const S& specification) {
  std::size_t several = 0;
  std::vector<typename S::State> level{specification.root()};
  for (std::size_t item = 0; item < specification.items(); ++item) {
    for (std::size_t end = item + 1; end <= specification.items(); ++end) {
      several += kept(specification, item, end).count() > 1 ? 1 : 0;
      expect_kept(specification, level, item, end);
    }
    std::set<typename S::State> next;
    const auto at = specification.at(item);
    for (const auto& state : level) {
      auto skipped = state, taken = state;
      if (at.skip(skipped) == Outcome::alive) next.insert(skipped);
      if (at.take(taken) == Outcome::alive) next.insert(taken);
    }
    level.assign(next.begin(), next.end());
  }
  return several;
}

TEST(Kept, KeepsStatesApart) {
  for (const Kind kind : test::kKinds) {
    test::ProblemSource source(kind);
    std::size_t several = 0;
    for (int i = 0; i < 150; ++i) {
      const Family family(source.next());
      if (family.impl().empty) continue;
      several += std::visit(
          [](const auto& steps) {
            return with_specification(steps, [](const auto& s) { return expect_kept(s); });
          },
          family.impl().steps);
    }
    const bool keeps =
        kind != Kind::forest && kind != Kind::spanning_tree && kind != Kind::components;
    EXPECT_EQ(several > 0, keeps) << to_string(kind);
  }
}

}  // namespace
}  // namespace kinjo::paths
