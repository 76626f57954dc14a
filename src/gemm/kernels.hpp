/// The innermost parts of a matrix product, for each level of vector instructions.
///
///     C_rc ← α Σ_p X_rp Y_pc + β C_rc        r < rows, c < columns, p < inner
///
/// X is the *vector side*: r runs along C's contiguous direction, vectors hold consecutive r. Y is
/// the *broadcast side*: one element at a time is spread over a vector. For a column-major C, X is
/// A and Y is B; for a row-major one the product is transposed, so X is Bᵀ and Y is Aᵀ.
///
/// A *strip* is what one register tile covers (gemm/strips.hpp). Packed, strip after strip lies in
/// memory, and in each strip of width w element (r, p) at [p·w + r]; strips begin at first·inner.
/// The last strip of the vector side is padded with zeros to whole vectors.
#pragma once

#include <cstddef>

#include "gemm/strips.hpp"
#include "simd/level.hpp"

namespace kinjo::detail {

/// Which strips the outer one of the two register loops goes over; those stay in L1 while the
/// others pass by.
enum class Resident { columns, rows };

template <class T>
struct TileJob {
  const T* x;
  std::size_t x_step;  ///< of p; 0: packed
  const T* y;
  std::size_t y_step;                ///< of p; 0: packed
  std::size_t y_column;              ///< of c, unless packed
  std::size_t rows, columns, inner;  ///< 1 at least
  T alpha, beta;                     ///< β = 0: C is not read
  T* c;
  std::size_t ldc;
  Resident resident;
};

/// Element (i, p) lies at from[i·step + p·inner_step]; one of the steps is 1.
template <class T>
struct PackJob {
  const T* from;
  std::size_t step, inner_step;
  std::size_t size, inner;
  T* to;
};

template <class T>
struct GemmKernels {
  Strips rows;     ///< of the vector side; the unit is a vector
  Strips columns;  ///< of the broadcast side
  void (*multiply)(const TileJob<T>& job);
  void (*pack_rows)(const PackJob<T>& job);
  void (*pack_columns)(const PackJob<T>& job);
};

extern const GemmKernels<float> kGemmScalarFloat;
extern const GemmKernels<double> kGemmScalarDouble;
extern const KernelTable<GemmKernels<float>> kGemmFloat;
extern const KernelTable<GemmKernels<double>> kGemmDouble;

/// The kernels of the level in use. Throws as `simd_level` does.
template <class T>
inline const GemmKernels<T>& gemm_kernels() {
  if constexpr (sizeof(T) == sizeof(float)) {
    return chosen(kGemmFloat);
  } else {
    return chosen(kGemmDouble);
  }
}

}  // namespace kinjo::detail
