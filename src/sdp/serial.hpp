/// Dense linear algebra on the calling thread, by kinjo's own product and vectors. Matrices lie by
/// rows, `ld` numbers apart; a factor L lies in the lower triangle, whose rows are read, and of the
/// rest of its square nothing.
///
/// Triangles are halved until they fit the first cache, products taking most of the work; each
/// number comes from the same operations in the same order whatever else is computed beside it.
#pragma once

#include <cstddef>
#include <span>

namespace kinjo::sdp::detail {

/// A ← L in the lower triangle; the upper one is neither read nor written. False if A is not
/// positive definite.
bool factorise(std::size_t n, double* a, std::size_t ld);

/// A ← A − P Pᵀ in the lower triangle, P of n × inner.
void subtract_square(std::size_t n, std::size_t inner, const double* p, std::size_t ld_p, double* a,
                     std::size_t ld);

/// B ← L⁻¹ B and B ← L⁻ᵀ B, B of n × columns.
void solve_lower(std::size_t n, std::size_t columns, const double* l, std::size_t ld, double* b,
                 std::size_t ld_b);
void solve_lower_transposed(std::size_t n, std::size_t columns, const double* l, std::size_t ld,
                            double* b, std::size_t ld_b);

/// B ← B L⁻ᵀ, B of rows × n: each row is solved for by itself.
void solve_rows(std::size_t rows, std::size_t n, const double* l, std::size_t ld, double* b,
                std::size_t ld_b);

/// x ← L⁻¹ x and x ← L⁻ᵀ x.
void solve_lower(std::size_t n, const double* l, std::size_t ld, double* x);
void solve_lower_transposed(std::size_t n, const double* l, std::size_t ld, double* x);

/// x ← L⁻ᵀ L⁻¹ x for an L of which L_ij lies at i (i + 1)/2 + j.
void solve_packed(std::size_t n, const double* packed, double* x);

/// Eigenvalues, ascending, of a symmetric n × n matrix, which is destroyed. False if they do not
/// converge.
bool eigenvalues(std::size_t n, double* a, double* values);

/// The least eigenvalue of a symmetric tridiagonal matrix, and the last component of its unit
/// eigenvector. `off` has n − 1 elements. Of a matrix that is not finite nothing is known: the
/// value is −1e300.
struct LeastPair {
  double value = 0, last = 0;
};
LeastPair least_tridiagonal(std::span<const double> diagonal, std::span<const double> off);

}  // namespace kinjo::sdp::detail
