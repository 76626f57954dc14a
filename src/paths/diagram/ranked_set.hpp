/// Some of dense numbers, each with how many of them are before it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <kinjo/partition.hpp>

#include "memory/growing_array.hpp"

namespace kinjo::paths::detail {

/// A bit for each number.
class RankedSet {
 public:
  /// Numbers of a word.
  static constexpr std::size_t kOfWord = 64;
  static constexpr std::size_t words_of(std::size_t numbers) {
    return (numbers + kOfWord - 1) / kOfWord;
  }
  /// Flags, 0 or 1, as words. They are so many as words have numbers.
  static void pack(std::span<const std::uint8_t> flags, std::uint64_t* words) {
    for (std::size_t begin = 0; begin < flags.size(); begin += kOfWord) {
      std::uint64_t word = 0;
      for (unsigned i = 0; i < kOfWord; i += 8) {
        std::uint64_t eight;  // in the product their bits are uppermost
        std::memcpy(&eight, &flags[begin + i], sizeof eight);
        word |= (eight * 0x0102040810204080 >> 56) << i;
      }
      *words++ = word;
    }
  }

  /// Has nothing, with room for so many words.
  void clear(std::size_t words) {
    words_.reserve(words);
    words_.clear();
    before_.resize(kBytes * words + 1);
    before_[0] = 0;
  }
  /// Words behind those that it has.
  void append(std::span<const std::uint64_t> words) {
    const std::size_t first = words_.size();
    words_.resize(first + words.size());
    std::uint64_t* const to = words_.data() + first;
    std::uint32_t* at = before_.data() + kBytes * first;
    std::uint32_t before = *at;
    for (std::size_t w = 0; w < words.size(); ++w) {
      std::uint64_t bits = to[w] = words[w];
      for (std::size_t i = 0; i < kBytes; ++i, bits >>= 8) {
        before += kOnes[bits & 0xff];
        *++at = before;
      }
    }
  }

  std::size_t words() const { return words_.size(); }
  std::uint32_t size() const { return before_word(words()); }
  /// How many are before those of word `w`.
  std::uint32_t before_word(std::size_t w) const { return before_[kBytes * w]; }
  /// How many are before `number`.
  std::uint32_t rank(std::uint32_t number) const {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(words_.data());
    const unsigned less = (1U << (number % 8)) - 1;
    return before_[number / 8] + kOnes[bytes[number / 8] & less];
  }
  /// Words that have the `index`-th of so many shares.
  Range share(std::size_t index, std::size_t of) const {
    return {words_behind(size() * index / of), words_behind(size() * (index + 1) / of)};
  }
  /// Calls `each` with those of the words, rising.
  template <class Each>
  void for_each(Range words, const Each& each) const {
    for (std::size_t w = words.begin; w < words.end; ++w) {
      const auto first = static_cast<std::uint32_t>(w * kOfWord);
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        each(first + static_cast<std::uint32_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  /// The first word that so many are before.
  std::size_t words_behind(std::size_t count) const {
    const std::span<const std::uint32_t> before = before_.all();
    const auto byte = std::ranges::lower_bound(before, count) - before.begin();
    return (static_cast<std::size_t>(byte) + kBytes - 1) / kBytes;
  }

  static constexpr std::size_t kBytes = 8;  ///< of a word, as this machine orders them
  static_assert(std::endian::native == std::endian::little);
  /// Of a byte. `std::popcount` is a call where CPUs need not have the instruction.
  static constexpr std::array<std::uint8_t, 256> kOnes = [] {
    std::array<std::uint8_t, 256> ones{};
    for (unsigned byte = 0; byte < 256; ++byte) {
      ones[byte] = static_cast<std::uint8_t>(std::popcount(byte));
    }
    return ones;
  }();

  kinjo::detail::GrowingArray<std::uint64_t> words_;
  kinjo::detail::GrowingArray<std::uint32_t> before_;
};

}  // namespace kinjo::paths::detail
