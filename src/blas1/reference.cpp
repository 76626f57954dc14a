/// The level `scalar`: what each kernel computes, in the plainest way. Compiled without automatic
/// vectorisation, so that it is what it says.
#include <algorithm>
#include <cmath>

#include "blas1/kernels.hpp"

namespace kinjo::detail {

namespace {

template <class T>
T sum(const T* x, std::size_t n) {
  T s = 0;
  for (std::size_t i = 0; i < n; ++i) s += x[i];
  return s;
}

template <class T>
T sum_of_squares(const T* x, std::size_t n) {
  T s = 0;
  for (std::size_t i = 0; i < n; ++i) s += x[i] * x[i];
  return s;
}

template <class T>
T asum(const T* x, std::size_t n) {
  T s = 0;
  for (std::size_t i = 0; i < n; ++i) s += std::abs(x[i]);
  return s;
}

template <class T>
T dot(const T* x, const T* y, std::size_t n) {
  T s = 0;
  for (std::size_t i = 0; i < n; ++i) s += x[i] * y[i];
  return s;
}

/// One block of `n` ≤ kBlock terms: virtual lane l adds the terms l, l + L, l + 2L, … in this
/// order; then each lane of the lower half adds its counterpart of the upper half, until one is
/// left. Lanes begin at +0, so that no lane is ever −0 and missing terms change nothing.
template <class T, class Term>
T sum_one_block(std::size_t n, Term term) {
  constexpr std::size_t kLanes = kVirtualLanes<T>;
  T lanes[kLanes] = {};
  for (std::size_t i = 0; i < n; ++i) lanes[i % kLanes] += term(i);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  }
  return lanes[0];
}

template <class T, class Term>
void sum_blocks(std::size_t n, T* sums, Term term) {
  for (std::size_t begin = 0; begin < n; begin += kBlock<T>) {
    *sums++ = sum_one_block<T>(std::min(n - begin, kBlock<T>),
                               [&](std::size_t i) { return term(begin + i); });
  }
}

template <class T>
void block_sum(const T* x, std::size_t n, T* sums) {
  sum_blocks(n, sums, [=](std::size_t i) { return x[i]; });
}
template <class T>
void block_sum_of_squares(const T* x, std::size_t n, T* sums) {
  sum_blocks(n, sums, [=](std::size_t i) { return x[i] * x[i]; });
}
template <class T>
void block_asum(const T* x, std::size_t n, T* sums) {
  sum_blocks(n, sums, [=](std::size_t i) { return std::abs(x[i]); });
}
template <class T>
void block_dot(const T* x, const T* y, std::size_t n, T* sums) {
  sum_blocks(n, sums, [=](std::size_t i) { return x[i] * y[i]; });
}

template <class T>
void axpy(T a, const T* x, T* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

template <class T>
void scale(T a, T* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] *= a;
}

template <class T>
void copy(const T* x, T* y, std::size_t n, Write) {
  std::copy_n(x, n, y);
}

template <class T>
std::size_t max_abs_index(const T* x, std::size_t n) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(x[i])) return i;
    if (std::abs(x[i]) > std::abs(x[best])) best = i;
  }
  return best;
}

template <class T>
constexpr Blas1Kernels<T> kKernels = {
    sum<T>,          sum_of_squares<T>, asum<T>, dot<T>,  block_sum<T>, block_sum_of_squares<T>,
    block_asum<T>,   block_dot<T>,      axpy<T>, axpy<T>, scale<T>,     copy<T>,
    max_abs_index<T>};

}  // namespace

const Blas1Kernels<float> kReferenceFloat = kKernels<float>;
const Blas1Kernels<double> kReferenceDouble = kKernels<double>;

}  // namespace kinjo::detail
