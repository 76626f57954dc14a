/// Semidefinite programming: a primal-dual interior-point solver for problems in SDPA's form.
///
/// *Problem*, with symmetric matrices F_0 … F_m of a common block structure and A • B = Σ A_ij
/// B_ij:
///
///     (P) minimise Σ c_i x_i   over x ∈ ℝᵐ with X = Σ F_i x_i − F_0 ⪰ 0
///     (D) maximise F_0 • Y     over Y ⪰ 0  with F_i • Y = c_i, i = 1 … m
///
/// "Primal" and "dual" mean these everywhere, as in SDPA; a solver of max C•X, A_i•X = b_i (CSDP)
/// calls our Y its X, and our (D) its primal.
///
/// *Method.* Infeasible path following by the HRVW/KSH/M direction with Mehrotra's predictor and
/// corrector (Fujisawa, Kojima, Nakata, Exploiting sparsity in primal-dual interior-point methods
/// for semidefinite programming, 1997; S1 section 4.3 for its two costly parts, ELEMENTS and
/// CHOLESKY). docs/sdp.md says what is done beyond that.
///
/// *Results* are the same, bit for bit, from run to run and for every number of threads and policy,
/// on a given kind of CPU: its vector instructions and caches decide how sums are grouped.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <kinjo/team.hpp>

namespace kinjo::sdp {

/// What a block of the matrices is.
enum class BlockKind : std::uint8_t {
  symmetric,  ///< n × n
  diagonal,   ///< n × n, zero off the diagonal: n linear inequalities
};

struct Block {
  std::uint32_t order = 0;  ///< n; 0 is allowed
  BlockKind kind = BlockKind::symmetric;
};
inline bool operator==(const Block& a, const Block& b) {
  return a.order == b.order && a.kind == b.kind;
}

/// One entry of the upper triangle of a symmetric matrix of blocks; all indices count from 0.
struct Entry {
  std::uint32_t block = 0;
  std::uint32_t row = 0, column = 0;  ///< in the block; row ≤ column
  double value = 0;
};

/// The data of a problem: c, and F_0 … F_m by their entries. A value that does not change.
class Problem {
 public:
  Problem() = default;
  /// m, the number of constraints of (D).
  std::size_t constraints() const { return costs_.size(); }
  std::span<const Block> blocks() const { return blocks_; }
  /// c
  std::span<const double> costs() const { return costs_; }
  /// F_i for i = 0 … m: its entries that are not 0, by block, column and row, each position once.
  std::span<const Entry> matrix(std::size_t i) const {
    return {entries_.data() + begins_[i], begins_[i + 1] - begins_[i]};
  }
  /// Entries of all matrices.
  std::size_t entries() const { return entries_.size(); }
  /// Rows of X and Y: the sum of the blocks' orders.
  std::uint64_t order() const;

 private:
  friend class ProblemBuilder;
  std::vector<Block> blocks_;
  std::vector<double> costs_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> begins_ = {0, 0};  ///< of F_i in `entries_`, m + 2 of them
};

/// Makes a problem, entry by entry, in any order.
class ProblemBuilder {
 public:
  /// Throws `Error` (`invalid_argument`) for no costs, or one that is not finite.
  ProblemBuilder(std::vector<Block> blocks, std::vector<double> costs);

  /// Makes room for so many calls of `add` in all, so that the memory of what was added does not
  /// double on the way.
  void reserve(std::size_t entries) { items_.reserve(entries); }

  /// Adds `value` to the entry (row, column), and so to (column, row), of a block of F_matrix.
  /// Throws `Error` (`invalid_argument`) for an index out of range, an entry off the diagonal of a
  /// diagonal block, or a value that is not finite.
  void add(std::size_t matrix, std::size_t block, std::size_t row, std::size_t column,
           double value);

  /// What was added; entries that came to 0 are left out. The builder is empty then. Throws `Error`
  /// (`invalid_argument`) for entries whose sum is not finite.
  Problem finish();

 private:
  struct Item {
    std::uint32_t matrix;
    Entry entry;
  };
  Problem problem_;
  std::vector<Item> items_;
};

/// A symmetric matrix of blocks, as X and Y are.
class BlockMatrix {
 public:
  BlockMatrix() = default;
  /// Zero, of this structure.
  explicit BlockMatrix(std::span<const Block> blocks);
  std::span<const Block> blocks() const { return blocks_; }
  /// A symmetric block's n² values in columns, both triangles; a diagonal block's n values.
  std::span<double> block(std::size_t b) {
    return {values_.data() + begins_[b], begins_[b + 1] - begins_[b]};
  }
  std::span<const double> block(std::size_t b) const {
    return {values_.data() + begins_[b], begins_[b + 1] - begins_[b]};
  }

