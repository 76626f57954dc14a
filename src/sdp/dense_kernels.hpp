/// Vector kernels of dense matrices by rows: products with vectors, and triangular factors.
#pragma once

#include <cstddef>

#include "sdp/kernels.hpp"

namespace kinjo::sdp::detail {

/// Up to this order a factor is made in one piece.
inline constexpr std::size_t kFactorBlock = 32;

/// One level of vector instructions. Rows of a matrix are `ld` numbers apart. What is found for a
/// row (of `add_rows`: for a column) is the same, bit for bit, whatever others are found with it.
struct DenseKernels {
  /// y_r += factor Σ_c a_rc x_c
  void (*multiply_rows)(std::size_t rows, std::size_t columns, double factor, const double* a,
                        std::size_t ld, const double* x, double* y);
  /// y_c += factor Σ_r a_rc x_r
  void (*add_rows)(std::size_t rows, std::size_t columns, double factor, const double* a,
                   std::size_t ld, const double* x, double* y);
  /// y ← A x for a symmetric A, of which the upper triangle is read.
  void (*multiply_symmetric)(std::size_t n, const double* a, std::size_t ld, const double* x,
                             double* y);
  /// B ← L⁻¹ B and B ← L⁻ᵀ B for B of n rows of `kSides`, `ldb` apart; L is a lower triangle.
  void (*forward)(std::size_t n, const double* l, std::size_t ld, double* b, std::size_t ldb);
  void (*backward)(std::size_t n, const double* l, std::size_t ld, double* b, std::size_t ldb);
  /// The factor of n ≤ `kFactorBlock` rows of as many numbers: U with A = UᵀU in the place of the
  /// upper triangle of A; below the diagonal there may be anything. False if A is not positive
  /// definite.
  bool (*factorise)(std::size_t n, double* a);
  /// to[i · kSides + r] ← from[r · ld + i] for r < kSides, i < n.
  void (*gather)(std::size_t n, const double* from, std::size_t ld, double* to);
  /// The other way.
  void (*scatter)(std::size_t n, const double* from, double* to, std::size_t ld);
};

/// The set for the level in use. Throws as `simd_level` does.
const DenseKernels& dense_kernels();

/// One number at a time.
extern const DenseKernels kReferenceDenseKernels;

}  // namespace kinjo::sdp::detail
