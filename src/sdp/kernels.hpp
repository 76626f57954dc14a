/// Vector kernels of the solver. What belongs to eight constraints, or sixteen right-hand sides,
/// lies side by side, so that an index is read once for all of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinjo::sdp::detail {

/// Constraints whose columns of the Schur complement are computed together.
inline constexpr std::size_t kLanes = 8;
/// Right-hand sides that a sparse factor solves together.
inline constexpr std::size_t kSides = 16;

/// A place (s, t), s ≤ t, of a symmetric matrix that some constraint reads.
struct Position {
  std::uint32_t row = 0, column = 0;
};

/// A sparse lower triangular factor by columns; the diagonal comes first in each.
struct FactorView {
  std::size_t order = 0;
  const int* begins = nullptr;
  const int* rows = nullptr;
  const double* values = nullptr;
};

/// One level of vector instructions.
struct KernelSet {
  /// sums[k] += Σ_q (x[s][q] v[t][q] + x[t][q] v[s][q]) for position k = (s, t), on the diagonal
  /// once: F2 for `kLanes` constraints. x and v are n × rank × kLanes, sums count × kLanes.
  void (*combine)(const double* x, const double* v, std::size_t rank, const Position* positions,
                  std::size_t count, double* sums);
  /// to[i · stride + lane] ← from[lane][i], 0 where from[lane] is null; i = 0 … n − 1.
  void (*interleave)(const double* const* from, std::size_t n, double* to, std::size_t stride);
  /// to[i] += factor · from[i]
  void (*add_scaled)(double factor, const double* from, std::size_t n, double* to);
  /// sums[k] ← u[s][t] + u[t][s], on the diagonal u[s][s]; u is n × n × kLanes.
  void (*symmetrise)(const double* u, std::size_t n, const Position* positions, std::size_t count,
                     double* sums);
  /// out[j] ← Σ_e values[e] sums[places[e] − shift] over begins[j] ≤ e < begins[j + 1], for
  /// `kLanes` columns.
  void (*dots)(const std::size_t* begins, std::size_t count, const std::uint32_t* places,
               const double* values, const double* sums, std::size_t shift, double* out);
  /// B ← L⁻¹ B and B ← L⁻ᵀ B for B of order × kSides.
  void (*forward)(const FactorView& factor, double* b);
  void (*backward)(const FactorView& factor, double* b);
};

/// The set for the level in use. Throws as `simd_level` does.
const KernelSet& kernels();

/// One number at a time.
extern const KernelSet kReferenceKernels;

}  // namespace kinjo::sdp::detail
