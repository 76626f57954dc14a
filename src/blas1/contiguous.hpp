/// BLAS-1 on contiguous vectors that are known to be apart, or the same. The fast mode is a call of
/// one kernel and nothing else, since that counts where elements are few; what takes more stands in
/// functions of its own.
#pragma once

#include <cstddef>

#include <kinjo/blas1.hpp>

#include "blas1/caches.hpp"
#include "blas1/kernels.hpp"
#include "blas1/terms.hpp"

namespace kinjo::blas1::contiguous {

template <class T>
using Kernels = kinjo::detail::Blas1Kernels<T>;

/// A reproducible sum of the terms of one vector, or of two.
template <class T, class Sum, class... Vectors>
[[gnu::noinline]] T reproducible(Sum (*kernels)(), std::size_t n, Vectors... x) {
  if constexpr (sizeof...(Vectors) == 1) {
    return kinjo::detail::reproducible_sum(kinjo::detail::OneVector<T>{kernels(), x...}, n);
  } else {
    return kinjo::detail::reproducible_sum(kinjo::detail::TwoVectors<T>{kernels(), x...}, n);
  }
}

template <class T>
T sum(std::size_t n, const T* x, Mode mode) {
  if (mode == Mode::fast) [[likely]]
    return kinjo::detail::call_kernel<T, &Kernels<T>::sum>(x, n);
  return reproducible<T>(kinjo::detail::values<T>, n, x);
}

template <class T>
T sum_of_squares(std::size_t n, const T* x, Mode mode) {
  if (mode == Mode::fast) [[likely]]
    return kinjo::detail::call_kernel<T, &Kernels<T>::sum_of_squares>(x, n);
  return reproducible<T>(kinjo::detail::squares<T>, n, x);
}

template <class T>
T asum(std::size_t n, const T* x, Mode mode) {
  if (mode == Mode::fast) [[likely]]
    return kinjo::detail::call_kernel<T, &Kernels<T>::asum>(x, n);
  return reproducible<T>(kinjo::detail::magnitudes<T>, n, x);
}

template <class T>
T dot(std::size_t n, const T* x, const T* y, Mode mode) {
  if (mode == Mode::fast) [[likely]]
    return kinjo::detail::call_kernel<T, &Kernels<T>::dot>(x, y, n);
  return reproducible<T>(kinjo::detail::products<T>, n, x, y);
}

template <class T>
void axpy(std::size_t n, T a, const T* x, T* y, Mode mode) {
  if (mode == Mode::fast) [[likely]]
    return kinjo::detail::call_kernel<T, &Kernels<T>::axpy>(a, x, y, n);
  kinjo::detail::call_kernel<T, &Kernels<T>::axpy_rounded>(a, x, y, n);
}

template <class T>
void scale(std::size_t n, T a, T* x) {
  kinjo::detail::call_kernel<T, &Kernels<T>::scale>(a, x, n);
}

/// Beyond what any machine's caches hold.
template <class T>
[[gnu::noinline]] void copy_much(std::size_t n, const T* x, T* y) {
  using kinjo::detail::Write;
  const bool fits = !kinjo::detail::exceeds_caches(2 * n * sizeof(T));
  kinjo::detail::blas1_kernels<T>().copy(x, y, n, fits ? Write::cached : Write::streaming);
}

template <class T>
void copy(std::size_t n, const T* x, T* y) {
  using kinjo::detail::Write;
  if (kinjo::detail::fits_any_cache(2 * n * sizeof(T))) [[likely]]
    return kinjo::detail::call_kernel<T, &Kernels<T>::copy>(x, y, n, Write::cached);
  copy_much(n, x, y);
}

/// n > 0
template <class T>
std::size_t max_abs_index(std::size_t n, const T* x) {
  return kinjo::detail::call_kernel<T, &Kernels<T>::max_abs_index>(x, n);
}

}  // namespace kinjo::blas1::contiguous
