/// A part of a file and its slot in memory as runs of bytes, in pieces that threads can share.
#pragma once

#include "gemm/files/storage_choice.hpp"

namespace kinjo::gemm {

struct Run {
  std::uint64_t offset = 0;  ///< in the file
  std::size_t bytes = 0;
  char* memory = nullptr;  ///< congruent to the offset modulo `kDirectBlock`
};

class PartRuns {
 public:
  /// `slot` begins at a block and has the bytes of `shape`, which is for parts of this size or
  /// more.
  PartRuns(const FileLayout& layout, const LinePart& part, const SlotShape& shape, char* slot);

  /// Some of the lines, which are counted from the part's first.
  PartRuns lines(Range lines) const;

  /// Where the first element is.
  char* data() const { return data_; }
  std::size_t leading() const { return shape_.leading; }
  std::uint64_t bytes() const;
  /// Of the blocks that the runs lie in, as a disk moves them: two runs may share one.
  std::uint64_t block_bytes() const;

  std::size_t pieces() const;
  /// The piece in which a line ends, the lines counted from the part's first.
  std::size_t piece_of(std::size_t line) const;
  /// Calls `f(run)` for each run of a piece.
  template <class F>
  void for_each_run(std::size_t piece, F&& f) const {
    if (shape_.is_one_run) return f(part_of_run(piece));
    const std::size_t end = std::min((piece + 1) * lines_in_piece_, part_.lines.size());
    for (std::size_t line = piece * lines_in_piece_; line < end; ++line) f(line_run(line));
  }

 private:
  /// Where in memory a byte of the file lies, if the part is one run: pieces meet at multiples of
  /// `kLongestRun` of that.
  std::uint64_t address_of(std::uint64_t offset) const;
  Run part_of_run(std::size_t piece) const;
  Run line_run(std::size_t line) const;

  FileLayout layout_;
  LinePart part_;
  SlotShape shape_;
  char* data_;
  std::uint64_t begin_;
  std::size_t lines_in_piece_;
};

}  // namespace kinjo::gemm
