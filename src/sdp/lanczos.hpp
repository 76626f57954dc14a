/// The least eigenvalue of a symmetric operator by Lanczos' method, as far as a step's length needs
/// it (K.-C. Toh, A note on the calculation of step-lengths in interior-point methods for
/// semidefinite programming, 2002).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sdp/serial.hpp"

namespace kinjo::sdp::detail {

/// A value near λmin(A) and, but for rare cases where it is above −1/2 and does not matter, not
/// above it: within 2 %, or known to be above −1/2. `apply(v, w)`: w ← A v, for vectors of n
/// numbers that are not the same.
template <class Apply>
double least_eigenvalue(std::size_t n, Apply&& apply) {
  constexpr std::size_t kMost = 60, kBetweenLooks = 4;
  std::vector<double> v(n), before(n, 0.0), w(n), diagonal, off;
  unsigned state = 12345;  // Any start does that has a part in every direction.
  double size = 0;
  for (double& value : v) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<double>(state >> 8) / (1u << 24) - 0.5;
    size += value * value;
  }
  for (double& value : v) value /= std::sqrt(size);
  double beta = 0, bound = 0;
  for (std::size_t k = 1;; ++k) {
    apply(v.data(), w.data());
    double alpha = 0;
    for (std::size_t i = 0; i < n; ++i) alpha += v[i] * w[i];
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      w[i] -= alpha * v[i] + beta * before[i];
      square += w[i] * w[i];
    }
    diagonal.push_back(alpha);
    beta = std::sqrt(square);
    const bool last = k == std::min(n, kMost) || !(beta > 1e-12 * (std::abs(alpha) + 1e-300));
    if (last || k % kBetweenLooks == 0) {
      const LeastPair least = least_tridiagonal(diagonal, off);
      const double error = std::abs(beta * least.last);
      bound = least.value - error;
      if (last || error < 0.02 * std::abs(least.value) || bound > -0.5) return bound;
    }
    off.push_back(beta);
    std::swap(before, v);
    for (std::size_t i = 0; i < n; ++i) v[i] = w[i] / beta;
  }
}

}  // namespace kinjo::sdp::detail
