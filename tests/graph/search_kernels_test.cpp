/// The search's probes at every level of vector instructions, against the scalar ones.
#include "graph/search_kernels.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "simd/level.hpp"

namespace kinjo::graph::detail {
namespace {

constexpr std::size_t kVertices = 5000;

template <class F>
void at_every_level(const F& f) {
  for (const SimdLevel level : simd_levels()) {
    const kinjo::detail::ForcedLevel forced(level);
    SCOPED_TRACE(to_string(level));
    f(search_kernels());
  }
}

/// Bits of which about one in `rarity` is set.
std::vector<Word> random_bits(std::mt19937& random, std::size_t bits, unsigned rarity) {
  std::vector<Word> words(words_for(bits));
  for (std::size_t i = 0; i < bits; ++i) {
    if (random() % rarity == 0) insert(words.data(), i);
  }
  return words;
}

std::vector<Vertex> random_vertices(std::mt19937& random, std::size_t count) {
  std::vector<Vertex> all(count);
  std::ranges::generate(all, [&] { return static_cast<Vertex>(random() % kVertices); });
  return all;
}

/// Every row within the first lines of an array: each begin, each length.
std::vector<WaitingRow> all_rows(const std::vector<Vertex>& targets, std::size_t most) {
  std::vector<WaitingRow> rows;
  for (std::size_t begin = 0; begin <= 2 * kLine; ++begin) {
    for (std::size_t length = 1; length <= most; ++length) {
      const Vertex* const row = targets.data() + begin;
      rows.push_back({static_cast<Vertex>(rows.size()), row, row + length});
    }
  }
  return rows;
}

/// Neighbours that can be asked in one look: those in the line of the row's next one.
std::size_t in_line(const WaitingRow& row) {
  const auto line = [](const Vertex* u) { return reinterpret_cast<std::uintptr_t>(u) / 64; };
  std::size_t count = 0;
  for (const Vertex* u = row.next; u != row.end && line(u) == line(row.next); ++u) ++count;
  return count;
}

/// What a look at one row came to must be what asking its neighbours one by one comes to.
void expect_look(const SearchKernelSet& kernels, const WaitingRow& row,
                 const std::vector<Word>& frontier) {
  WaitingRow rest = row;
  Find find{};
  const Looked looked = kernels.look(&rest, 1, frontier.data(), &find);
  ASSERT_GE(looked.asked, 1u);
  ASSERT_LE(looked.asked, in_line(row));
  const Vertex* const end = row.next + looked.asked;
  const Vertex* const hit =
      std::find_if(row.next, end, [&](Vertex u) { return has(frontier.data(), u); });
  ASSERT_EQ(looked.found, hit != end ? 1u : 0u);
  ASSERT_EQ(looked.waiting, hit == end && end != row.end ? 1u : 0u);
  if (looked.found == 1) {
    ASSERT_EQ(hit + 1, end) << "asked on behind a parent";
    ASSERT_EQ(find.child, row.v);
    ASSERT_EQ(find.parent, *hit);
  }
  if (looked.waiting == 1) {
    ASSERT_EQ(rest.v, row.v);
    ASSERT_EQ(rest.next, end);
    ASSERT_EQ(rest.end, row.end);
  }
}

TEST(Look, EndsAtTheFirstNeighbourInTheFrontierOrInTheLine) {
  constexpr std::size_t kMostLength = 3 * kLine;
  std::mt19937 random(1);
  const std::vector<Vertex> targets = random_vertices(random, 2 * kLine + kMostLength);
  for (const unsigned rarity : {1u, 3u, 16u, 5000u}) {
    const std::vector<Word> frontier = random_bits(random, kVertices, rarity);
    at_every_level([&](const SearchKernelSet& kernels) {
      for (const WaitingRow& row : all_rows(targets, kMostLength)) {
        SCOPED_TRACE(row.v);
        ASSERT_NO_FATAL_FAILURE(expect_look(kernels, row, frontier)) << "1 in " << rarity;
      }
    });
  }
}

/// Asks until nobody waits, and returns parents by vertex.
std::vector<Vertex> parents_by_looks(const SearchKernelSet& kernels, std::vector<WaitingRow> rows,
                                     const std::vector<Word>& frontier) {
  std::vector<Vertex> parents(rows.size(), kNoVertex);
  std::vector<Find> finds(rows.size());
  for (std::size_t waiting = rows.size(); waiting > 0;) {
    const Looked looked = kernels.look(rows.data(), waiting, frontier.data(), finds.data());
    for (std::size_t f = 0; f < looked.found; ++f) parents[finds[f].child] = finds[f].parent;
    waiting = looked.waiting;
  }
  return parents;
}

TEST(Look, GivesManyRowsTheSameParentsAtEveryLevel) {
  std::mt19937 random(4);
  const std::vector<Vertex> targets = random_vertices(random, 5 * kLine);
  const std::vector<WaitingRow> rows = all_rows(targets, 3 * kLine);
  for (const unsigned rarity : {1u, 3u, 16u, 5000u}) {
    const std::vector<Word> frontier = random_bits(random, kVertices, rarity);
    const auto expected = parents_by_looks(kSearchReference, rows, frontier);
    at_every_level([&](const SearchKernelSet& kernels) {
      EXPECT_EQ(parents_by_looks(kernels, rows, frontier), expected) << "1 in " << rarity;
    });
  }
}

/// Vertex 0 stands in for what lies beside a row, and must not be taken for its neighbour.
TEST(Look, LeavesOutWhatIsBesideTheRow) {
  std::vector<Vertex> targets(4 * kLine, 0);
  std::vector<Word> frontier(words_for(kVertices));
  insert(frontier.data(), 0);
  for (std::size_t begin = 1; begin < 2 * kLine; ++begin) {
    targets[begin] = 77;
    at_every_level([&](const SearchKernelSet& kernels) {
      WaitingRow row{5, targets.data() + begin, targets.data() + begin + 1};
      Find find{};
      const Looked looked = kernels.look(&row, 1, frontier.data(), &find);
      ASSERT_EQ(looked.found + looked.waiting, 0u) << begin;
      ASSERT_EQ(looked.asked, 1u) << begin;
    });
    targets[begin] = 0;
  }
}

/// What `adopt` writes.
struct Adopted {
  std::vector<Word> asking, found;
  std::vector<Vertex> parents;
  std::uint64_t asked, found_count;
  bool operator==(const Adopted&) const = default;
};

Adopted adopt(const SearchKernelSet& kernels, const std::vector<Vertex>& candidates,
              const std::vector<Word>& frontier, const std::vector<Word>& asking) {
  constexpr Vertex kBefore = 123456;
  Adopted result{asking, std::vector<Word>(asking.size()),
                 std::vector<Vertex>(candidates.size(), kBefore), 0, 0};
  const Answers answers = kernels.adopt(candidates.data(), frontier.data(), result.asking.data(),
                                        result.found.data(), result.parents.data(), asking.size());
  result.asked = answers.asked;
  result.found_count = answers.found;
  return result;
}

TEST(Adopt, GivesTheSameParentsHoweverManyAsk) {
  constexpr std::size_t kWords = 9;
  std::mt19937 random(2);
  const std::vector<Vertex> candidates = random_vertices(random, kWords * kWordBits);
  for (const unsigned rarity : {1u, 4u, 5000u}) {
    const std::vector<Word> frontier = random_bits(random, kVertices, rarity);
    for (const unsigned askers : {1u, 2u, 20u, 1000u}) {
      const std::vector<Word> asking = random_bits(random, kWords * kWordBits, askers);
      const Adopted expected = adopt(kSearchReference, candidates, frontier, asking);
      at_every_level([&](const SearchKernelSet& kernels) {
        EXPECT_TRUE(adopt(kernels, candidates, frontier, asking) == expected)
            << "1 in " << rarity << " in the frontier, 1 in " << askers << " asks";
      });
    }
  }
}

TEST(Orphan, MarksThoseOfTheSetAlone) {
  constexpr std::size_t kWords = 5;
  std::mt19937 random(3);
  for (const unsigned rarity : {1u, 3u, 100u}) {
    const std::vector<Word> bits = random_bits(random, kWords * kWordBits, rarity);
    at_every_level([&](const SearchKernelSet& kernels) {
      std::vector<Vertex> parents(kWords * kWordBits, 9);
      kernels.orphan(bits.data(), parents.data(), kWords);
      for (std::size_t v = 0; v < parents.size(); ++v) {
        ASSERT_EQ(parents[v], has(bits.data(), v) ? kNoVertex : 9) << v;
      }
    });
  }
}

}  // namespace
}  // namespace kinjo::graph::detail
