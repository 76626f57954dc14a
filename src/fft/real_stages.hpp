/// What lies between real numbers and transforms of complex ones.
///
/// A real line of even length n = 2m is transformed as m complex numbers z_j = x_2j + i·x_(2j+1):
/// with z_m = z_0 and w = exp(−2πi/n),
///
///     y_k = (z_k + conj z_(m−k))/2 − i·w^k·(z_k − conj z_(m−k))/2        k = 0 … m
///
/// and, not scaled, back: z_k = (y_k + conj y_(m−k)) + i·w^(−k)·(y_k − conj y_(m−k)). A line of odd
/// length, and one whose elements do not lie next to each other, is made complex and transformed
/// whole.
#pragma once

#include <memory>
#include <vector>

#include "fft/stage.hpp"

namespace kinjo::fft::detail {

/// How lines lie: elements so far apart, lines where the loops lead to.
struct RealLines {
  std::size_t n = 1;
  std::size_t stride_in = 1, stride_out = 1;
  std::vector<Loop> loops;
  Where source, target;
};

enum class RealStep {
  to_spectrum,    ///< transforms of m numbers become the m + 1 of the spectrum, where they are
  from_spectrum,  ///< and back, from one array to another
  widen,          ///< real numbers to complex ones; the source's imaginary parts are not read
  extend,         ///< ⌊n/2⌋ + 1 numbers of a spectrum to all n
  keep,           ///< of n numbers the first ⌊n/2⌋ + 1
  narrow,         ///< real parts, scaled; the target's imaginary parts are not written
};

template <class T>
std::unique_ptr<Stage<T>> real_stage(RealStep step, const RealLines& lines);

}  // namespace kinjo::fft::detail
