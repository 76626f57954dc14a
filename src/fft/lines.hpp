/// Where the lines of a transform lie in memory, and what happens to them on their way back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "simd/stream_kernels.hpp"

namespace kinjo::fft::detail {

/// Complex numbers in somebody's memory: element j of line l has its real part at
/// real[l·line + j·element] and its imaginary part at imaginary[…]. Distances are in T.
/// Interleaved storage has imaginary = real + 1 (exchanged: real = imaginary + 1) and even
/// distances.
template <class T>
struct Lines {
  T* real = nullptr;
  T* imaginary = nullptr;
  std::ptrdiff_t line = 0;
  std::ptrdiff_t element = 0;
  /// Lines in tiles: 2^fold elements lie as above, and the next 2^fold of them `far` further on.
  /// Without tiles, `fold` is as large as it can be.
  unsigned fold = kNoFold;
  std::ptrdiff_t far = 0;

  static constexpr unsigned kNoFold = 63;
  /// How far element j lies from the first one.
  std::ptrdiff_t offset(std::size_t j) const {
    const std::size_t tile = j >> fold;
    return static_cast<std::ptrdiff_t>(tile) * far +
           static_cast<std::ptrdiff_t>(j - (tile << fold)) * element;
  }
};

/// Where the parts of a line's numbers begin.
template <class T>
T* first_part(const Lines<T>& line) {
  return std::min(line.real, line.imaginary, std::less<>());
}

/// Whether parts alternate, imaginary ones first.
template <class T>
bool is_exchanged(const Lines<T>& line) {
  return line.imaginary < line.real;
}

/// How lines lie in memory, which decides how they are moved.
enum class Shape {
  split_columns,      ///< elements of neighbouring lines lie next to each other
  complex_columns,    ///< likewise, real and imaginary parts in turn
  exchanged_columns,  ///< likewise, imaginary and real parts in turn
  split_lines,        ///< elements of a line lie next to each other
  complex_lines,      ///< likewise, real and imaginary parts in turn
  exchanged_lines,    ///< likewise, imaginary and real parts in turn
  strided,            ///< anything else
};
template <class T>
Shape shape_of(const Lines<T>& lines) {
  const bool in_turn = lines.real + 1 == lines.imaginary;
  const bool exchanged = lines.imaginary + 1 == lines.real;
  if (lines.line == 1) return Shape::split_columns;
  if (lines.line == 2 && in_turn) return Shape::complex_columns;
  if (lines.line == 2 && exchanged) return Shape::exchanged_columns;
  if (lines.element == 1) return Shape::split_lines;
  if (lines.element == 2 && in_turn) return Shape::complex_lines;
  if (lines.element == 2 && exchanged) return Shape::exchanged_lines;
  return Shape::strided;
}
constexpr bool is_by_column(Shape shape) {
  return shape == Shape::split_columns || shape == Shape::complex_columns ||
         shape == Shape::exchanged_columns;
}

/// Elements that share a row of `Store::high`.
inline constexpr std::size_t kTwiddleBlock = 64;

/// Rows of a buffer and the elements that they hold: the row at offsets[i] has element
/// first + elements[i], or first + i if `elements` is null, which must be where the elements of a
/// line lie next to each other.
struct Rows {
  const std::uint32_t* elements;
  std::size_t first;
  const std::uint32_t* offsets;
  std::size_t count;

  std::size_t element(std::size_t i) const { return first + (elements ? elements[i] : i); }
};

/// What STORE multiplies with, and how it writes.
template <class T>
struct Store {
  T scale = 1;  ///< every element
  /// If not null: two tables, by row, whose product is element j of all lines' factor
  ///   high[j / kTwiddleBlock][lane] · low[j % kTwiddleBlock][lane]
  /// laid out as rows of the buffer are (width real parts, width imaginary parts).
  const T* high = nullptr;
  const T* low = nullptr;
  /// Streaming stores are used where whole vectors are written to aligned addresses. The caller
  /// orders them before what other threads read (`hwy::FlushStream`, or a barrier of a team).
  kinjo::detail::Store write = kinjo::detail::Store::cached;
};

}  // namespace kinjo::fft::detail
