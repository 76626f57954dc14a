#include <kinjo/partition.hpp>

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <kinjo/error.hpp>

#include "support/error_of.hpp"

namespace kinjo {
namespace {

struct Case {
  Layout layout;
  std::size_t size;
  std::size_t parts;
  std::size_t granule;
  std::size_t chunk;
};

Partition make(const Case& c) {
  switch (c.layout) {
    case Layout::block:
      return Partition::block(c.size, c.parts, c.granule);
    case Layout::cyclic:
      return Partition::cyclic(c.size, c.parts, c.granule);
    case Layout::block_cyclic:
      return Partition::block_cyclic(c.size, c.parts, c.chunk, c.granule);
  }
  return Partition::block(0, 1);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (Layout layout : {Layout::block, Layout::cyclic, Layout::block_cyclic}) {
    for (std::size_t size : {0, 1, 7, 64, 100, 1000}) {
      for (std::size_t parts : {1, 2, 3, 7, 64}) {
        for (std::size_t granule : {1, 4, 512}) all.push_back({layout, size, parts, granule, 10});
      }
    }
  }
  return all;
}

void expect_one_owner_each(const Partition& partition) {
  std::vector<int> seen(partition.size(), 0);
  for (std::size_t part = 0; part < partition.parts(); ++part) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < partition.pieces(part); ++k) {
      const Range piece = partition.piece(part, k);
      ASSERT_LE(piece.end, partition.size());
      for (std::size_t i = piece.begin; i < piece.end; ++i) {
        ++seen[i];
        ASSERT_EQ(partition.owner(i), part) << i;
      }
      count += piece.size();
    }
    EXPECT_EQ(partition.count(part), count);
  }
  EXPECT_EQ(seen, std::vector<int>(partition.size(), 1));
}

void expect_cuts_at_granules(const Partition& partition) {
  for (std::size_t part = 0; part < partition.parts(); ++part) {
    for (std::size_t k = 0; k < partition.pieces(part); ++k) {
      const Range piece = partition.piece(part, k);
      EXPECT_TRUE(piece.begin % partition.granule() == 0 || piece.begin == partition.size());
      EXPECT_TRUE(piece.end % partition.granule() == 0 || piece.end == partition.size());
    }
  }
}

TEST(Partition, GivesEachIndexToTheOneOwnerThatItsPiecesSay) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(make(c).rounding());
    expect_one_owner_each(make(c));
  }
}

TEST(Partition, CutsOnlyAtGranules) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(make(c).rounding());
    expect_cuts_at_granules(make(c));
  }
}

TEST(Partition, BlocksDifferByOneGranuleAtMost) {
  const Partition partition = Partition::block(10 * 512, 4, 512);
  EXPECT_EQ(partition.count(0), 3 * 512u);
  EXPECT_EQ(partition.count(1), 3 * 512u);
  EXPECT_EQ(partition.count(2), 2 * 512u);
  EXPECT_EQ(partition.count(3), 2 * 512u);
}

TEST(Partition, SaysHowItWasRounded) {
  EXPECT_EQ(Partition::block(2000, 3, 512).rounding(),
            "block over 3 parts in granules of 512: 464 to 1024 elements each (even: 666.7)");
  EXPECT_EQ(Partition::block_cyclic(2000, 2, 100, 512).rounding(),
            "block_cyclic over 2 parts in chunks of 512 in granules of 512: 976 to 1024 elements "
            "each (even: 1000.0)");
}

TEST(Partition, AChunkBeyondAllNumbersIsOneForAll) {
  const Partition partition = Partition::block_cyclic(1000, 3, SIZE_MAX, 512);
  EXPECT_EQ(partition.count(0), 1000u);
  EXPECT_EQ(partition.count(1) + partition.count(2), 0u);
  EXPECT_EQ(partition.owner(999), 0u);
}

TEST(Partition, CutsAsManyIndicesAsCanBeCounted) {
  for (const Partition& partition :
       {Partition::block(SIZE_MAX, 3, 7), Partition::block(SIZE_MAX - 5, 7, std::size_t{1} << 40),
        Partition::cyclic(SIZE_MAX, 5, 1000)}) {
    SCOPED_TRACE(partition.rounding());
    std::size_t sum = 0;
    for (std::size_t part = 0; part < partition.parts(); ++part) {
      const Range last = partition.piece(part, partition.pieces(part) - 1);
      EXPECT_LT(last.begin, last.end);
      EXPECT_LE(last.end, partition.size());
      sum += partition.count(part);
    }
    EXPECT_EQ(sum, partition.size());
  }
}

TEST(Partition, RefusesToDivideByNothing) {
  EXPECT_THROW(Partition::block(10, 0), Error);
  for (const Partition& deal : {Partition::block(10, 2), Partition::cyclic(10, 2)}) {
    const auto nobodys = static_cast<std::size_t>(-1);  // of a place that is no thread's
    EXPECT_EQ(test::error_of([&] { deal.piece(nobodys, 0); }),
              "invalid_argument: part -1 of a partition over 2 parts: expected 0 to 1");
    EXPECT_THROW(deal.pieces(2), Error);
    EXPECT_THROW(deal.count(2), Error);
  }
  EXPECT_THROW(Partition::cyclic(10, 2, 0), Error);
  EXPECT_THROW(Partition::block_cyclic(10, 2, 0), Error);
}

}  // namespace
}  // namespace kinjo
