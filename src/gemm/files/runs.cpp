#include "gemm/files/runs.hpp"

#include <algorithm>

#include "gemm/strips.hpp"

namespace kinjo::gemm {

namespace {
/// Of short runs together, each with what beginning it costs: so several threads have some of them.
constexpr std::size_t kBytesInPiece = std::size_t{1} << 20;
}  // namespace

PartRuns::PartRuns(const FileLayout& layout, const LinePart& part, const SlotShape& shape,
                   char* slot)
    : layout_(layout),
      part_(part),
      shape_(shape),
      begin_(layout.at(part.lines.begin, part.elements.begin)) {
  data_ = slot + kDirectBlock + begin_ % kDirectBlock;
  const std::size_t line = part.elements.size() * layout.element_bytes + kRunBytes;
  lines_in_piece_ = std::max<std::size_t>(kBytesInPiece / line, 1);
}

PartRuns PartRuns::lines(Range lines) const {
  PartRuns some = *this;
  some.part_.lines = {part_.lines.begin + lines.begin, part_.lines.begin + lines.end};
  some.begin_ = layout_.at(some.part_.lines.begin, part_.elements.begin);
  some.data_ += lines.begin * shape_.leading;
  return some;
}

std::uint64_t PartRuns::bytes() const {
  return std::uint64_t{part_.lines.size()} * part_.elements.size() * layout_.element_bytes;
}

std::uint64_t PartRuns::block_bytes() const {
  if (bytes() == 0) return 0;
  const auto blocks = [](std::uint64_t begin, std::uint64_t count) {
    return detail::round_up(begin % kDirectBlock + count, kDirectBlock);
  };
  if (shape_.is_one_run) return blocks(begin_, bytes());
  std::uint64_t all = 0;
  for (std::size_t line = 0; line < part_.lines.size(); ++line) {
    const Run run = line_run(line);
    all += blocks(run.offset, run.bytes);
  }
  return all;
}

std::size_t PartRuns::pieces() const {
  if (bytes() == 0) return 0;
  if (!shape_.is_one_run) return detail::ceil_div(part_.lines.size(), lines_in_piece_);
  return address_of(begin_ + bytes() - 1) / kLongestRun - address_of(begin_) / kLongestRun + 1;
}

std::size_t PartRuns::piece_of(std::size_t line) const {
  if (!shape_.is_one_run) return line / lines_in_piece_;
  const std::uint64_t end = begin_ + (line + 1) * layout_.line_bytes();
  return address_of(end - 1) / kLongestRun - address_of(begin_) / kLongestRun;
}

std::uint64_t PartRuns::address_of(std::uint64_t offset) const {
  return reinterpret_cast<std::uintptr_t>(data_) + (offset - begin_);
}

/// Pieces of a run meet at blocks of the file, since addresses are congruent to offsets, and each
/// is in one huge page: a disk takes it as one piece of memory.
Run PartRuns::part_of_run(std::size_t piece) const {
  const std::uint64_t begin = address_of(begin_), end = begin + bytes();
  const std::uint64_t first = (begin / kLongestRun + piece) * kLongestRun;
  const std::uint64_t from = std::max(first, begin), to = std::min(first + kLongestRun, end);
  return {begin_ + (from - begin), to - from, data_ + (from - begin)};
}

Run PartRuns::line_run(std::size_t line) const {
  return {layout_.at(part_.lines.begin + line, part_.elements.begin),
          part_.elements.size() * layout_.element_bytes, data_ + line * shape_.leading};
}

}  // namespace kinjo::gemm
