/// Sums over vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace kinjo::sdp::detail {

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double norm(const std::vector<double>& v) { return std::sqrt(dot(v, v)); }

/// max |v_i|, 0 for none.
inline double largest(const std::vector<double>& v) {
  double most = 0;
  for (const double value : v) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace kinjo::sdp::detail
