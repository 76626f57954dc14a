/// A small number for every slot of a frontier, packed into words that are compared as they are.
#pragma once

#include <cstdint>

#include "paths/specification.hpp"

namespace kinjo::paths::detail {

/// `Bits` for each slot, as many whole ones to a word as fit, in `Words` words.
template <unsigned Bits, std::size_t Words>
struct Marks {
  using State = detail::State<Words>;
  static constexpr unsigned kPerWord = 64 / Bits;
  static constexpr unsigned kFields = kPerWord * static_cast<unsigned>(Words);
  /// One more than the greatest mark.
  static constexpr unsigned kCodes = 1U << Bits;

  static unsigned get(const State& state, unsigned slot) {
    return static_cast<unsigned>(state[slot / kPerWord] >> shift(slot)) & (kCodes - 1);
  }
  static void set(State& state, unsigned slot, unsigned mark) {
    std::uint64_t& word = state[slot / kPerWord];
    word = (word & ~(std::uint64_t{kCodes - 1} << shift(slot))) | std::uint64_t{mark}
                                                                      << shift(slot);
  }
  /// Of a slot in its word.
  static constexpr unsigned shift(unsigned slot) { return slot % kPerWord * Bits; }
};

}  // namespace kinjo::paths::detail
