#include "paths/levels.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include <kinjo/team.hpp>

#include "graph/graph_team.hpp"
#include "memory/spare_pages.hpp"
#include "paths/diagram/listed.hpp"
#include "paths/diagram_samples.hpp"
#include "support/failing_new.hpp"

namespace kinjo::paths {
namespace {

using detail::Child;
using detail::kDead;
using detail::kFirstChild;
using detail::kMember;
using detail::Levels;
using detail::Lo;
using detail::RawLevel;
using detail::RawNode;
using test::Mask;
using test::Sample;

/// A decision tree of the family with nothing shared but at random, and each level in random order.
class Tree {
 public:
  Tree(const Sample& sample, std::mt19937_64& random) : sample_(sample), random_(random) {}

  Levels levels() {
    Levels levels{std::vector<RawLevel>(sample_.items), kDead};
    std::vector<Mask> prefixes = {0};  // of a level's nodes
    levels.root = decided(0, 0).value_or(kFirstChild);
    if (levels.root != kFirstChild) prefixes.clear();
    for (std::size_t item = 0; item < sample_.items; ++item) {
      std::vector<Mask> next;
      std::vector<std::pair<std::size_t, std::size_t>> wishes;
      for (const Mask prefix : prefixes) {
        for (const Mask with : {prefix, prefix | Mask{1} << item}) {
          if (!decided(item + 1, with)) next.push_back(with);
        }
      }
      std::ranges::shuffle(next, random_);
      for (const Mask prefix : prefixes) {
        levels.nodes[item].push_back(
            {child(item + 1, prefix, next), child(item + 1, prefix | Mask{1} << item, next)},
            pool_);
      }
      prefixes = next;
    }
    return levels;
  }

 private:
  /// Whether no set, or just this one, begins so; sometimes that is left to the nodes to find out.
  std::optional<Child> decided(std::size_t item, Mask prefix) {
    if (item == sample_.items) return sample_.masks.contains(prefix) ? kMember : kDead;
    if ((prefix + item) % 3 == 0) return std::nullopt;
    std::size_t found = 0;
    for (const Mask mask : sample_.masks) found += (mask & ((Mask{1} << item) - 1)) == prefix;
    if (found == 0) return kDead;
    return found == 1 && sample_.masks.contains(prefix) ? std::optional(kMember) : std::nullopt;
  }
  Child child(std::size_t item, Mask prefix, const std::vector<Mask>& next) {
    if (const auto known = decided(item, prefix)) return *known;
    const auto at = std::ranges::find(next, prefix) - next.begin();
    return static_cast<Child>(at) + kFirstChild;
  }

  const Sample& sample_;
  std::mt19937_64& random_;
  detail::NodePool pool_;
};

TEST(Reduction, GivesOneDiagramForAFamilyHoweverItWasMade) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 1000; ++i) {
    const Sample sample = test::random_sample(random, 8);
    const Diagram expected = sample.diagram();
    EXPECT_EQ(reduce(Tree(sample, random).levels()), expected);
    EXPECT_EQ(test::masks_of(expected), sample.masks);
    ASSERT_FALSE(HasFailure()) << "family " << i;
  }
}

TEST(Reduction, LeavesOutWhatLeadsToNoSet) {
  Levels levels{std::vector<RawLevel>(2), kFirstChild};
  detail::NodePool pool;
  levels.nodes[0].push_back({kFirstChild, kFirstChild + 1}, pool);
  levels.nodes[1].push_back({kMember, kDead}, pool);
  levels.nodes[1].push_back({kDead, kDead}, pool);
  EXPECT_EQ(reduce(std::move(levels)), Diagram::unit(2));
}

constexpr std::size_t kPiece = RawLevel::nodes_of_piece(Lo::anywhere);

TEST(RawLevel, TakesNothingWhereAllNodesAreDead) {
  detail::NodePool pool;
  RawLevel level;
  level.grow(5 * kPiece + 3);
  EXPECT_EQ(level.bytes(), 0U);
  EXPECT_EQ(level.living_nodes(), 0U);
  EXPECT_EQ(level[4 * kPiece].lo, kDead);
  level.set(kPiece + 1, {kMember, kMember}, pool);
  level.set(3 * kPiece, {kDead, kMember}, pool);
  EXPECT_EQ(level.bytes(), 2U * 4096);
  EXPECT_EQ(level.living_nodes(), 2 * kPiece);
  EXPECT_EQ(level[kPiece + 1].lo, kMember);
  EXPECT_EQ(level[kPiece + 1].hi, kMember);
  EXPECT_EQ(level[kPiece].hi, kDead);  // of the same piece
  level.push_back({kMember, kMember}, pool);
  EXPECT_EQ(level.size(), 5 * kPiece + 4);
  EXPECT_EQ(level.living_nodes(), 2 * kPiece + 4);
}

// A node that leads nowhere with the item is not one that is dead.
TEST(RawLevel, KeepsHalfWhereLoIsTheSameNumbers) {
  constexpr std::size_t kSame = RawLevel::nodes_of_piece(Lo::same);
  EXPECT_EQ(kSame, 2 * kPiece);
  EXPECT_EQ(RawLevel::bytes_of(kSame + 1, Lo::same), 2U * 4096);
  detail::NodePool pool;
  RawLevel level(Lo::same);
  level.grow(kSame + 8);
  const std::map<std::size_t, Child> hi = {
      {kSame, kDead}, {kSame + 2, kMember}, {kSame + 3, kFirstChild}, {kSame + 7, 1U << 30}};
  for (const auto& [number, child] : hi) level.set(number, child, pool);
  EXPECT_EQ(level.bytes(), 4096U);
  EXPECT_EQ(level.living_nodes(), 8U);
  const RawLevel moved = std::move(level);
  std::size_t number = kSame;
  moved.for_each_of({kSame, 8}, [&](const RawNode& node) {
    const auto found = hi.find(number);
    EXPECT_EQ(node.lo, found == hi.end() ? kDead : kFirstChild + number) << number;
    EXPECT_EQ(node.hi, found == hi.end() ? kDead : found->second) << number;
    EXPECT_EQ(moved[number].lo, node.lo);
    EXPECT_EQ(moved[number].hi, node.hi);
    ++number;
  });
  EXPECT_EQ(number, moved.size());
  EXPECT_EQ(moved[1].lo, kDead);
}

