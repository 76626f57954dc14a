/// What lies between real numbers and transforms of complex ones.
///
/// A real line of even length n = 2m is transformed as m complex numbers z_j = x_2j + i·x_(2j+1):
/// with z_m = z_0 and w = exp(−2πi/n),
///
///     y_k = (z_k + conj z_(m−k))/2 − i·w^k·(z_k − conj z_(m−k))/2        k = 0 … m
///
/// and, not scaled, back: z_k = (y_k + conj y_(m−k)) + i·w^(−k)·(y_k − conj y_(m−k)). A line of odd
/// length is made complex and transformed whole (fft/lane_copy.hpp).
#pragma once

#include <memory>
#include <vector>

#include "fft/stage.hpp"

namespace kinjo::fft::detail {

/// Lines of n contiguous elements, where the loops lead to. Spectra and pairs have real parts
/// first, and imaginary ones beside them.
struct RealLines {
  std::size_t n = 1;
  std::vector<Loop> loops;
  Where source, target;
};

enum class RealStep {
  to_spectrum,    ///< transforms of m numbers become the m + 1 of the spectrum, where they are
  from_spectrum,  ///< and back
  extend,         ///< of odd n: (n + 1)/2 numbers of a spectrum to all n, where they are
};

template <class T>
std::unique_ptr<Stage<T>> real_stage(RealStep step, const RealLines& lines);

/// The roots that a stage between pairs and a spectrum keeps, of lines of an even n.
std::size_t real_roots(std::size_t n);

}  // namespace kinjo::fft::detail
