/// Headers of NumPy's `.npy` files (NEP 1; numpy.lib.format).
///
/// `\x93NUMPY`, a byte for the major version (1, 2 or 3) and one for the minor (0), the length of
/// the text that follows (two bytes in version 1, else four, little-endian), and the text: a
/// dictionary in Python's notation with the keys `descr`, `fortran_order` and `shape`, blanks and a
/// newline. The elements follow back to back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinjo::detail {

/// The types of elements, all little-endian.
enum class NpyType {
  float32,
  float64,
  complex64,
  complex128,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  boolean
};
/// Which of them a reader takes: float32 and float64, or all.
enum class NpyElements { real, any };
const char* to_string(NpyType type) noexcept;
std::size_t bytes_of(NpyType type) noexcept;
constexpr bool is_complex(NpyType type) {
  return type == NpyType::complex64 || type == NpyType::complex128;
}
/// Whether it counts as one: of bool False is 0, and True 1.
constexpr bool is_integer(NpyType type) { return type >= NpyType::int8; }

/// Which index runs through the elements fastest: the last, or the first.
enum class NpyOrder { c, fortran };
const char* to_string(NpyOrder order) noexcept;

struct NpyHeader {
  NpyType type = NpyType::float64;
  NpyOrder order = NpyOrder::c;
  std::vector<std::uint64_t> shape;
  std::uint64_t data_offset = 0;  ///< bytes from the beginning of the file to the first element

  /// Of all elements; `parse_npy_header` has checked that it does not overflow.
  std::uint64_t data_bytes() const;
  bool operator==(const NpyHeader&) const = default;
};

/// Bytes from the beginning of a file that hold every header that is accepted.
inline constexpr std::size_t kNpyHeaderMost = 65536;

/// Reads a header from the first bytes of a file: all of it, or `kNpyHeaderMost`. `name` is the
/// file's. Throws `Error` (`bad_input`, `cannot read 'NAME': …`) if it is no such file, is cut off,
/// has a key or a value that is not understood, or elements of another type, or if the elements do
/// not begin at a multiple of their size.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& name,
                           NpyElements accepted = NpyElements::real);

/// The header as NumPy reads it (version 1), padded so that the elements begin at a multiple of
/// `alignment` (itself a multiple of 64); `data_offset` is not looked at.
std::string npy_header_text(const NpyHeader& header, std::size_t alignment = 64);

}  // namespace kinjo::detail
