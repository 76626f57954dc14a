#include "gemm/arguments.hpp"

#include <cstdint>
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
bool is_empty(View<T> v) {
  return v.rows == 0 || v.columns == 0;
}

template <class T>
void check_view(const char* name, View<T> v) {
  const bool by_rows = v.order == Order::row_major;
  const std::size_t lines = by_rows ? v.rows : v.columns, length = by_rows ? v.columns : v.rows;
  if (is_empty(v)) return;
  if (v.ld < length) {
    refuse("gemm: {}'s leading dimension is {}: expected at least {}, its {}", name, v.ld, length,
           by_rows ? "columns" : "rows");
  }
  constexpr std::size_t kMost = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);
  if (lines - 1 > (kMost - length) / v.ld || length > kMost) {
    refuse("gemm: {} of {} × {} elements with leading dimension {} exceeds the address space", name,
           v.rows, v.columns, v.ld);
  }
  if (!v.data) refuse("gemm: {} of {} × {} elements has no memory", name, v.rows, v.columns);
}

/// Rows or columns that lie apart: `length` elements every `step` from `begin` on.
struct Lines {
  std::uintptr_t begin;
  std::size_t count, length, step;  // the last two in bytes
  std::uintptr_t end() const { return begin + (count - 1) * step + length; }
};

template <class T>
Lines lines_of(View<const T> v) {
  const bool by_rows = v.order == Order::row_major;
  return {reinterpret_cast<std::uintptr_t>(v.data), by_rows ? v.rows : v.columns,
          (by_rows ? v.columns : v.rows) * sizeof(T), v.ld * sizeof(T)};
}

/// Whether two share a byte; with equal steps, lines of one may lie between those of the other.
bool overlap(const Lines& x, const Lines& y) {
  if (x.end() <= y.begin || y.end() <= x.begin) return false;
  if (x.step != y.step) return true;
  const Lines &low = x.begin <= y.begin ? x : y, &high = x.begin <= y.begin ? y : x;
  const std::size_t at = (high.begin - low.begin) % low.step;
  const std::size_t line = (high.begin - low.begin) / low.step;
  const bool in_line = at < low.length && line < low.count;
  const bool in_next = at + high.length > low.step && line + 1 < low.count;
  return in_line || in_next;
}

}  // namespace

template <class T>
bool share_memory(View<const T> x, View<const T> y) {
  return !is_empty(x) && !is_empty(y) && overlap(lines_of(x), lines_of(y));
}

template <class T>
void check_arguments(View<const T> a, View<const T> b, View<T> c) {
  if (a.columns != b.rows) {
    refuse("gemm: A is {} × {} and B is {} × {}: expected as many rows of B as columns of A",
           a.rows, a.columns, b.rows, b.columns);
  }
  if (c.rows != a.rows || c.columns != b.columns) {
    refuse("gemm: C is {} × {}: expected {} × {}, the rows of A by the columns of B", c.rows,
           c.columns, a.rows, b.columns);
  }
  check_view("A", a);
  check_view("B", b);
  check_view("C", c);
  if (share_memory<T>(a, c)) {
    refuse("gemm: C shares memory with A: expected a C of its own");
  }
  if (share_memory<T>(b, c)) {
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
template void check_arguments(View<const float>, View<const float>, View<float>);
template void check_arguments(View<const double>, View<const double>, View<double>);

}  // namespace kinjo::gemm
