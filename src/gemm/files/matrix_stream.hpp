/// A matrix in a file, part by part through two buffers: one part is looked at while the next one
/// comes. Takes no memory that grows with the matrix.
#pragma once

#include <utility>

#include <kinjo/memory.hpp>

#include "gemm/files/runs.hpp"
#include "gemm/files/touch_tasks.hpp"

namespace kinjo::gemm {

/// Lines and elements of a part of a matrix cut into parts for one buffer each.
class Cut {
 public:
  /// Parts of as many whole lines as `bytes` hold, or of pieces of one line.
  Cut(const FileLayout& layout, const LinePart& whole, std::size_t bytes);

  std::size_t count() const;
  LinePart part(std::size_t number) const;
  const SlotShape& shape() const { return shape_; }

 private:
  LinePart whole_;
  std::size_t lines_, elements_;  ///< of a part
  SlotShape shape_;
};

class MatrixStream {
 public:
  /// Buffers of `memory_bytes`, at least `kLeastBytes`, together.
  explicit MatrixStream(std::size_t memory_bytes);
  MatrixStream(const MatrixStream&) = delete;
  MatrixStream& operator=(const MatrixStream&) = delete;

  static constexpr std::size_t kLeastBytes = std::size_t{256} << 10;

  /// Calls `f(view, rows, columns)` for all parts of the part of `m` that `rows` × `columns`
  /// covers, until it returns false. Throws what reading throws.
  template <class T, class F>
  void each_part(const StoredMatrix& m, Range rows, Range columns, F&& f) {
    const Cut cut(m.layout(), m.part(rows, columns), bytes_ / 2);
    const bool by_rows = m.order() == Order::row_major;
    if (cut.count() > 0) start(m, cut, 0);
    for (std::size_t i = 0; i < cut.count(); ++i) {
      if (i + 1 < cut.count()) start(m, cut, i + 1);
      const LinePart part = cut.part(i);
      const PartRuns runs = arrived(m, cut, i);
      const View<const T> view(reinterpret_cast<const T*>(runs.data()),
                               by_rows ? part.lines.size() : part.elements.size(),
                               by_rows ? part.elements.size() : part.lines.size(), m.order(),
                               runs.leading() / sizeof(T));
      const bool goes_on =
          by_rows ? f(view, part.lines, part.elements) : f(view, part.elements, part.lines);
      if (!goes_on) return;
    }
  }

 private:
  PartRuns runs(const StoredMatrix& m, const Cut& cut, std::size_t number) const;
  void start(const StoredMatrix& m, const Cut& cut, std::size_t number);
  PartRuns arrived(const StoredMatrix& m, const Cut& cut, std::size_t number);

  std::size_t bytes_;
  Buffer buffer_;
  TouchTasks tasks_;  // ends before the buffer to which it reads
  TouchTasks::Ticket tickets_[2];
};

}  // namespace kinjo::gemm
