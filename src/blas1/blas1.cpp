/// BLAS-1 on one thread: contiguous vectors go straight to the kernels, strided ones block by
/// block.
#include <kinjo/blas1.hpp>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "blas1/contiguous.hpp"
#include "blas1/overlap.hpp"
#include "blas1/scaling.hpp"
#include "blas1/terms.hpp"

namespace kinjo::blas1::detail {

using namespace kinjo::detail;

namespace {

/// Element 0: with a negative stride the one at the highest address.
template <class T>
T* first_element(std::size_t n, T* data, std::ptrdiff_t stride) {
  return stride < 0 && n > 0 ? data - (static_cast<std::ptrdiff_t>(n) - 1) * stride : data;
}

template <class T>
auto load_strided(std::size_t n, const T* data, std::ptrdiff_t stride) {
  const T* const first = first_element(n, data, stride);
  return [=](std::size_t i) { return first[static_cast<std::ptrdiff_t>(i) * stride]; };
}

/// The sum of `load(i)`, put together block by block.
template <class T, class... Load>
T add_up_packed(std::size_t n, Mode mode, const auto& kernels, const Load&... load) {
  const Packed<T, Load...> terms{kernels, {load...}};
  return mode == Mode::fast ? terms.fast(0, n) : reproducible_sum(terms, n);
}

template <class T>
void need_distinct_elements(const char* function, const char* name, std::size_t n,
                            std::ptrdiff_t stride) {
  if (stride == 0 && n > 1) {
    throw Error(Errc::invalid_argument,
                fmt::format("{}: {} is written and has stride 0: its {} elements are one", function,
                            name, n));
  }
}

template <class T>
Progression progression(std::size_t n, const T* data, std::ptrdiff_t stride) {
  return {reinterpret_cast<std::uintptr_t>(first_element(n, data, stride)),
          stride * static_cast<std::ptrdiff_t>(sizeof(T)), n};
}

/// Whether both are contiguous, and apart or the same: the usual case, decided quickly. Not so for
/// no elements.
template <class T>
bool is_plain(std::size_t n, const T* x, std::ptrdiff_t stride_x, const T* y,
              std::ptrdiff_t stride_y) {
  const std::size_t bytes = n * sizeof(T);
  const std::size_t distance =
      reinterpret_cast<std::uintptr_t>(y) - reinterpret_cast<std::uintptr_t>(x);
  // From `bytes` to −`bytes`, in unsigned numbers, which wrap.
  const bool are_apart = distance - bytes <= std::size_t{0} - 2 * bytes;
  return ((stride_x ^ 1) | (stride_y ^ 1)) == 0 && (are_apart || distance == 0);
}

// What is not plain, apart: the usual calls then save no registers, which counts where elements are
// few.

/// Rounds product and sum each, in either mode: an element at a time, fusing gains nothing.
template <class T>
[[gnu::noinline]] void axpy_strided(std::size_t n, T a, const T* x, std::ptrdiff_t stride_x, T* y,
                                    std::ptrdiff_t stride_y) {
  need_distinct_elements<T>("axpy", "y", n, stride_y);
  need_no_overlap("axpy", n, x, stride_x, y, stride_y);
  const T* from = first_element(n, x, stride_x);
  T* to = first_element(n, y, stride_y);
  for (std::size_t i = 0; i < n; ++i, from += stride_x, to += stride_y) *to += a * *from;
}

template <class T>
[[gnu::noinline]] void copy_strided(std::size_t n, const T* x, std::ptrdiff_t stride_x, T* y,
                                    std::ptrdiff_t stride_y) {
  need_distinct_elements<T>("copy", "y", n, stride_y);
  need_no_overlap("copy", n, x, stride_x, y, stride_y);
  const T* from = first_element(n, x, stride_x);
  T* to = first_element(n, y, stride_y);
  for (std::size_t i = 0; i < n; ++i, from += stride_x, to += stride_y) *to = *from;
}

template <class T>
T norm2_scaled(std::size_t n, const T* x, std::ptrdiff_t stride, Mode mode) {
  const auto load = load_strided(n, x, stride);
  const T most = std::abs(load(max_abs_index(n, x, stride)));
  if (most == 0 || std::isinf(most)) return most;
  const int exponent = scaling_exponent(most);
  const T factor = std::ldexp(T{1}, exponent);
  const T sum =
      add_up_packed<T>(n, mode, squares<T>(), [=](std::size_t i) { return load(i) * factor; });
  return std::ldexp(std::sqrt(sum), -exponent);
}

}  // namespace

void refuse_sizes(const char* function, std::size_t x, std::size_t y) {
  throw Error(Errc::invalid_argument,
              fmt::format("{}: x has {} elements and y has {}: expected as many", function, x, y));
}

template <class T>
void need_no_overlap(const char* function, std::size_t n, const T* x, std::ptrdiff_t stride_x,
                     const T* y, std::ptrdiff_t stride_y) {
  if (x == y && (stride_x == stride_y || n <= 1)) return;
  if (overlap(progression(n, x, stride_x), progression(n, y, stride_y), sizeof(T))) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("{}: x and y overlap: they must be the same elements or share none", function));
  }
}

