/// Sets of ids: what they take beside what they say beforehand.
#include <gtest/gtest.h>

#include "graph/graph_team.hpp"
#include "graph/id_bitmap.hpp"
#include "graph/id_table.hpp"
#include "graph/numbering.hpp"
#include "graph/wide_samples.hpp"

namespace kinjo::graph::detail {
namespace {

using kinjo::test::graph_mapping;
using test::hashed;

/// Of so many ids that come one by one: the most that a table has at a time, growing and settled.
std::uint64_t most_held(Team& team, std::uint64_t ids) {
  IdTable table(team, Pages::normal);
  std::uint64_t most = table.held();
  for (std::uint64_t v = 0; v < ids;) {
    const std::uint64_t before = table.held(), end = v + table.make_room(team, ids - v);
    if (table.held() != before) most = std::max(most, before + table.held());
    for (; v < end; ++v) table.add(table.insert(hashed(static_cast<Vertex>(v))));
  }
  EXPECT_EQ(table.size(), ids);
  table.settle(team, Pages::normal);
  return std::max(most, table.held());
}

TEST(IdTables, TakeAsMuchMemoryAsForetold) {
  Team team(graph_mapping(2));
  for (const std::uint64_t ids : {0, 1, 5000, 32767, 32768, 32769, 49152, 65536, 100000, 131073}) {
    const std::uint64_t most = most_held(team, ids);
    EXPECT_LE(most, IdTable::bytes(ids)) << ids;
    EXPECT_GE(3 * most, IdTable::bytes(ids)) << ids;
    EXPECT_LE(most, numbering_bytes(kMostIds, ids, ids)) << ids;
  }
}

TEST(IdBitmaps, TakeAsMuchMemoryAsForetold) {
  for (const std::uint64_t universe : {1, 64, 65, 512, 513, 1 << 20, (1 << 20) + 1}) {
    const IdBitmap bitmap(universe, Pages::normal);
    EXPECT_EQ(bitmap.held(), IdBitmap::bytes(universe)) << universe;
    EXPECT_EQ(bitmap.held(), numbering_bytes(universe, 2, universe)) << universe;
  }
}

}  // namespace
}  // namespace kinjo::graph::detail
