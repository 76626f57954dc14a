#include "blas1/check.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "blas1/kernels.hpp"

namespace kinjo::detail {

namespace {

using Fault = std::optional<std::string>;

/// Nothing for a distance within the bound; a NaN is not.
Fault judge(const char* what, double result, double distance, double bound) {
  if (distance <= bound) return std::nullopt;
  return fmt::format("{} {:.17g} is {:.3g} away from the exact value, more than {:.3g}", what,
                     result, distance, bound);
}

template <class T>
Fault judge_sum(const char* what, const CompensatedSum& exact, std::size_t n, T result,
                blas1::Mode mode) {
  return judge(what, static_cast<double>(result), exact.distance(static_cast<double>(result)),
               sum_error_factor<T>(n, mode) * kRoundoff<T> * exact.magnitude());
}

template <class T>
CompensatedSum squares_of(std::span<const T> x) {
  CompensatedSum sum;
  for (const T v : x) sum.add_product(static_cast<double>(v), static_cast<double>(v));
  return sum;
}

/// The same number, or both not a number; +0 and −0 differ.
template <class T>
bool is_same(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

/// The first element of `after` that is not `right(i)`.
template <class T, class Right>
Fault judge_elements(const char* what, std::size_t first, std::span<const T> after,
                     const Right& right) {
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (is_same(after[i], right(i))) continue;
    return fmt::format("{} {} is {:.17g}, not {:.17g}", what, first + i,
                       static_cast<double>(after[i]), static_cast<double>(right(i)));
  }
  return std::nullopt;
}

}  // namespace

template <class T>
double sum_error_factor(std::size_t n, blas1::Mode mode) {
  if (mode == blas1::Mode::fast) return static_cast<double>(n) + 1;
  const std::size_t blocks = (std::max<std::size_t>(n, 1) + kBlock<T> - 1) / kBlock<T>;
  return 15 + static_cast<double>(std::bit_width(blocks - 1));
}

template <class T>
Fault check_sum(std::span<const T> x, T result, blas1::Mode mode) {
  CompensatedSum exact;
  for (const T v : x) exact.add(static_cast<double>(v));
  return judge_sum("the sum", exact, x.size(), result, mode);
}

template <class T>
Fault check_sum_of_squares(std::span<const T> x, T result, blas1::Mode mode) {
  return judge_sum("the sum of squares", squares_of(x), x.size(), result, mode);
}

template <class T>
Fault check_asum(std::span<const T> x, T result, blas1::Mode mode) {
  CompensatedSum exact;
  for (const T v : x) exact.add(std::abs(static_cast<double>(v)));
  return judge_sum("the sum of magnitudes", exact, x.size(), result, mode);
}

template <class T>
Fault check_norm2(std::span<const T> x, T result, blas1::Mode mode) {
  const double norm = std::sqrt(squares_of(x).value());
  const double factor = sum_error_factor<T>(x.size(), mode) / 2 + 1;
  return judge("the norm", static_cast<double>(result),
               std::abs(static_cast<double>(result) - norm),
               (factor * kRoundoff<T> + 2 * kRoundoff<double>)*norm);
}

template <class T>
Fault check_dot(std::span<const T> x, std::span<const T> y, T result, blas1::Mode mode) {
  CompensatedSum exact;
  for (std::size_t i = 0; i < x.size(); ++i) {
    exact.add_product(static_cast<double>(x[i]), static_cast<double>(y[i]));
  }
  return judge_sum("the product", exact, x.size(), result, mode);
}

template <class T>
Fault check_max_abs_index(std::span<const T> x, std::size_t result) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < x.size() && !std::isnan(x[best]); ++i) {
    if (std::isnan(x[i]) || std::abs(x[i]) > std::abs(x[best])) best = i;
  }
  if (result == best) return std::nullopt;
  return fmt::format("the index of the largest magnitude is {}, not {}", result, best);
}

template <class T>
Fault check_axpy(std::size_t first, T a, std::span<const T> x, std::span<const T> before,
                 std::span<const T> after, blas1::Mode mode) {
  return judge_elements("element", first, after, [&](std::size_t i) {
    const T each = a * x[i] + before[i];
    if (mode == blas1::Mode::reproducible || is_same(after[i], each)) return each;
    return std::fma(a, x[i], before[i]);
  });
}

template <class T>
Fault check_scale(std::size_t first, T a, std::span<const T> before, std::span<const T> after) {
  return judge_elements("element", first, after, [&](std::size_t i) { return a * before[i]; });
}

template <class T>
Fault check_copy(std::size_t first, std::span<const T> x, std::span<const T> after) {
  return judge_elements("element", first, after, [&](std::size_t i) { return x[i]; });
}

#define KINJO_CHECKS_OF(T)                                                            \
  template double sum_error_factor<T>(std::size_t, blas1::Mode);                      \
  template Fault check_sum(std::span<const T>, T, blas1::Mode);                       \
  template Fault check_sum_of_squares(std::span<const T>, T, blas1::Mode);            \
  template Fault check_asum(std::span<const T>, T, blas1::Mode);                      \
  template Fault check_norm2(std::span<const T>, T, blas1::Mode);                     \
  template Fault check_dot(std::span<const T>, std::span<const T>, T, blas1::Mode);   \
  template Fault check_max_abs_index(std::span<const T>, std::size_t);                \
  template Fault check_axpy(std::size_t, T, std::span<const T>, std::span<const T>,   \
                            std::span<const T>, blas1::Mode);                         \
  template Fault check_scale(std::size_t, T, std::span<const T>, std::span<const T>); \
  template Fault check_copy(std::size_t, std::span<const T>, std::span<const T>);
KINJO_CHECKS_OF(float)
KINJO_CHECKS_OF(double)
#undef KINJO_CHECKS_OF

}  // namespace kinjo::detail
