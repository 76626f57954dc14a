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
  /// For each field of a word, its lowest bit.
  static constexpr std::uint64_t kLowest = [] {
    std::uint64_t bits = 0;
    for (unsigned slot = 0; slot < kPerWord; ++slot) bits |= std::uint64_t{1} << shift(slot);
    return bits;
  }();
  /// Of a word, the fields of the first so many slots.
  static constexpr std::uint64_t fields_below(unsigned slots, unsigned word) {
    std::uint64_t fields = 0;
    for (unsigned i = 0; i < kPerWord && word * kPerWord + i < slots; ++i) {
      fields |= std::uint64_t{kCodes - 1} << shift(i);
    }
    return fields;
  }
  /// All fields of a word: a mark's exclusive or with the own slot.
  static constexpr std::uint64_t differing_from_slots(unsigned mark, unsigned word) {
    std::uint64_t fields = 0;
    for (unsigned i = 0; i < kPerWord; ++i) {
      const unsigned slot = word * kPerWord + i;
      fields |= std::uint64_t{(mark ^ slot) & (kCodes - 1)} << shift(slot);
    }
    return fields;
  }
  /// The lowest bits of a word's fields that are not 0.
  static std::uint64_t marked(std::uint64_t word) {
    std::uint64_t any = word;
    for (unsigned bit = 1; bit < Bits; ++bit) any |= word >> bit;
    return any & kLowest;
  }
};

}  // namespace kinjo::paths::detail
