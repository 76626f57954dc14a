/// Bluestein's algorithm: a transform of any length n by a convolution of a smooth length m ≥ 2n
/// − 1.
///
///     y_k = c_k Σ_j (x_j c_j) conj(c_(k−j))        c_j = exp(−πi j²/n)
///
/// since jk = (j² + k² − (k − j)²)/2. The convolution is a product of spectra. L. I. Bluestein, A
/// linear filtering approach to the computation of discrete Fourier transform, IEEE Trans. AU-18
/// (1970).
#pragma once

#include <cstddef>
#include <vector>

namespace kinjo::fft::detail {

/// (j + 1)² mod m for 2j + 1 < m, from `square` = j² mod m: j² itself exceeds 64 bits from 2³² on.
constexpr std::size_t next_square(std::size_t square, std::size_t j, std::size_t m) {
  const std::size_t next = square + 2 * j + 1;
  return next < m ? next : next - m;
}

template <class T>
struct BluesteinTables {
  std::vector<T> chirp;   ///< c_j, j < n, real parts first
  std::vector<T> filter;  ///< the spectrum of conj(c), by m, real parts first
};

template <class T>
BluesteinTables<T> bluestein_tables(std::size_t n, std::size_t m);

}  // namespace kinjo::fft::detail
