/// The first bytes of every cell's symmetric memory, which the collective functions use among
/// themselves.
#pragma once

#include <cstddef>

#include <kinjo/comm.hpp>

#include "comm/ring.hpp"

namespace kinjo::comm::detail {

/// Offsets of the flags and slots. A slot is one sender's: a flag and then values, so that a short
/// contribution is one line. There are two sets of slots in turn: a cell that is at the reduction
/// after next has all contributions of the next one, so everybody has read those of this one.
struct Reserve {
  static constexpr std::size_t kRounds = 32;
  static constexpr std::size_t kSlotBytes = 512;
  static constexpr std::size_t kSlotValues = kSlotBytes / sizeof(double) - 1;

  explicit Reserve(int cell_count) : cells(static_cast<std::size_t>(cell_count)) {}

  /// Of the barrier between hosts.
  Offset barrier_flag(std::size_t round) const { return round * kLine; }
  Offset broadcast_flag() const { return kRounds * kLine; }
  Offset slot_flag(std::uint64_t reduction, int sender) const {
    const std::size_t slot = reduction % 2 * cells + static_cast<std::size_t>(sender);
    return (kRounds + 1) * kLine + slot * kSlotBytes;
  }
  Offset slot_values(std::uint64_t reduction, int sender) const {
    return slot_flag(reduction, sender) + sizeof(std::uint64_t);
  }
  std::size_t bytes() const {
    const std::size_t needed = (kRounds + 1) * kLine + 2 * cells * kSlotBytes;
    return (needed + 4095) / 4096 * 4096;
  }

  std::size_t cells;
};

}  // namespace kinjo::comm::detail
