/// A matrix in a `.npy` file that is read part by part, past the page cache where the file system
/// lets us.
///
/// Its elements lie in *lines*: rows in C order, columns in Fortran order. A part that is made of
/// whole lines is one run of bytes, any other is a run for each line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <kinjo/gemm.hpp>

#include "base/npy_file.hpp"

namespace kinjo::gemm {

/// Blocks of files and memory in direct transfers begin at multiples of this. No page of the page
/// cache is smaller.
inline constexpr std::size_t kDirectBlock = 4096;
/// The most that a reader has in the page cache at a time.
inline constexpr std::size_t kCachedPiece = std::size_t{2} << 20;

using detail::FileHandle;

/// Where the elements of a matrix are in a file.
struct FileLayout {
  std::uint64_t offset = 0;  ///< bytes before the first
  std::size_t lines = 0;
  std::size_t length = 0;  ///< elements of a line
  std::size_t element_bytes = 8;

  std::uint64_t line_bytes() const { return std::uint64_t{length} * element_bytes; }
  std::uint64_t at(std::size_t line, std::size_t element) const {
    return offset + line * line_bytes() + std::uint64_t{element} * element_bytes;
  }
  /// Where the file ends.
  std::uint64_t end() const { return offset + lines * line_bytes(); }
};

/// A part of a matrix in terms of its lines.
struct LinePart {
  Range lines, elements;
  bool operator==(const LinePart& other) const {
    return lines.begin == other.lines.begin && lines.end == other.lines.end &&
           elements.begin == other.elements.begin && elements.end == other.elements.end;
  }
};

/// How bytes come and go: past the page cache, or through it, of which nothing is left behind.
enum class Access { direct, cached };

class StoredMatrix {
 public:
  enum class Transposed { no, yes };

  /// Opens a file; where `direct` cannot be had, access is `cached`. Throws `Error` (`cannot read
  /// 'PATH': …`) if it cannot be read, is no ordinary file, its header is refused (base/npy.hpp),
  /// or it is no matrix or not as long as its header says.
  explicit StoredMatrix(const std::string& path, Transposed transposed = Transposed::no,
                        Access access = Access::direct);

  const std::string& path() const { return file_.path(); }
  detail::NpyType type() const { return header().type; }
  std::size_t rows() const { return header().shape[transposed_ ? 1 : 0]; }
  std::size_t columns() const { return header().shape[transposed_ ? 0 : 1]; }
  /// Of the matrix as it is used: transposing exchanges the orders.
  Order order() const;
  FileLayout layout() const;
  LinePart part(Range rows, Range columns) const;
  Access access() const { return direct_ ? Access::direct : Access::cached; }

  /// What tells this content from another: size, time of modification, header, transposed or not.
  std::string identity() const;
  /// Throws `Error` (`bad_input`) if size or time of modification are no longer as they were.
  void check_unchanged() const { file_.check_unchanged(); }

  /// Reads bytes [offset, offset + bytes) to `into`. Direct reads take whole blocks: `into` and
  /// `offset` must be congruent modulo `kDirectBlock`, and the rest of the first and last block
  /// around `into` is overwritten. Throws `Error`.
  void read(std::uint64_t offset, std::size_t bytes, char* into) const;

 private:
  const detail::NpyHeader& header() const { return file_.header(); }
  void read_cached(std::uint64_t begin, std::uint64_t end, char* into) const;

  detail::NpyFile file_;
  FileHandle direct_;
  bool transposed_;
};

}  // namespace kinjo::gemm
