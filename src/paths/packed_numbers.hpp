/// Numbers of 32 bits in as many bits each as the greatest of them has.
///
/// Number i is the bits from i·width on, the lowest bits of a byte being its first ones.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace kinjo::paths::detail {

namespace packed_numbers {

/// Numbers that are read together: whatever their width is, they begin at a byte.
inline constexpr std::size_t kTogether = 8;
/// Bytes behind the last number that may be read, and written: numbers are moved in words.
inline constexpr std::size_t kSlackBytes =
    kTogether * sizeof(std::uint32_t) + sizeof(std::uint64_t);
/// Numbers that are written behind the last one.
inline constexpr std::size_t kSlack = kTogether - 1;

constexpr std::size_t bytes(std::size_t count, unsigned width) { return (count * width + 7) / 8; }

/// The word that begins at a byte, its first byte the lowest one on every machine.
inline std::uint64_t word_at(const std::byte* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}
inline void put_word(std::byte* to, std::uint64_t word) {
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  std::memcpy(to, &word, sizeof word);
}

using Read = void (*)(const std::byte* from, std::size_t count, std::uint32_t* numbers);

template <unsigned kWidth>
void read(const std::byte* from, std::size_t count, std::uint32_t* numbers) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kWidth) - 1;
  for (std::size_t i = 0; i < count; i += kTogether, from += kWidth) {
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kTogether; ++k) {
      const std::size_t place = k * kWidth;
      numbers[i + k] = static_cast<std::uint32_t>(word_at(from + place / 8) >> place % 8 & kMask);
    }
  }
}

/// By width.
template <std::size_t... kWidth>
constexpr std::array<Read, sizeof...(kWidth)> reads(std::index_sequence<kWidth...>) {
  return {read<kWidth>...};
}
inline constexpr auto kReads = reads(std::make_index_sequence<33>());

}  // namespace packed_numbers

/// Writes numbers − least, of which each has up to `width` bits, 32 at most. How many bytes it
/// were.
inline std::size_t write_packed(std::span<const std::uint32_t> numbers, std::uint32_t least,
                                unsigned width, std::byte* to) {
  std::size_t place = 0;
  std::uint64_t started = 0;  // bits of the byte in which the next number begins
  for (const std::uint32_t number : numbers) {
    const std::uint64_t word = started | std::uint64_t{number - least} << place % 8;
    const std::size_t byte = place / 8;
    packed_numbers::put_word(to + byte, word);
    place += width;
    started = word >> 8 * (place / 8 - byte);
  }
  return packed_numbers::bytes(numbers.size(), width);
}

/// Reads so many numbers, and writes up to `kSlack` more. How many bytes it were.
inline std::size_t read_packed(const std::byte* from, std::size_t count, unsigned width,
                               std::uint32_t* numbers) {
  packed_numbers::kReads[width](from, count, numbers);
  return packed_numbers::bytes(count, width);
}

}  // namespace kinjo::paths::detail
