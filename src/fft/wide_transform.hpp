/// A transform in long double, for tables.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace kinjo::fft::detail {

using Wide = std::complex<long double>;

/// y_k = Σ_j x_j exp(−2πi·jk/m) of an even sequence, x_(m−j) = x_j, whose spectrum is even too: of
/// both there are the numbers 0 to ⌊m/2⌋, in place. m > 0, without large prime factors.
void transform_even(std::vector<Wide>& half, std::size_t m);

/// Bytes that this takes besides: half as much again as the sequence twice, if 4 divides m.
std::size_t transform_even_bytes(std::size_t m);

}  // namespace kinjo::fft::detail
