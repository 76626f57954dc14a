/// How a range is cut into strips, each of which one register tile covers.
#pragma once

#include <cstddef>

namespace kinjo::detail {

constexpr std::size_t ceil_div(std::size_t a, std::size_t b) { return a / b + (a % b != 0); }
constexpr std::size_t round_up(std::size_t a, std::size_t unit) { return ceil_div(a, unit) * unit; }

/// Strips of `whole` elements, which are a multiple of `unit`. What is left at the end beyond one
/// strip and short of two is halved, in units: a tile that is nearly empty has too few sums under
/// way to hide the latency of an addition, two half-full ones have enough.
struct Strips {
  std::size_t whole;
  std::size_t unit;

  constexpr std::size_t count(std::size_t size) const { return ceil_div(size, whole); }
  /// The width of the strip that begins where `left` elements are left; the last is not rounded.
  constexpr std::size_t width(std::size_t left) const {
    if (left >= 2 * whole) return whole;
    return left <= whole ? left : ceil_div(ceil_div(left, unit), 2) * unit;
  }
  /// How many strips of the whole width follow where `left` elements are left.
  constexpr std::size_t whole_ones(std::size_t left) const {
    const std::size_t strips = left / whole;
    if (left % whole == 0 || strips == 0) return strips;
    return strips - 1 + (width(left - (strips - 1) * whole) == whole);
  }
  /// How many strips of the same width follow where `left` elements are left, at least one.
  constexpr std::size_t alike(std::size_t left) const {
    const std::size_t next = width(left);
    return next == whole ? whole_ones(left) : left / next;
  }
  /// Where strip `index` of `size` elements begins; `size` for the one behind the last.
  constexpr std::size_t begin(std::size_t index, std::size_t size) const {
    const std::size_t strips = count(size);
    if (index >= strips) return size;
    if (index == 0 || index + 1 < strips) return index * whole;
    const std::size_t before = (index - 1) * whole;
    return before + width(size - before);
  }
};

}  // namespace kinjo::detail