 private:
  std::vector<Block> blocks_;
  std::vector<std::size_t> begins_ = {0};
  std::vector<double> values_;
};

/// How a solution ended.
enum class Status {
  optimal,            ///< feasible, and of a gap, within the tolerance
  near_optimal,       ///< as near as it came, within 1000 times the tolerance
  primal_infeasible,  ///< (P) has no solution: `y` is a certificate
  dual_infeasible,    ///< (D) has no solution: `x` is a certificate
  limit,              ///< iterations ran out, or somebody asked to stop
  numerical_failure,  ///< no step leads on, far from a solution
};
/// `"optimal"`, `"primal_infeasible"` …
const char* to_string(Status status) noexcept;

/// Where an iteration is; S1's ELEMENTS and CHOLESKY are the first two.
enum class Phase {
  elements,   ///< the coefficients of the Schur complement
  cholesky,   ///< its factorisation, and the solutions with it
  direction,  ///< dX and dY
  step,       ///< the lengths of steps, and the factors of X and Y
  others,     ///< all else
};
/// How many phases there are.
inline constexpr std::size_t kPhases = 5;
/// `"elements"` …
const char* to_string(Phase phase) noexcept;

/// A line of the table of iterations.
struct Iteration {
  std::size_t number = 0;
  double mu = 0;                            ///< X • Y / n
  double primal_error = 0, dual_error = 0;  ///< DIMACS errors 3 and 1: of (P), of (D)
  double primal_objective = 0, dual_objective = 0;
  double primal_step = 0, dual_step = 0;  ///< of x and X, of Y, that led here
  double beta = 0;                        ///< how much of μ was aimed at
};

/// The parameters that SDPA has too have its names.
struct Options {
  double tolerance = 1e-7;  ///< of the relative gap (epsilonStar) and both errors (epsilonDash)
  std::size_t max_iteration = 100;
  double lambda_star = 0;          ///< X and Y begin at this multiple of the identity (SDPA: 100);
                                   ///< 0: chosen, cone by cone, from the sizes of the data
  double beta_star = 0.01;         ///< least aim while both are feasible (SDPA: 0.1)
  double beta_bar = 0.01;          ///< least aim before (SDPA: 0.2)
  double gamma_star = 0.9;         ///< part of the way to the boundary that is gone
  bool extended_precision = true;  ///< go on in about 32 digits where 16 do not suffice and the
                                   ///< problem is small enough to end in a minute or two
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the system has available

  /// Called when an iteration ends; false stops the solution (`Status::limit`).
  std::function<bool(const Iteration&)> go_on = {};
  /// Called, by the calling thread, when a phase begins. Times are taken outside.
  std::function<void(Phase)> enter = {};
};

/// `"fast"`, `"default"` or `"stable"`, as SDPA's -pt 1, 0 and 2. Throws `Error`
/// (`invalid_argument`) for another name.
Options preset(const std::string& name);

/// How a problem is solved, as `plan` finds it.
struct Plan {
  std::size_t symmetric_blocks = 0, linear = 0;  ///< after splitting; entries of diagonal blocks
  std::uint64_t largest_block = 0;
  std::size_t sparse_blocks = 0;  ///< whose X is factorised as a sparse matrix
  bool sparse_schur = false;
  std::uint64_t schur_entries = 0;          ///< of its lower triangle that may not be 0
  std::uint64_t factor_entries = 0;         ///< of its factor
  std::array<std::uint64_t, 3> formulas{};  ///< columns of blocks that F1, F2 and F3 compute
  std::uint64_t bytes = 0;                  ///< of memory that the solution takes
};

/// What was found. Where the status says infeasible, the certificate is scaled:
/// primal_infeasible: F_0 • Y = 1 and F_i • Y ≈ 0; dual_infeasible: cᵀx = −1 and X = Σ F_i x_i ⪰ 0.
/// The errors are then those of the last iterate, which says nothing more.
struct Solution {
  Status status = Status::numerical_failure;
  std::vector<double> x;
  BlockMatrix X, Y;
  double primal_objective = 0, dual_objective = 0;
  /// The DIMACS errors: ‖F_i•Y − c_i‖/(1+‖c‖∞), −λmin(Y)/(1+‖c‖∞), ‖ΣF_i x_i − F_0 −
  /// X‖_F/(1+‖F_0‖∞), −λmin(X)/(1+‖F_0‖∞), (primal − dual objective)/(1+|primal|+|dual|),
  /// X•Y/(1+|primal|+|dual|).
  std::array<double, 6> dimacs_errors{};
  std::vector<Iteration> iterations;
  bool interrupted = false;         ///< `go_on` said so
  bool extended_precision = false;  ///< used in the end
  Plan plan;
};

/// What a solution will need, without solving. Throws as `solve` does.
Plan plan(Team& team, const Problem& problem, const Options& options = {});

/// Solves a problem over the team. Must not be called from inside `team.run`. Throws `Error`:
/// `invalid_argument` for options out of their range, a problem without constraints, 2³² rows or
/// more, and numbers whose products leave the range of doubles; `out_of_memory` before any work if
/// the limit is too small.
Solution solve(Team& team, const Problem& problem, const Options& options = {});
/// The same of a problem that nobody needs any more: its memory is given back once the solver has
/// it in its own form, which is half as large. `problem` is empty then, also if this throws.
Solution solve(Team& team, Problem&& problem, const Options& options = {});

}  // namespace kinjo::sdp
