/// Lines of numbers as a caller may have them, and working memory, for tests of transforms.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fft/lines.hpp"

namespace kinjo::test {

using fft::detail::Lines;

template <class T>
using Numbers = std::vector<std::complex<T>>;

enum class Layout { complex, exchanged, split };
constexpr Layout kLayouts[] = {Layout::complex, Layout::exchanged, Layout::split};

/// Numbers in one of the layouts, as far from alignment as can be, between values that are
/// nobody's.
template <class T>
struct Memory {
  static constexpr T kForeign = T(-12345);
  std::size_t n;
  std::vector<T> values;
  Lines<T> lines;

  Memory(Layout layout, std::size_t count) : n(count), values(2 * n + 3, kForeign) {
    T* const at = values.data() + 1;
    lines = layout == Layout::complex     ? Lines<T>{at, at + 1, 2}
            : layout == Layout::exchanged ? Lines<T>{at + 1, at, 2}
                                          : Lines<T>{at, at + n + 1, 1};
  }
  Memory(Layout layout, const Numbers<T>& x) : Memory(layout, x.size()) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(i) * lines.line;
      lines.real[at] = x[i].real();
      lines.imaginary[at] = x[i].imag();
    }
  }
  Lines<const T> source() const { return {lines.real, lines.imaginary, lines.line}; }
  Numbers<T> numbers() const {
    Numbers<T> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(i) * lines.line;
      x[i] = {lines.real[at], lines.imaginary[at]};
    }
    return x;
  }
  std::size_t foreign() const {
    return static_cast<std::size_t>(std::count(values.begin(), values.end(), kForeign));
  }
};

/// Working memory full of NaN: nothing may depend on what is in it.
template <class T>
struct Work {
  explicit Work(std::size_t size)
      : memory(size + 64 / sizeof(T), std::numeric_limits<T>::quiet_NaN()) {}
  T* aligned() {
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    return memory.data() + (64 - address % 64) % 64 / sizeof(T);
  }
  std::vector<T> memory;
};

}  // namespace kinjo::test
