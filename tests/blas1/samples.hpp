/// Numbers to add up.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "blas1/check.hpp"
#include "blas1/kernels.hpp"

namespace kinjo::test {

/// Numbers of both signs and many magnitudes, with all bits of the mantissa in use.
template <class T>
T number(std::size_t i) {
  const double angle = static_cast<double>(i) + 1;
  return static_cast<T>(std::sin(angle) * std::exp2(std::floor(8 * std::cos(3 * angle))));
}

template <class T>
std::vector<T> numbers(std::size_t n, std::size_t first = 0) {
  std::vector<T> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = number<T>(first + i);
  return all;
}

/// a·x + y, product and sum rounded each.
template <class T>
T rounded_twice(T a, T x, T y) {
  const volatile T product = a * x;  // forbids the compiler to fuse
  return y + product;
}

/// What a fast axpy of contiguous vectors writes at the level in use.
template <class T>
T fast_axpy(T a, T x, T y) {
  return detail::fuses_axpy() ? std::fma(a, x, y) : rounded_twice(a, x, y);
}

using detail::CompensatedSum;
using detail::kRoundoff;

template <class T>
auto bits_of(T value) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<std::uint64_t>(value);
  } else {
    return std::bit_cast<std::uint32_t>(value);
  }
}

}  // namespace kinjo::test
