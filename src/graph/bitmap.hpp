/// Sets of numbers as bits: number i is bit i mod 64 of word i / 64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kinjo::graph::detail {

using Word = std::uint64_t;
inline constexpr std::size_t kWordBits = 64;

constexpr std::size_t words_for(std::size_t bits) { return (bits + kWordBits - 1) / kWordBits; }

constexpr bool has(const Word* words, std::size_t i) { return words[i / 64] >> (i % 64) & 1; }

/// Only one thread at a time may write to a word.
inline void insert(Word* words, std::size_t i) { words[i / 64] |= Word{1} << (i % 64); }

/// Calls `f(bit)` for every bit that is set, ascending.
template <class F>
inline void for_each_bit(Word word, const F& f) {
  for (; word != 0; word &= word - 1) f(static_cast<unsigned>(__builtin_ctzll(word)));
}

/// The bits of the last word that are numbers below `bits`.
constexpr Word last_word_mask(std::size_t bits) {
  return bits % kWordBits == 0 ? ~Word{0} : (Word{1} << bits % kWordBits) - 1;
}

}  // namespace kinjo::graph::detail
