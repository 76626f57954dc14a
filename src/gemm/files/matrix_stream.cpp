#include "gemm/files/matrix_stream.hpp"

#include <algorithm>

#include "gemm/strips.hpp"

namespace kinjo::gemm {

namespace {

using detail::ceil_div;

constexpr std::size_t kReadThreads = 4;
constexpr std::size_t kSlack = 4 * kDirectBlock;  // of a slot, and of a line that is not whole

Range block(Range whole, std::size_t size, std::size_t number) {
  const std::size_t begin = whole.begin + number * size;
  return {begin, std::min(begin + size, whole.end)};
}

}  // namespace

Cut::Cut(const FileLayout& layout, const LinePart& whole, std::size_t bytes)
    : whole_(whole), lines_(0), elements_(whole.elements.size()) {
  const std::size_t element = layout.element_bytes, room = bytes - kSlack;
  const std::size_t line = elements_ * element + (elements_ < layout.length ? kSlack : 0);
  lines_ = std::min(whole.lines.size(), room / std::max<std::size_t>(line, 1));
  if (lines_ == 0) {
    lines_ = 1;
    elements_ = std::min(elements_, (room - kSlack) / element);
  }
  shape_ = slot_shape(layout, lines_, elements_);
}

std::size_t Cut::count() const {
  if (whole_.lines.empty() || whole_.elements.empty()) return 0;
  return ceil_div(whole_.lines.size(), lines_) * ceil_div(whole_.elements.size(), elements_);
}

LinePart Cut::part(std::size_t number) const {
  const std::size_t across = ceil_div(whole_.elements.size(), elements_);
  return {block(whole_.lines, lines_, number / across),
          block(whole_.elements, elements_, number % across)};
}

MatrixStream::MatrixStream(std::size_t memory_bytes)
    : bytes_(std::max(memory_bytes, kLeastBytes) / (2 * kDirectBlock) * (2 * kDirectBlock)),
      buffer_(alloc(bytes_)),
      tasks_(kReadThreads) {}

PartRuns MatrixStream::runs(const StoredMatrix& m, const Cut& cut, std::size_t number) const {
  char* const slot = static_cast<char*>(buffer_.data()) + number % 2 * (bytes_ / 2);
  return {m.layout(), cut.part(number), cut.shape(), slot};
}

void MatrixStream::start(const StoredMatrix& m, const Cut& cut, std::size_t number) {
  const PartRuns part = runs(m, cut, number);
  const auto read = [&m, part](std::size_t piece) {
    part.for_each_run(piece, [&m](const Run& run) { m.read(run.offset, run.bytes, run.memory); });
  };
  tickets_[number % 2] = tasks_.start({number, part.pieces(), read, {}, {}});
}

PartRuns MatrixStream::arrived(const StoredMatrix& m, const Cut& cut, std::size_t number) {
  tasks_.join(tickets_[number % 2]);
  return runs(m, cut, number);
}

}  // namespace kinjo::gemm
