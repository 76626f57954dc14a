/// The rows of the scaled five-point equations, as every way of solving them uses them.
///
/// −Δu = f on n × n unknowns with h = 1/(n+1): 4u − (its four neighbours) = h²f. Every diagonal
/// element is 4, so scaling by it (D^(−1/2) A D^(−1/2) and D^(−1/2) b) divides by 4 and leaves u
/// twice as large: A' = I − ¼·neighbours, b' = h²f/2, u = u'/2.
///
/// Sums over a row are made of eight running ones, the same for every caller: a row's sum does not
/// depend on who owns the row.
#pragma once

#include <cstddef>
#include <span>

namespace kinjo::comm::detail {

/// The exact solution at the unknown (row i, column j), and the scaled right-hand side.
double poisson_exact(std::size_t n, std::size_t i, std::size_t j);
double poisson_right(std::size_t n, std::size_t i, std::size_t j);

/// Σ x_k y_k.
double row_dot(const double* x, const double* y, std::size_t n);

/// q ← the row of A'p whose neighbours are `above` and `below`; returns Σ p_k q_k.
double row_apply(const double* p, const double* above, const double* below, double* q,
                 std::size_t n);

/// x ← x + αp, r ← r − αq; returns Σ r_k².
double row_step(double alpha, const double* p, const double* q, double* x, double* r,
                std::size_t n);

/// p ← r + βp.
void row_turn(double beta, const double* r, double* p, std::size_t n);

/// The sum of rows, in their order.
inline double sum_rows(std::span<const double> rows) {
  double sum = 0;
  for (const double row : rows) sum += row;
  return sum;
}

}  // namespace kinjo::comm::detail
