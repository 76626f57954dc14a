/// BLAS-1 on contiguous memory of one thread, for each level of vector instructions.
///
/// Flops and bytes of memory for each element of `b` bytes:
///
///     sum             1 flop   b       sum_of_squares  2 flops  b       asum  1 flop  b
///     dot             2 flops  2b      axpy            2 flops  3b
///     scale           1 flop   2b      copy            0        2b      max_abs_index  0  b
///
/// *Fast* sums keep eight vectors of partial sums. *Block sums* are the reproducible ones: for each
/// block of 4096 bytes one number, defined by the scalar code in blas1/reference.cpp to the last
/// bit; blas1/tree.hpp adds them up. `axpy` is fast, `axpy_rounded` reproducible.
///
/// No alignment is needed. `y` must not overlap `x` unless it is the same.
#pragma once

#include <cstddef>

#include "simd/level.hpp"
#include "simd/operation_kernels.hpp"
#include "simd/this_cpu.hpp"

namespace kinjo::detail {

/// How `copy` writes.
enum class Write {
  cached,     ///< as usual
  streaming,  ///< past the caches, for what will not be read again soon
};

template <class T>
struct Blas1Kernels {
  T (*sum)(const T* x, std::size_t n);
  T (*sum_of_squares)(const T* x, std::size_t n);
  T (*asum)(const T* x, std::size_t n);
  T (*dot)(const T* x, const T* y, std::size_t n);

  /// sums[i] ← the sum of block i, for ⌈n / kBlock⌉ blocks.
  void (*block_sum)(const T* x, std::size_t n, T* sums);
  void (*block_sum_of_squares)(const T* x, std::size_t n, T* sums);
  void (*block_asum)(const T* x, std::size_t n, T* sums);
  void (*block_dot)(const T* x, const T* y, std::size_t n, T* sums);

  /// y ← a·x + y: rounded once if `fuses_axpy`, else product and sum each
  void (*axpy)(T a, const T* x, T* y, std::size_t n);
  /// y ← a·x + y, product and sum rounded each
  void (*axpy_rounded)(T a, const T* x, T* y, std::size_t n);
  /// x ← a·x
  void (*scale)(T a, T* x, std::size_t n);
  /// y ← x
  void (*copy)(const T* x, T* y, std::size_t n, Write write);
  /// The first index with the largest |x|, or the first NaN; n > 0.
  std::size_t (*max_abs_index)(const T* x, std::size_t n);
};

/// Elements in a block of the reproducible sums: a page of 4 KiB, so that each block of a
/// partitioned array has one owner.
template <class T>
inline constexpr std::size_t kBlock = 4096 / sizeof(T);
/// Partial sums in a block, in parallel: eight vectors of AVX-512.
template <class T>
inline constexpr std::size_t kVirtualLanes = 512 / sizeof(T);

extern const Blas1Kernels<float> kReferenceFloat;
extern const Blas1Kernels<double> kReferenceDouble;
extern const KernelTable<Blas1Kernels<float>> kBlas1Float;
extern const KernelTable<Blas1Kernels<double>> kBlas1Double;

template <class T>
inline const KernelTable<Blas1Kernels<T>>& blas1_table() {
  if constexpr (sizeof(T) == sizeof(float)) {
    return kBlas1Float;
  } else {
    return kBlas1Double;
  }
}

/// The kernels of the level in use. Throws as `simd_level` does.
template <class T>
inline const Blas1Kernels<T>& blas1_kernels() {
  return chosen(blas1_table<T>());
}

/// The first call of a kernel, which has to choose the level, stands apart: the others then save no
/// registers, which counts where elements are few.
template <class T, auto kKernel, class... Arguments>
[[gnu::noinline]] auto choose_and_call(Arguments... arguments) {
  return (blas1_kernels<T>().*kKernel)(arguments...);
}

/// Calls one kernel of the level in use, e.g. `call_kernel<T, &Blas1Kernels<T>::sum>(x, n)`.
template <class T, auto kKernel, class... Arguments>
inline auto call_kernel(Arguments... arguments) {
  const Blas1Kernels<T>* const kernels = chosen_if_known(blas1_table<T>());
  if (!kernels) [[unlikely]]
    return choose_and_call<T, kKernel>(arguments...);
  return (kernels->*kKernel)(arguments...);
}

/// Whether the fast `axpy` of the level in use is a fused multiply-add.
inline bool fuses_axpy() { return has_fma() && !kAddsApart; }

}  // namespace kinjo::detail
