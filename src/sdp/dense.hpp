/// Dense linear algebra over a crew, cut into tiles, each of which one thread computes
/// (sdp/serial.hpp). A factor L of order n lies in the lower triangle by rows: L_ij at l[i·ld + j].
#pragma once

#include <cstddef>

#include "sdp/crew.hpp"

namespace kinjo::sdp::detail {

/// Rows of a tile.
inline constexpr std::size_t kTile = 128;

/// A ← L in the lower triangle by rows; the upper one is neither read nor written. False if A is
/// not positive definite.
bool cholesky(const Crew& crew, std::size_t n, double* a, std::size_t ld);

/// B ← A⁻¹, all of it, from A's factor. B is n × n.
void invert(const Crew& crew, std::size_t n, const double* factor, std::size_t ld, double* b);

/// C ← α A B + β C for n × n matrices by columns.
void multiply(const Crew& crew, std::size_t n, double alpha, const double* a, const double* b,
              double beta, double* c);

/// y ← A x for a symmetric A that is there in full, without gaps.
void multiply_vector(const Crew& crew, std::size_t n, const double* a, const double* x, double* y);

/// x ← L⁻¹ x and x ← L⁻ᵀ x.
void solve_lower(const Crew& crew, std::size_t n, const double* factor, double* x);
void solve_lower_transposed(const Crew& crew, std::size_t n, const double* factor, double* x);

/// The lower triangle (by rows) ← the upper one. Row of tiles r is written by threads of the node
/// of thread r mod threads, as in `cholesky`.
void mirror(const Crew& crew, std::size_t n, double* a, std::size_t ld);

}  // namespace kinjo::sdp::detail
