/// Checks solutions of semidefinite programs, by code that the solver has no part in.
#pragma once

#include <array>
#include <string>

#include <kinjo/sdp.hpp>

namespace kinjo::sdp {

/// What is true of a solution.
struct Verification {
  double primal_objective = 0, dual_objective = 0;  ///< cᵀx and F_0 • Y
  /// As `Solution::dimacs_errors` says, with ‖·‖∞ the greatest absolute value of an entry. The
  /// second and fourth are bounds that are proved: λmin is not less than they say, and 0 says that
  /// the matrix is positive semidefinite.
  std::array<double, 6> dimacs_errors{};
  /// Where the status says infeasible: how far the certificate is from being exact, see `verify`.
  double certificate_error = 0;
  /// What is wrong with what the status claims, in one line; empty if it holds.
  std::string fault;
  bool passed() const { return fault.empty(); }
};

/// Computes objectives and errors of (x, X, Y) from the problem's data and compares them with what
/// the solution's status claims:
///
/// - `optimal`: all six errors are at most `tolerance` (|·| of the fifth and sixth, which may have
///   either sign), and each objective that the solution states is within `tolerance` (1 + |value|)
///   of the value that is computed.
/// - `near_optimal`: the same with 1000 `tolerance`.
/// - `primal_infeasible`: with Y scaled so that F_0 • Y = 1, `certificate_error` is the greater of
///   ρ = (Σ (F_i • Y ‖F_0‖/‖F_i‖)²)^½ and δ = −λmin(Y) ‖F_0‖ (norms of Frobenius), and at most
///   `tolerance`. For any feasible (x, X), 1 = Σ x_i F_i • Y − X • Y ≤ ρ (Σ (x_i ‖F_i‖/‖F_0‖)²)^½ +
///   δ tr X/‖F_0‖. So it is proved that there is none unless its terms are together some
///   1/`tolerance` times as large as F_0; with an error of 0, that there is none.
/// - `dual_infeasible`: with x scaled so that cᵀx = −1, `certificate_error` is
///   −λmin(Σ F_i x_i) max_i |c_i|/‖F_i‖, and at most `tolerance`. Every feasible Y has tr Y ≥
///   max_i |c_i|/‖F_i‖; it is proved that it exceeds that by a factor 1/`tolerance`.
/// - `limit`, `numerical_failure`: nothing is claimed.
///
/// Neither criterion changes when a matrix, with its c_i, is multiplied by a number, so that they
/// do not depend on units.
///
/// *What is proved.* Sums are of products in twice the precision of double (two_sum and fused
/// multiply-add), and rounded once. Errors 2 and 4: if Cholesky's method comes to its end on M + (t
/// − b) I in floating point of the unit u, with b = 2 (n + 4) u tr (|M| + t I), then M + t I is
/// positive semidefinite, whatever was rounded and in whatever order sums were taken (S. Rump,
/// Verification of positive definiteness, BIT 46, 2006, who needs half of this b; factors may come
/// of multiplying by reciprocals). Blocks of up to 400 rows are factorised with u = 2⁻¹⁰⁰, so that
/// b is nothing beside the entries; larger ones in doubles, u = 2⁻⁵³, and up to 2000 rows with
/// 2⁻¹⁰⁰ too where b would decide about the tolerance. What is reported is 0 if t = 0 succeeds,
/// else the least t that does, by bisection to 5 %, or roughly, and not below a thousandth of what
/// is tolerated, where the higher precision had to help. A factorisation that fails proves nothing:
/// an error may be too great, by some b and by these, and is never too small.
///
/// A solution of another shape than the problem's, or with a value that is not finite, has a fault,
/// and infinite errors. Throws `Error` (`invalid_argument`) for a tolerance that is not above 0.
Verification verify(const Problem& problem, const Solution& solution, double tolerance = 1e-7);

}  // namespace kinjo::sdp
