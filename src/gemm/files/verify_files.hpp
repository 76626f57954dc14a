/// Whether C = α·op(A)·op(B), by Freivalds' test on all of C and by single elements.
///
/// For a random x, y = Bx, z = Ay and w = Cx take three passes over the files. A product is within
/// its bound (kinjo/gemm.hpp) only if for each row i
///
///     |w_i − αz_i| ≤ ((k + 2)·u + (2k + n + 8)·v) · |α| · (|A|(|B||x|))_i
///
/// with u the rounding of the type and v = 2⁻⁵³ that of the test itself. x has random signs and
/// magnitudes in [1/2, 1): errors beyond the bound that cancel in a row would have to meet by
/// chance (R. Freivalds, Probabilistic machines can use less running time, 1977). Rows whose bound
/// is not finite cannot be tested so, nor those that may have overflowed.
///
/// Elements at up to 8 × 8 places of C are computed again in twice the precision of double (Ogita,
/// Rump, Oishi, Accurate sum and dot product, 2005): |C − exact| ≤ (k + 2)·u·|α|(|A||B|), and where
/// that or C is not finite, C is NaN, +∞ or −∞ as the terms can give it (gemm/outcome.hpp). With
/// α = 0, A and B are not read.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "gemm/files/stored_matrix.hpp"

namespace kinjo::gemm {

struct Verification {
  std::size_t rows = 0, rows_tested = 0, elements = 0;
  double worst_row = 0;  ///< the largest difference, as a share of its bound
  double worst_element = 0;
  std::string fault;  ///< the first difference beyond its bound; empty: there is none
};

/// Reads all three once, `memory_bytes` (at least a line of each) at a time. Throws what reading
/// throws.
Verification verify_files(double alpha, const StoredMatrix& a, const StoredMatrix& b,
                          const StoredMatrix& c, std::size_t memory_bytes);

}  // namespace kinjo::gemm
