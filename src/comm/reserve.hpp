/// The first bytes of every cell's symmetric memory, which the collective functions use among
/// themselves.
#pragma once

#include <cstddef>

#include <kinjo/comm.hpp>

#include "comm/ring.hpp"

namespace kinjo::comm::detail {

/// Offsets of the flags and slots. A slot takes one contribution to a reduction: a flag and then
/// values, so that a short one is one line. It is a sender's (`kTellAllCells`) or a round's. There
/// are two sets of slots in turn: whoever is at the reduction after next has this cell's
/// contribution to the next one, which it has made after it had read those of this one.
struct Reserve {
  static constexpr std::size_t kRounds = 32;
  static constexpr std::size_t kSlotBytes = 512;
  static constexpr std::size_t kSlotValues = kSlotBytes / sizeof(double) - 1;
  /// Slots of rounds.
  static constexpr std::size_t kFromPair = 0;
  static constexpr std::size_t kToPair = 1;
  static constexpr std::size_t kFirstRound = 2;

  explicit Reserve(int all)
      : cells(static_cast<std::size_t>(all)),
        slots(all <= kTellAllCells ? cells : kFirstRound + kRounds) {}

  /// Of the barrier between hosts.
  Offset barrier_flag(std::size_t round) const { return round * kLine; }
  Offset broadcast_flag() const { return kRounds * kLine; }
  Offset slot_flag(std::uint64_t reduction, std::size_t slot) const {
    return (kRounds + 1) * kLine + (reduction % 2 * slots + slot) * kSlotBytes;
  }
  Offset slot_values(std::uint64_t reduction, std::size_t slot) const {
    return slot_flag(reduction, slot) + sizeof(std::uint64_t);
  }
  std::size_t bytes() const {
    const std::size_t needed = (kRounds + 1) * kLine + 2 * slots * kSlotBytes;
    return (needed + 4095) / 4096 * 4096;
  }

  /// Bytes of a cell's segment that has so many for the user behind these. Throws `Error`
  /// (`out_of_memory`) for more than the segments of all cells can have addresses.
  std::size_t with_heap(std::size_t heap_bytes) const;

  std::size_t cells, slots;
};

}  // namespace kinjo::comm::detail