/// Pages that held something else before.
TEST(NodePool, GivesDeadNodesOnPagesThatWereKept) {
  kinjo::detail::give_back_spare();
  const void* before = nullptr;
  for (const bool again : {false, true}) {
    detail::NodePool pool;
    const detail::NodePool::Piece piece = pool.take();
    EXPECT_EQ(piece.children == before, again) << "the same pages the second time";
    before = piece.children;
    for (std::size_t i = 0; i < detail::NodePool::kPiece; ++i) {
      ASSERT_EQ(piece.children[i], kDead) << i;
      piece.children[i] = kMember;
    }
  }
}

TEST(RawLevel, IsSharedByWhatLives) {
  for (const Lo lo : {Lo::anywhere, Lo::same}) {
    const std::size_t in_piece = RawLevel::nodes_of_piece(lo);
    detail::NodePool pool;
    RawLevel level(lo);
    level.grow(9 * in_piece + 3);
    std::vector<std::size_t> expected;
    for (const std::size_t piece : {1, 2, 7, 9}) {
      const std::size_t first = piece * in_piece;
      if (lo == Lo::same) {
        level.set(first, kMember, pool);
      } else {
        level.set(first, {kMember, kDead}, pool);
      }
      for (std::size_t i = first; i < std::min(first + in_piece, level.size()); ++i) {
        expected.push_back(i);
      }
    }
    for (const std::size_t shares : {1, 2, 3, 4, 7}) {
      std::vector<std::size_t> shared;
      for (std::size_t share = 0; share < shares; ++share) {
        const std::size_t before = shared.size();
        level.for_each_run(share, shares, [&](RawLevel::Run run) {
          EXPECT_EQ(run.first / in_piece, (run.first + run.size - 1) / in_piece);
          for (std::size_t i = 0; i < run.size; ++i) shared.push_back(run.first + i);
        });
        EXPECT_LE(shared.size() - before, expected.size() / shares + 1);
      }
      EXPECT_EQ(shared, expected) << shares;
    }
  }
  RawLevel().for_each_run(0, 1, [](RawLevel::Run) { FAIL(); });
}

// As the bands of the edge-based approach do: nothing leads to these.
TEST(Reduction, PassesOverPiecesWhereAllNodesAreDead) {
  const auto levels = [](std::size_t first) {
    detail::NodePool pool;
    Levels made{std::vector<RawLevel>(2), kFirstChild};
    made.nodes[0].push_back(
        {kFirstChild + static_cast<Child>(first), kFirstChild + static_cast<Child>(first) + 1},
        pool);
    made.nodes[1].grow(first + 2 + 3 * kPiece);
    made.nodes[1].set(first, {kMember, kMember}, pool);
    made.nodes[1].set(first + 1, {kDead, kMember}, pool);
    return made;
  };
  const Diagram expected = reduce(levels(0));
  EXPECT_EQ(expected.count().to_string(), "3");
  for (const std::size_t first : {kPiece, 3 * kPiece, 20 * kPiece + 7}) {
    EXPECT_EQ(reduce(levels(first)), expected) << first;
    Team team(kinjo::test::graph_mapping(3));
    EXPECT_EQ(*reduce(levels(first), team), expected) << first;
  }
}

TEST(Reduction, FreesTheLevels) {
  Levels levels{std::vector<RawLevel>(1), kFirstChild};
  detail::NodePool pool;
  levels.nodes[0].push_back({kMember, kMember}, pool);
  EXPECT_EQ(reduce(std::move(levels)), Diagram::power_set(1));
  EXPECT_EQ(levels.nodes[0].bytes(), 0U);
}

TEST(Reduction, OfAListIsTheSameAndLeavesOutWhatIsNotReached) {
  using detail::ListedNode;
  const std::vector<ListedNode> list = {
      {2, kBottom, kTop}, {2, kBottom, kTop}, {1, 2, 3},
      {2, kTop, kBottom}, {0, 4, 5},          {0, 4, kTop},
  };
  // {1, 2}, {2}, {0}; the last node is nobody's.
  EXPECT_EQ(detail::reduce_list(3, list, 6), test::diagram_of(3, {6, 4, 1}));
  EXPECT_EQ(detail::reduce_list(3, list, 5), Diagram::unit(3));
  EXPECT_EQ(detail::reduce_list(3, {}, kBottom), Diagram::none(3));
}

TEST(Reduction, LeavesNothingWhereAnAllocationFails) {
  std::mt19937_64 random(9);
  const Sample sample = {6, {1, 5, 9, 33, 60}};
  const int failures = kinjo::test::fail_each_allocation(
      [&] {
        try {
          const Diagram diagram = sample.diagram() | Diagram::power_set(6);
          return diagram.count() == Count(64);
        } catch (const std::bad_alloc&) {
          return false;
        }
      },
      [](int) {});
  EXPECT_GT(failures, 20);
}

}  // namespace
}  // namespace kinjo::paths
