/// Where a stage of a transform reads and writes.
#pragma once

#include <array>
#include <cstddef>

#include "fft/column_transform.hpp"

namespace kinjo::fft::detail {

/// Complex numbers: number i has its parts at real[i·step] and imaginary[i·step]; interleaved ones
/// have step 2, split ones step 1.
template <class T>
struct Storage {
  T* real = nullptr;
  T* imaginary = nullptr;
  std::ptrdiff_t step = 1;

  operator Storage<const T>() const { return {real, imaginary, step}; }
  Storage from(std::size_t i) const {
    const auto offset = static_cast<std::ptrdiff_t>(i) * step;
    return {real + offset, imaginary + offset, step};
  }
  /// The same numbers times i, conjugated: what makes a forward transform a backward one.
  Storage exchanged() const { return {imaginary, real, step}; }
  Lines<T> lines(std::size_t line, std::size_t element) const {
    return {real, imaginary, static_cast<std::ptrdiff_t>(line) * step,
            static_cast<std::ptrdiff_t>(element) * step};
  }
};

/// Numbers in `memory` whose real and imaginary parts stand in turn.
template <class T>
Storage<T> interleaved_storage(T* memory) {
  return {memory, memory + 1, 2};
}

/// The arrays of a stage by name.
enum class Array { in, out, work, more_work };

/// All that one call knows and a plan does not.
template <class T>
struct Frame {
  Storage<const T> in;
  Storage<T> out;
  std::array<Storage<T>, 2> work;
  T scale = 1;
};

/// An array, and whether real and imaginary parts change places.
struct Where {
  Array array = Array::in;
  bool exchanged = false;
};

template <class T>
Storage<T> to(const Frame<T>& frame, Where where) {
  const Storage<T> s = where.array == Array::out    ? frame.out
                       : where.array == Array::work ? frame.work[0]
                                                    : frame.work[1];
  return where.exchanged ? s.exchanged() : s;
}
template <class T>
Storage<const T> from(const Frame<T>& frame, Where where) {
  if (where.array != Array::in) return to(frame, where);
  return where.exchanged ? frame.in.exchanged() : frame.in;
}

}  // namespace kinjo::fft::detail
