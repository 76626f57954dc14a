/// Whether C = α·op(A)·op(B), by Freivalds' test on all of C and by single elements.
///
/// For a random x, y = Bx, z = Ay and w = Cx take three passes over the files. A product is within
/// its bound (kinjo/gemm.hpp) only if for each row i
///
///     |w_i − αz_i| ≤ ((k + 2)·u + (2n + k + 8)·v) · |α| · (|A|(|B||x|))_i + t · n
///
/// with α rounded to the type, u the rounding of the type, v = 2⁻⁵³ that of the test itself, and t
/// what underflow takes (gemm/error_bound.hpp). x has random signs and magnitudes in [1/2, 1):
/// errors beyond the bound that cancel in a row would have to meet by chance (R. Freivalds,
/// Probabilistic machines can use less running time, 1977).
///
/// That is up to n times the bound of an element. But right rows take 10⁻⁵ of it or less, and an
/// element that is off by more makes its row the worst: in the two rows that take most of their
/// bounds all elements are computed again by another pass over B, each within
/// ((k + 2)·u + (k + 4)·v) · |α|(|A||B|) + t. docs/gemm.md says which errors are always found.
///
/// A row of A, or a column of B, that holds NaN makes all its elements of C NaN, and one that holds
/// an infinity makes none of them finite. Each element is held to that. In the test x_j = 0 for
/// such columns; they are found by another pass over B, or two, where y is not finite. Rows of A
/// that hold infinities are not tested, nor those whose sums may have exceeded the type.
///
/// Elements at up to 16 × 16 random places of C, its corners and columns that are not finite among
/// them, are computed again
/// in twice the precision of double (gemm/files/verify_element.hpp): |C − exact| ≤
/// (k + 2)·u·|α|(|A||B|) + t, and where that or C is not finite, C is NaN, +∞ or −∞ as the terms
/// can give it (gemm/outcome.hpp). With α = 0, A and B are not read.
///
/// *Memory.* Vectors that would be too long are computed in bands: y of elements of the inner
/// dimension, z and w of rows. B is read once for each band of rows if there are bands of y.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "gemm/files/stored_matrix.hpp"

namespace kinjo::gemm {

struct Verification {
  /// Tested are those whose every element is known to be right or wrong: not those with infinities
  /// of the factors, in which each element is only held to be not finite.
  std::size_t rows = 0, rows_tested = 0, columns = 0, columns_tested = 0;
  std::size_t elements = 0;  ///< that were computed again
  double worst_row = 0;      ///< the largest difference, as a share of its bound
  double worst_element = 0;
  std::string fault;  ///< the first difference beyond its bound; empty: there is none
  bool interrupted = false;

  /// Whether there was anything to test, or something was tested.
  bool is_tested() const {
    return rows == 0 || columns == 0 || (rows_tested > 0 && columns_tested > 0);
  }
};

/// The least that `verify_files` takes.
inline constexpr std::size_t kLeastVerifyBytes = std::size_t{512} << 10;

/// Reads A and C once, and B twice or more often, within `memory_bytes`, at least
/// `kLeastVerifyBytes`. `progress(bytes, of how many)` after each part returns whether to go on.
/// Throws what reading throws.
Verification verify_files(
    double alpha, const StoredMatrix& a, const StoredMatrix& b, const StoredMatrix& c,
    std::size_t memory_bytes,
    const std::function<bool(std::uint64_t, std::uint64_t)>& progress =
        [](std::uint64_t, std::uint64_t) { return true; });

}  // namespace kinjo::gemm
