/// BLAS-1 in CBLAS's form: what CBLAS leaves to the caller's care is refused, and told by
/// `kinjo_last_error`, since these functions return no status.
#include <kinjo/blas1.hpp>

#include <cstdint>
#include <limits>

#include "capi/guard.hpp"

namespace {

using namespace kinjo::capi;
namespace blas1 = kinjo::blas1;
using blas1::Mode;

/// What `body` returns; on an exception `failed`, and the failure is recorded.
template <class Value, class Body>
Value value_or(Value failed, Body&& body) noexcept {
  try {
    return body();
  } catch (...) {
    record_failure();
    return failed;
  }
}

/// What `body` returns; 0 for no elements.
template <class T, class Body>
T sum_or_nan(std::ptrdiff_t n, Body&& body) noexcept {
  if (n <= 0) return 0;
  return value_or(std::numeric_limits<T>::quiet_NaN(), body);
}

/// Runs `body`, unless there are no elements.
template <class Body>
void write_if_any(std::ptrdiff_t n, Body&& body) noexcept {
  if (n > 0) value_or(0, [&] { return body(), 0; });
}

/// n > 0 elements of a vector called `name`.
template <class T>
blas1::View<T> view(const char* name, std::ptrdiff_t n, T* data, std::ptrdiff_t increment) {
  need(data, name);
  return {data, static_cast<std::size_t>(n), increment};
}

template <class T>
T dot(std::ptrdiff_t n, const T* x, std::ptrdiff_t incx, const T* y, std::ptrdiff_t incy,
      Mode mode) {
  return sum_or_nan<T>(
      n, [&] { return blas1::dot(view("x", n, x, incx), view("y", n, y, incy), mode); });
}

template <class T>
T nrm2(std::ptrdiff_t n, const T* x, std::ptrdiff_t incx, Mode mode) {
  return sum_or_nan<T>(n, [&] { return blas1::norm2(view("x", n, x, incx), mode); });
}

template <class T>
T ssq(std::ptrdiff_t n, const T* x, std::ptrdiff_t incx, Mode mode) {
  return sum_or_nan<T>(n, [&] { return blas1::sum_of_squares(view("x", n, x, incx), mode); });
}

template <class T>
T asum(std::ptrdiff_t n, const T* x, std::ptrdiff_t incx, Mode mode) {
  if (incx <= 0) return 0;
  return sum_or_nan<T>(n, [&] { return blas1::asum(view("x", n, x, incx), mode); });
}

template <class T>
T sum(std::ptrdiff_t n, const T* x, std::ptrdiff_t incx, Mode mode) {
  if (incx <= 0) return 0;
  return sum_or_nan<T>(n, [&] { return blas1::sum(view("x", n, x, incx), mode); });
}

template <class T>
std::size_t iamax(std::ptrdiff_t n, const T* x, std::ptrdiff_t incx) {
  if (n <= 0 || incx <= 0) return 0;
  return value_or(SIZE_MAX, [&] { return *blas1::max_abs_index(view("x", n, x, incx)); });
}

template <class T>
void scal(std::ptrdiff_t n, T a, T* x, std::ptrdiff_t incx) {
  if (incx <= 0) return;
  write_if_any(n, [&] { blas1::scale(a, view("x", n, x, incx)); });
}

/// `f(x, y)` for the elements in order, or all at once where they are written to different places:
/// with increment 0 the reference writes one element again and again.
template <class T, class F>
void write_pairs(std::ptrdiff_t n, const T* x, std::ptrdiff_t incx, T* y, std::ptrdiff_t incy,
                 F&& f) {
  write_if_any(n, [&] {
    const auto from = view("x", n, x, incx);
    const auto to = view("y", n, y, incy);
    if (incy != 0) return f(from, to);
    const T* next = incx < 0 ? x - (n - 1) * incx : x;
    for (std::ptrdiff_t i = 0; i < n; ++i, next += incx) f({next, 1}, {y, 1});
  });
}

template <class T>
void axpy(std::ptrdiff_t n, T a, const T* x, std::ptrdiff_t incx, T* y, std::ptrdiff_t incy,
          Mode mode) {
  write_pairs(n, x, incx, y, incy, [a, mode](blas1::View<const T> from, blas1::View<T> to) {
    blas1::axpy(a, from, to, mode);
  });
}

template <class T>
void copy(std::ptrdiff_t n, const T* x, std::ptrdiff_t incx, T* y, std::ptrdiff_t incy) {
  write_pairs(n, x, incx, y, incy,
              [](blas1::View<const T> from, blas1::View<T> to) { blas1::copy(from, to); });
}

}  // namespace

