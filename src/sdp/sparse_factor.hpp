/// The Cholesky factor of a sparse symmetric matrix, P A Pᵀ = L Lᵀ, with P of minimum degree
/// (Eigen's SimplicialLLT and AMD).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sdp/crew.hpp"
#include "sdp/kernels.hpp"

namespace kinjo::sdp::detail {

class SparseFactor {
 public:
  /// Orders and counts. `pattern` holds the upper triangle's positions, each once; the diagonal is
  /// added where it is not among them.
  SparseFactor(std::size_t order, std::span<const Position> pattern);
  ~SparseFactor();
  SparseFactor(SparseFactor&&) noexcept;
  SparseFactor& operator=(SparseFactor&&) noexcept;

  /// Entries of L.
  std::uint64_t entries() const;
  /// Multiplications and additions that a factorisation takes.
  double operations() const;

  /// Factorises the matrix whose entries at the positions of the pattern are `values`, with
  /// `diagonal` added on the diagonal (or nothing, if it is empty). False if it is not definite.
  bool factorise(std::span<const double> values, std::span<const double> diagonal = {});

  /// The least of the pivots L_ii², as a part of its entry of the matrix's `diagonal`.
  double least_pivot(std::span<const double> diagonal) const;

  /// x ← A⁻¹ x.
  void solve(double* x) const;
  /// y ← L⁻¹ P x and y ← Pᵀ L⁻ᵀ x; x and y must not be the same.
  void forward(const double* x, double* y) const;
  void backward(const double* x, double* y) const;
  /// B ← A⁻¹ B for a matrix of `columns` columns of `ld` elements each, over a crew.
  void solve(const Crew& crew, double* b, std::size_t columns, std::size_t ld) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinjo::sdp::detail