template <class T>
T sum(std::size_t n, const T* x, std::ptrdiff_t stride, Mode mode) {
  if (stride == 1) [[likely]]
    return contiguous::sum(n, x, mode);
  return add_up_packed<T>(n, mode, values<T>(), load_strided(n, x, stride));
}

template <class T>
T sum_of_squares(std::size_t n, const T* x, std::ptrdiff_t stride, Mode mode) {
  if (stride == 1) [[likely]]
    return contiguous::sum_of_squares(n, x, mode);
  return add_up_packed<T>(n, mode, squares<T>(), load_strided(n, x, stride));
}

template <class T>
T asum(std::size_t n, const T* x, std::ptrdiff_t stride, Mode mode) {
  if (stride == 1) [[likely]]
    return contiguous::asum(n, x, mode);
  return add_up_packed<T>(n, mode, magnitudes<T>(), load_strided(n, x, stride));
}

template <class T>
T norm2(std::size_t n, const T* x, std::ptrdiff_t stride, Mode mode) {
  const T squared = sum_of_squares(n, x, stride, mode);
  if (is_safe_sum_of_squares(squared, n)) [[likely]]
    return std::sqrt(squared);
  if (n == 0) return 0;
  // One NaN for all: which of several survives a sum depends on its order.
  if (std::isnan(squared)) return std::numeric_limits<T>::quiet_NaN();
  return norm2_scaled(n, x, stride, mode);
}

template <class T>
T dot(std::size_t n, const T* x, std::ptrdiff_t stride_x, const T* y, std::ptrdiff_t stride_y,
      Mode mode) {
  if (stride_x == 1 && stride_y == 1) [[likely]]
    return contiguous::dot(n, x, y, mode);
  return add_up_packed<T>(n, mode, products<T>(), load_strided(n, x, stride_x),
                          load_strided(n, y, stride_y));
}

template <class T>
void axpy(std::size_t n, T a, const T* x, std::ptrdiff_t stride_x, T* y, std::ptrdiff_t stride_y,
          Mode mode) {
  if (is_plain(n, x, stride_x, y, stride_y)) [[likely]]
    return contiguous::axpy(n, a, x, y, mode);
  axpy_strided(n, a, x, stride_x, y, stride_y);
}

template <class T>
void scale(std::size_t n, T a, T* x, std::ptrdiff_t stride) {
  if (stride == 1) [[likely]]
    return contiguous::scale(n, a, x);
  need_distinct_elements<T>("scale", "x", n, stride);
  T* at = first_element(n, x, stride);
  for (std::size_t i = 0; i < n; ++i, at += stride) *at *= a;
}

template <class T>
void copy(std::size_t n, const T* x, std::ptrdiff_t stride_x, T* y, std::ptrdiff_t stride_y) {
  if (is_plain(n, x, stride_x, y, stride_y)) [[likely]]
    return contiguous::copy(n, x, y);
  copy_strided(n, x, stride_x, y, stride_y);
}

template <class T>
std::size_t max_abs_index(std::size_t n, const T* x, std::ptrdiff_t stride) {
  if (stride == 1) [[likely]]
    return contiguous::max_abs_index(n, x);
  const auto load = load_strided(n, x, stride);
  std::size_t best = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(load(i))) return i;
    if (std::abs(load(i)) > std::abs(load(best))) best = i;
  }
  return best;
}

template void need_no_overlap(const char*, std::size_t, const float*, std::ptrdiff_t, const float*,
                              std::ptrdiff_t);
template float sum(std::size_t, const float*, std::ptrdiff_t, Mode);
template float sum_of_squares(std::size_t, const float*, std::ptrdiff_t, Mode);
template float asum(std::size_t, const float*, std::ptrdiff_t, Mode);
template float norm2(std::size_t, const float*, std::ptrdiff_t, Mode);
template float dot(std::size_t, const float*, std::ptrdiff_t, const float*, std::ptrdiff_t, Mode);
template void axpy(std::size_t, float, const float*, std::ptrdiff_t, float*, std::ptrdiff_t, Mode);
template void scale(std::size_t, float, float*, std::ptrdiff_t);
template void copy(std::size_t, const float*, std::ptrdiff_t, float*, std::ptrdiff_t);
template std::size_t max_abs_index(std::size_t, const float*, std::ptrdiff_t);

template void need_no_overlap(const char*, std::size_t, const double*, std::ptrdiff_t,
                              const double*, std::ptrdiff_t);
template double sum(std::size_t, const double*, std::ptrdiff_t, Mode);
template double sum_of_squares(std::size_t, const double*, std::ptrdiff_t, Mode);
template double asum(std::size_t, const double*, std::ptrdiff_t, Mode);
template double norm2(std::size_t, const double*, std::ptrdiff_t, Mode);
template double dot(std::size_t, const double*, std::ptrdiff_t, const double*, std::ptrdiff_t,
                    Mode);
template void axpy(std::size_t, double, const double*, std::ptrdiff_t, double*, std::ptrdiff_t,
                   Mode);
template void scale(std::size_t, double, double*, std::ptrdiff_t);
template void copy(std::size_t, const double*, std::ptrdiff_t, double*, std::ptrdiff_t);
template std::size_t max_abs_index(std::size_t, const double*, std::ptrdiff_t);

}  // namespace kinjo::blas1::detail
