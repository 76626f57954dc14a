#include "gemm/arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>

#include <fmt/format.h>
#include <kinjo/error.hpp>

namespace kinjo::gemm {

namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(Errc::invalid_argument, fmt::format(format, std::forward<Args>(args)...));
}

template <class T>
bool is_empty(const View<T>& v) {
  return v.rows == 0 || v.columns == 0;
}

/// The elements from its first to behind its last.
template <class T>
std::size_t check_view(const char* name, const View<T>& v, Factors factors = Factors::read) {
  const bool by_rows = v.order == Order::row_major;
  const std::size_t lines = by_rows ? v.rows : v.columns, length = by_rows ? v.columns : v.rows;
  if (is_empty(v)) return 0;
  if (v.ld < length) {
    refuse("gemm: {}'s leading dimension is {}: expected at least {}, its {}", name, v.ld, length,
           by_rows ? "columns" : "rows");
  }
  constexpr std::size_t kMost = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);
  // Without a division, of which a small product would wait for three.
  std::size_t before_last = 0;
  const bool far = __builtin_mul_overflow(lines - 1, v.ld, &before_last);
  if (far || length > kMost || before_last > kMost - length) {
    refuse("gemm: {} of {} × {} elements with leading dimension {} exceeds the address space", name,
           v.rows, v.columns, v.ld);
  }
  if (v.data || factors == Factors::not_read) return before_last + length;
  refuse("gemm: {} of {} × {} elements has no memory", name, v.rows, v.columns);
}

/// Rows or columns that lie apart: `length` elements every `step` from `begin` on.
struct Lines {
  std::uintptr_t begin;
  std::size_t count, length, step;  // the last two in bytes
  std::uintptr_t end() const { return begin + (count - 1) * step + length; }
};

template <class T>
Lines lines_of(const View<T>& v) {
  const bool by_rows = v.order == Order::row_major;
  return {reinterpret_cast<std::uintptr_t>(v.data), by_rows ? v.rows : v.columns,
          (by_rows ? v.columns : v.rows) * sizeof(T), std::max<std::size_t>(v.ld, 1) * sizeof(T)};
}

/// Whether some line shares a byte with those from `begin` to `end`.
bool touch(const Lines& lines, std::uintptr_t begin, std::uintptr_t end) {
  const std::uintptr_t first_end = lines.begin + lines.length;
  const std::size_t first = begin < first_end ? 0 : (begin - first_end) / lines.step + 1;
  return first < lines.count && lines.begin + first * lines.step < end;
}

/// Whether two share a byte. Lines of one may lie between those of the other.
bool overlap(const Lines& x, const Lines& y) {
  if (x.end() <= y.begin || y.end() <= x.begin) return false;
  const Lines &few = x.count <= y.count ? x : y, &many = x.count <= y.count ? y : x;
  for (std::size_t line = 0; line < few.count; ++line) {
    const std::uintptr_t begin = few.begin + line * few.step;
    if (touch(many, begin, begin + few.length)) return true;
  }
  return false;
}

template <class X, class Y>
bool share(const View<X>& x, const View<Y>& y) {
  return !is_empty(x) && !is_empty(y) && overlap(lines_of(x), lines_of(y));
}

/// The same of views whose extents in elements are known: most lie apart as a whole.
template <class X, class Y>
bool share(const View<X>& x, std::size_t of_x, const View<Y>& y, std::size_t of_y) {
  const std::less_equal<const void*> before;
  return !before(x.data + of_x, y.data) && !before(y.data + of_y, x.data) && share(x, y);
}

}  // namespace

template <class T>
bool share_memory(View<const T> x, View<const T> y) {
  return share(x, y);
}

template <class T>
void check_arguments(const View<const T>& a, const View<const T>& b, const View<T>& c,
                     Factors factors) {
  if (a.columns != b.rows) {
    refuse("gemm: A is {} × {} and B is {} × {}: expected as many rows of B as columns of A",
           a.rows, a.columns, b.rows, b.columns);
  }
  if (c.rows != a.rows || c.columns != b.columns) {
    refuse("gemm: C is {} × {}: expected {} × {}, the rows of A by the columns of B", c.rows,
           c.columns, a.rows, b.columns);
  }
  const std::size_t of_a = check_view("A", a, factors), of_b = check_view("B", b, factors),
                    of_c = check_view("C", c);
  if (factors == Factors::not_read) return;
  if (share(a, of_a, c, of_c)) {
    refuse("gemm: C shares memory with A: expected a C of its own");
  }
  if (share(b, of_b, c, of_c)) {
    refuse("gemm: C shares memory with B: expected a C of its own");
  }
}

template <class T>
void check_same_shape(View<const T> before, View<const T> c) {
  if (before.rows != c.rows || before.columns != c.columns) {
    refuse("gemm: C's old content is {} × {}: expected {} × {}, as C", before.rows, before.columns,
           c.rows, c.columns);
  }
  check_view("C's old content", before);
}

template bool share_memory(View<const float>, View<const float>);
template bool share_memory(View<const double>, View<const double>);
template void check_same_shape(View<const float>, View<const float>);
template void check_same_shape(View<const double>, View<const double>);
template void check_arguments(const View<const float>&, const View<const float>&,
                              const View<float>&, Factors);
template void check_arguments(const View<const double>&, const View<const double>&,
                              const View<double>&, Factors);

}  // namespace kinjo::gemm
