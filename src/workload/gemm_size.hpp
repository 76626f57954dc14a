/// The shape of a matrix product, and whether there is room for it.
#pragma once

#include <cstddef>
#include <string>

namespace kinjo {

/// C is m × n, A is m × k, B is k × n.
struct GemmShape {
  std::size_t m = 0, n = 0, k = 0;
  bool operator==(const GemmShape&) const = default;

  bool is_square() const { return m == n && n == k; }
  double flops() const {
    return 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
};

/// `2048` where all are equal, else `100000x64x64` (m, n, k).
std::string to_string(const GemmShape& shape);

/// Reads that, each number by `detail::parse_count`. Throws `Error` (`invalid_argument`) that says
/// what is accepted.
GemmShape parse_gemm_shape(const std::string& text);

/// Bytes of the three matrices in memory, row-major and placed (`gemm::PlacedMatrix`).
double gemm_bytes(const GemmShape& shape, std::size_t element_bytes);

/// Throws `Error` (`out_of_memory`) if they do not fit in 60 % of the memory that is available.
void check_gemm_shape(const GemmShape& shape, std::size_t element_bytes);

}  // namespace kinjo
