#include "fft/lane_copy.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace kinjo::fft::detail {

namespace {

/// Numbers of which number (r, l) is at r·row + l·lane from their beginning.
template <class T>
struct Grid {
  T* begin;
  std::ptrdiff_t row, lane;

  T* at(std::size_t r, std::size_t l) const {
    return begin + static_cast<std::ptrdiff_t>(r) * row + static_cast<std::ptrdiff_t>(l) * lane;
  }
};

/// So many rows as have their cache lines in L1 together, whatever sets these share.
constexpr std::size_t kRows = 8;

/// f(from, to) for all numbers.
template <class T, class F>
void copy(std::size_t rows, std::size_t lanes, Grid<const T> from, Grid<T> to, F&& f) {
  for (std::size_t first = 0; first < rows; first += kRows) {
    const std::size_t end = std::min(rows, first + kRows);
    for (std::size_t l = 0; l < lanes; ++l) {
      for (std::size_t r = first; r < end; ++r) f(from.at(r, l), to.at(r, l));
    }
  }
}

template <class T>
class LaneCopyStage final : public ComputingStage<T> {
 public:
  LaneCopyStage(LaneCopy kind, const Lanes& lanes) : kind_(kind), lanes_(lanes) {}

  std::size_t items() const override { return 1; }

  void run(Range items, const Frame<T>& frame, T*) const override {
    if (items.empty()) return;
    switch (kind_) {
      case LaneCopy::pack:
        return numbers(array<const T>(frame), lines(frame, 1));
      case LaneCopy::unpack:
        return numbers(as_const(lines(frame, 1)), array<T>(frame));
      case LaneCopy::narrow:
        return numbers(as_const(lines(frame, 2)), array<T>(frame));
      case LaneCopy::widen:
        return copy(lanes_.rows, lanes_.count, array<const T>(frame), lines(frame, 2),
                    [](const T* x, T* y) {
                      y[0] = *x;
                      y[1] = 0;
                    });
      case LaneCopy::take:
        return pairs(array<const T>(frame), imaginary<const T>(frame), lines(frame, 2), 1);
      case LaneCopy::give:
        return pairs(as_const(lines(frame, 2)), 1, array<T>(frame), imaginary<T>(frame));
    }
  }

  std::string describe() const override {
    return fmt::format("{} lines of {} side by side: copied\n", lanes_.count, lanes_.rows);
  }

 private:
  template <class U>
  auto storage(const Frame<T>& frame) const {
    if constexpr (std::is_const_v<U>) {
      return from(frame, lanes_.array);
    } else {
      return to(frame, lanes_.array);
    }
  }
  template <class U>
  Grid<U> array(const Frame<T>& frame) const {
    const Storage<U> s = storage<U>(frame);
    return {s.real, static_cast<std::ptrdiff_t>(lanes_.element) * s.step,
            static_cast<std::ptrdiff_t>(lanes_.lane) * s.step};
  }
  /// From a real part of the array to its imaginary part.
  template <class U>
  std::ptrdiff_t imaginary(const Frame<T>& frame) const {
    const Storage<U> s = storage<U>(frame);
    return s.imaginary - s.real;
  }
  Grid<T> lines(const Frame<T>& frame, std::ptrdiff_t row) const {
    return {to(frame, lanes_.work).real, row, static_cast<std::ptrdiff_t>(2 * lanes_.line)};
  }
  static Grid<const T> as_const(const Grid<T>& grid) { return {grid.begin, grid.row, grid.lane}; }

  void numbers(Grid<const T> from, Grid<T> to) const {
    copy(lanes_.rows, lanes_.count, from, to, [](const T* x, T* y) { *y = *x; });
  }
  void pairs(Grid<const T> from, std::ptrdiff_t from_part, Grid<T> to,
             std::ptrdiff_t to_part) const {
    copy(lanes_.rows, lanes_.count, from, to, [=](const T* x, T* y) {
      y[0] = x[0];
      y[to_part] = x[from_part];
    });
  }

  LaneCopy kind_;
  Lanes lanes_;
};

}  // namespace

template <class T>
std::unique_ptr<Stage<T>> lane_copy(LaneCopy kind, const Lanes& lanes) {
  return std::make_unique<LaneCopyStage<T>>(kind, lanes);
}

template std::unique_ptr<Stage<float>> lane_copy(LaneCopy, const Lanes&);
template std::unique_ptr<Stage<double>> lane_copy(LaneCopy, const Lanes&);

}  // namespace kinjo::fft::detail
