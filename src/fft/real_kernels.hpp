/// The innermost loops between real numbers and transforms of complex ones, for each level of
/// vector instructions.
#pragma once

#include <cstddef>

#include "fft/column_kernels.hpp"
#include "simd/level.hpp"

namespace kinjo::fft::detail {

/// Roots exp(−2πi·k/n) for k from 0 on: low[k], or, of long lines, high[k / block] · low[k %
/// block], so that they stay in a cache.
template <class T>
struct RealRoots {
  const T* low_real;
  const T* low_imaginary;
  const T* high;  ///< complex; null where `low` has all of them, and some more for whole vectors
  std::size_t block;
};

/// The k and m − k of fft/real_stages.hpp for 0 < begin <= k < end <= m/2 + 1. Numbers are pairs,
/// real parts first.
template <class T>
struct RealPass {
  const T* source;
  T* target;         ///< may be the source
  std::size_t half;  ///< m
  std::size_t begin, end;
  RealRoots<T> roots;
};

template <class T>
struct RealKernels {
  using Pass = void (*)(const RealPass<T>& job);
  Pass to_spectrum, from_spectrum;
};

/// Numbers of `RealRoots::low` behind the last k, which vectors may read.
inline constexpr std::size_t kRootsBehind = 16;

extern const RealKernels<float> kRealScalarFloat;
extern const RealKernels<double> kRealScalarDouble;

}  // namespace kinjo::fft::detail

namespace kinjo::detail {
extern const KernelTable<fft::detail::RealKernels<float>> kRealFloat;
extern const KernelTable<fft::detail::RealKernels<double>> kRealDouble;
}  // namespace kinjo::detail

namespace kinjo::fft::detail {

template <class T>
inline const RealKernels<T>& real_kernels() {
  return chosen_for<T>(kinjo::detail::kRealFloat, kinjo::detail::kRealDouble);
}

}  // namespace kinjo::fft::detail
