/// Numbers of 16 bits that go up by little, and seldom down, in a fraction of a byte each: runs of
/// bits that tell which numbers from a first one on are there.
///
/// A run is its first number and its bytes (16 bits each), and then those bytes: bit k of byte i
/// stands for the number 8 i + k behind the first. A number that is not greater than the one before
/// it, or far greater, begins a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace kinjo::paths::detail {

namespace bit_runs {

/// Of zeros between two bits; beyond it another run takes less.
inline constexpr unsigned kFarthest = 32;
inline constexpr std::size_t kHead = 2 * sizeof(std::uint16_t);
/// Bytes of a number, at most.
inline constexpr std::size_t kMostBytes = kHead + 1;
/// Numbers that are written behind the last one.
inline constexpr std::size_t kSlack = 8;

/// By byte, the bits that are set.
struct Bits {
  constexpr Bits() {
    for (unsigned byte = 0; byte < 256; ++byte) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        if ((byte >> bit & 1) != 0) of[byte][count[byte]++] = static_cast<std::uint16_t>(bit);
      }
    }
  }
  std::uint16_t of[256][8] = {};
  std::uint8_t count[256] = {};
};
inline constexpr Bits kBits;

/// Bytes that may be written behind the last one.
inline constexpr std::size_t kSlackBytes = sizeof(std::uint64_t);

/// Writes one run after the other.
class Writer {
 public:
  explicit Writer(std::byte* to) : begin_(to), to_(to) {}

  void add(std::uint16_t number) {
    // Of a number that goes down this is a large one.
    if (to_ == begin_ || static_cast<unsigned>(number - last_ - 1) >= kFarthest) begin_run(number);
    if (number - first_ >= 64) {
      put_bits();
      to_ += sizeof bits_;
      first_ += 64;
      bits_ = 0;
    }
    bits_ |= std::uint64_t{1} << (number - first_);
    last_ = number;
  }
  /// Bytes that were written.
  std::size_t end() {
    end_run();
    return static_cast<std::size_t>(to_ - begin_);
  }

 private:
  void begin_run(unsigned number) {
    end_run();
    head_ = to_;
    to_ += kHead;
    run_ = first_ = number;
    bits_ = 0;
  }
  void end_run() {
    if (head_ == nullptr) return;
    put_bits();
    to_ += (last_ - first_) / 8 + 1;
    const auto bytes = static_cast<std::size_t>(to_ - head_) - kHead;
    const std::uint16_t head[] = {static_cast<std::uint16_t>(run_),
                                  static_cast<std::uint16_t>(bytes)};
    std::memcpy(head_, head, kHead);
  }
  void put_bits() {
    for (unsigned i = 0; i < sizeof bits_; ++i) to_[i] = static_cast<std::byte>(bits_ >> 8 * i);
  }

  std::byte *begin_, *to_, *head_ = nullptr;
  unsigned run_ = 0, first_ = 0;  ///< the run's first number, and that of the next bits
  unsigned last_ = 0;
  std::uint64_t bits_ = 0;
};

}  // namespace bit_runs

/// Writes numbers; `to` has room for `kMostBytes` for each, and `kSlackBytes`. How many bytes it
/// were.
inline std::size_t write_bit_runs(std::span<const std::uint16_t> numbers, std::byte* to) {
  bit_runs::Writer writer(to);
  for (const std::uint16_t number : numbers) writer.add(number);
  return writer.end();
}

/// Reads so many numbers, and writes up to `kSlack` more. How many bytes it were.
inline std::size_t read_bit_runs(const std::byte* from, std::size_t count, std::uint16_t* numbers) {
  const std::byte* const begin = from;
  for (std::size_t read = 0; read < count;) {
    std::uint16_t head[2];
    std::memcpy(head, from, bit_runs::kHead);
    from += bit_runs::kHead;
    for (unsigned first = head[0], left = head[1]; left != 0; --left, first += 8) {
      const auto byte = std::to_integer<unsigned>(*from++);
      for (unsigned k = 0; k < 8; ++k) {
        numbers[read + k] = static_cast<std::uint16_t>(first + bit_runs::kBits.of[byte][k]);
      }
      read += bit_runs::kBits.count[byte];
    }
  }
  return static_cast<std::size_t>(from - begin);
}

}  // namespace kinjo::paths::detail
