/// What a thread has of a level, and what threads hand on to each other (level_sweep.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <kinjo/count.hpp>

#include "memory/own_pages.hpp"
#include "paths/replay.hpp"
#include "paths/state_table.hpp"
#include "paths/sums.hpp"

namespace kinjo::paths::detail {

/// States that a thread is sent.
template <std::size_t Words>
struct Box {
  kinjo::detail::GrowingArray<State<Words>> states;
  kinjo::detail::GrowingArray<std::uint32_t> rows;  ///< of the sender's, that are to be added

  void clear() { resize(0); }
  void resize(std::size_t count) {
    states.resize(count);
    rows.resize(count);
  }
  std::uint64_t bytes() const { return states.bytes() + rows.bytes(); }
};

/// What one decision led to; where numbers alone are added up it makes no difference which.
template <std::size_t Words>
struct Boxes {
  std::array<Box<Words>, 2> by_decision;
};

/// What a thread owns, and has made itself.
template <std::size_t Words>
struct alignas(128) LevelShard {
  explicit LevelShard(std::size_t threads) : boxes(2 * threads) {}

  StateTable<Words> now, next;
  Sums sums, next_sums;
  Replay<Words> replay;
  Total total;
  std::vector<std::uint64_t> takes;  ///< by item, of its states; of `Measure::states` alone
  kinjo::detail::OwnPages<Boxes<Words>> boxes;  ///< by round's parity and by whom they are for
  // Said before a barrier, for the others to read after it.
  std::size_t size = 0, replayed = 0;  ///< states, and rows that stand for some
  std::uint64_t bytes = 0;
  Count level_total;
  bool stops = false;                   ///< of the first thread: all are to end
  const std::uint64_t* rows = nullptr;  ///< before the item
  RowShape rows_shape;
  std::size_t recorded_rows = 0;  ///< before the item, that come before these

  Boxes<Words>& boxes_for(std::size_t round, std::size_t owner) {
    return boxes[(round % 2) * (boxes.size() / 2) + owner];
  }
  Box<Words>& box(std::size_t round, std::size_t owner, Decision decision) {
    return boxes_for(round, owner).by_decision[static_cast<std::size_t>(decision)];
  }
};

}  // namespace kinjo::paths::detail