// The functions that CBLAS has, of the type whose letter is p: with int as CBLAS has them, and for
// sizes of 64 bits.
#define KINJO_DEFINE_CBLAS(p, T, Size, suffix)                                                    \
  T kinjo_##p##dot##suffix(Size n, const T* x, Size incx, const T* y, Size incy) {                \
    return dot(n, x, incx, y, incy, Mode::fast);                                                  \
  }                                                                                               \
  T kinjo_##p##nrm2##suffix(Size n, const T* x, Size incx) {                                      \
    return nrm2(n, x, incx, Mode::fast);                                                          \
  }                                                                                               \
  T kinjo_##p##asum##suffix(Size n, const T* x, Size incx) {                                      \
    return asum(n, x, incx, Mode::fast);                                                          \
  }                                                                                               \
  T kinjo_##p##sum##suffix(Size n, const T* x, Size incx) { return sum(n, x, incx, Mode::fast); } \
  size_t kinjo_i##p##amax##suffix(Size n, const T* x, Size incx) { return iamax(n, x, incx); }    \
  void kinjo_##p##axpy##suffix(Size n, T a, const T* x, Size incx, T* y, Size incy) {             \
    axpy(n, a, x, incx, y, incy, Mode::fast);                                                     \
  }                                                                                               \
  void kinjo_##p##scal##suffix(Size n, T a, T* x, Size incx) { scal(n, a, x, incx); }             \
  void kinjo_##p##copy##suffix(Size n, const T* x, Size incx, T* y, Size incy) {                  \
    copy(n, x, incx, y, incy);                                                                    \
  }
// Those that it has not.
#define KINJO_DEFINE_REPRODUCIBLE(p, T, name)                                 \
  T kinjo_##p##name##_reproducible(ptrdiff_t n, const T* x, ptrdiff_t incx) { \
    return name(n, x, incx, Mode::reproducible);                              \
  }
#define KINJO_DEFINE_OTHERS(p, T)                                                       \
  T kinjo_##p##dot_reproducible(ptrdiff_t n, const T* x, ptrdiff_t incx, const T* y,    \
                                ptrdiff_t incy) {                                       \
    return dot(n, x, incx, y, incy, Mode::reproducible);                                \
  }                                                                                     \
  T kinjo_##p##ssq(ptrdiff_t n, const T* x, ptrdiff_t incx) {                           \
    return ssq(n, x, incx, Mode::fast);                                                 \
  }                                                                                     \
  KINJO_DEFINE_REPRODUCIBLE(p, T, nrm2)                                                 \
  KINJO_DEFINE_REPRODUCIBLE(p, T, asum)                                                 \
  KINJO_DEFINE_REPRODUCIBLE(p, T, sum)                                                  \
  KINJO_DEFINE_REPRODUCIBLE(p, T, ssq)                                                  \
  void kinjo_##p##axpy_reproducible(ptrdiff_t n, T a, const T* x, ptrdiff_t incx, T* y, \
                                    ptrdiff_t incy) {                                   \
    axpy(n, a, x, incx, y, incy, Mode::reproducible);                                   \
  }

KINJO_DEFINE_CBLAS(s, float, int, )
KINJO_DEFINE_CBLAS(d, double, int, )
KINJO_DEFINE_CBLAS(s, float, ptrdiff_t, _64)
KINJO_DEFINE_CBLAS(d, double, ptrdiff_t, _64)
KINJO_DEFINE_OTHERS(s, float)
KINJO_DEFINE_OTHERS(d, double)
