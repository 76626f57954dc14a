/// A transform in long double, for tables.
#pragma once

#include <complex>
#include <vector>

namespace kinjo::fft::detail {

/// y_k = Σ_j x_j exp(−2πi·jk/n), n without large prime factors.
std::vector<std::complex<long double>> wide_transform(
    const std::vector<std::complex<long double>>& x);

}  // namespace kinjo::fft::detail
