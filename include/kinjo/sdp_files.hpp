/// Problems of semidefinite programming and their solutions in files: SDPA's, CSDP's and NumPy's.
///
/// *`.dat-s`*, SDPA's sparse format (Fujisawa, Kojima, Nakata, Yamashita, SDPA user's manual,
/// section 3), apart by blanks, `{ } ( ) ,`:
///
///     "a comment                    or * a comment; such lines may stand anywhere
///     2 = mDIM                      text behind the number is passed over
///     2 = nBLOCK
///     (3, -2) = bLOCKsTRUCT         orders; one below 0 is of a diagonal block
///     {1.0, +2.0}                   c; it may take several lines, as the orders may
///     0 1 1 2 -1.0e+00              matrix, block, row, column, value: (F_0)_12 of block 1
///
/// Indices count from 1, but for the matrix, since there is F_0. Each entry has a line of its own
/// and stands for (row, column) and (column, row). Where a position is given repeatedly, in one
/// triangle or both, the values are added up; SDPA takes the last of them, and CSDP refuses the
/// file.
#pragma once

#include <functional>
#include <string>

#include <kinjo/sdp.hpp>

namespace kinjo::sdp {

/// Reads a problem in SDPA's sparse format. A block of order 1 stays what the file calls it.
/// Throws `Error`: `not_found`, `not_permitted`, `system`, and `bad_input`:
/// `cannot read 'FILE': line N: what was found: expected what`. What a header promises is believed
/// as far as the file's size can hold it.
Problem read_problem(const std::string& file);

/// Writes it in the same format, 17 digits: `read_problem` gives the same problem, bit for bit.
/// Like all that writes here: under a temporary name, renamed when all of it is on the disk. Throws
/// `Error` (`cannot write 'FILE': …`).
void write_problem(const Problem& problem, const std::string& file);

/// A solution as SDPA's `.result` has it: `phase.value`, objectives, `xVec`, `xMat` (X) and `yMat`
/// (Y), 17 digits. p.feas.error is max |Σ F_i x_i − F_0 − X|, d.feas.error max |F_i•Y − c_i|,
/// as SDPA's are. The words of `phase.value` are
///
///     optimal             pdOPT
///     near_optimal        pdFEAS
///     primal_infeasible   pINF_dFEAS     (P) has no solution
///     dual_infeasible     pFEAS_dINF     (D) has none
///     limit, numerical_failure   noINFO
///
/// Throws `Error` (`invalid_argument`) for a solution whose shape is not the problem's.
std::string result_text(const Problem& problem, const Solution& solution);
/// The same into a file, without all of the text in memory. Between pieces of it `go_on` may end it
/// by saying false. Returns whether all was written; if not, nothing is left.
bool write_result(const Problem& problem, const Solution& solution, const std::string& file,
                  const std::function<bool()>& go_on = {});

/// Writes a solution for `numpy.load`: `x`; `X_0`, `X_1` … and `Y_0` … by block, n × n, or n values
/// of a diagonal block; `primal_objective`, `dual_objective`, `dimacs_errors`; `status`, a string.
/// An uncompressed zip, in its 64-bit form where it has to be. Throws as `write_problem`.
void write_npz(const Solution& solution, const std::string& file);

/// Reads a solution of a problem, by the ending of the name:
///
/// - `.result`: SDPA's. Its phase gives the status: pdOPT optimal; pdFEAS near_optimal; pINF_dFEAS
///   and dUNBD primal_infeasible; pFEAS_dINF and pUNBD dual_infeasible; all others limit.
/// - `.npz`: of `write_npz`, or of a program that calls `numpy.savez` with float64 arrays of those
///   names; all but x, X and Y may be missing.
/// - `.sol`: CSDP's, whose y, Z and X are our x, X and Y. Values that are not there are 0.
///
/// Where no status is said it is optimal, so that `verify` asks for that; where no objectives are,
/// cᵀx and F_0 • Y. X and Y are the mean of their two triangles. `dimacs_errors` stay 0 unless the
/// file has them: `verify` finds them. Throws `Error` as `read_problem`, and `invalid_argument` for
/// another ending.
Solution read_solution(const Problem& problem, const std::string& file);

}  // namespace kinjo::sdp
