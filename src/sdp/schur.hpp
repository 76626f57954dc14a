/// The Schur complement's matrix B and the systems solved with it.
///
/// *Dense*: B_ij, i ≤ j, lies at row i, column j of an m × m array, whose rows of tiles are dealt
/// to the team's threads. Once B is there it is mirrored to the lower triangle, which its factor
/// takes, and B remains for iterative refinement. *Sparse*: by rows of the upper triangle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <kinjo/partitioned_array.hpp>

#include "sdp/crew.hpp"
#include "sdp/dense.hpp"
#include "sdp/model.hpp"
#include "sdp/sparse_factor.hpp"
#include "sdp/vectors.hpp"

namespace kinjo::sdp::detail {

class Schur {
 public:
  /// Finds out which entries there are, and whether that is few.
  explicit Schur(const Model& model);
  /// Bytes that `allocate` takes, and what must be done before anything is put in.
  std::uint64_t bytes() const;
  void allocate(Team& team);

  std::size_t order() const { return order_; }
  bool sparse() const { return sparse_.has_value(); }
  std::uint64_t entries() const { return entries_; }
  std::uint64_t factor_entries() const;

  /// B ← 0.
  void clear(const Crew& crew);
  /// B_ij of a dense matrix, in either order of i and j.
  double& at(Index i, Index j) { return dense_[i <= j ? i * order_ + j : j * order_ + i]; }
  /// The thread in whose memory a dense matrix has row i.
  std::size_t owner(Index i) const { return i / kTile % threads_; }
  /// Entries (i, j), j ≥ i, by j, which must not decrease.
  class Line {
   public:
    Line(double* values, const Index* columns, const Index* end)
        : values_(values), columns_(columns), next_(columns), end_(end) {}
    double& at(Index other) {
      if (columns_ == nullptr) return values_[other];
      next_ = std::lower_bound(next_, end_, other);
      return values_[next_ - columns_];
    }

   private:
    double* values_;
    const Index *columns_, *next_, *end_;
  };
  Line line(Index i);
  /// Where an entry lies in `values()`.
  std::size_t place(Index i, Index j) const;
  double* values() { return sparse_ ? sparse_values_.data() : dense_; }
  std::size_t size() const { return sparse_ ? sparse_values_.size() : order_ * order_; }

  /// Factorises B; where it is not definite, with as little added to its diagonal as makes it so.
  /// False if nothing does.
  bool factorise(const Crew& crew);
  /// What was added to the diagonal, relative to it.
  double shift() const { return shift_; }

  /// x ← B⁻¹ x with refinement, as long as it helps. Returns ‖rhs − B x‖/‖rhs‖.
  double solve(std::vector<double>& x);
  /// The same without.
  void solve_once(std::vector<double>& x) const;
  /// The factor of a dense one in half its memory, for `solve_packed`.
  std::vector<double> packed_factor() const;

 private:
  void find_pattern(const Model& model);
  void forget_pattern();
  bool try_factorise(const Crew& crew, double shift);
  void keep_dense(const Crew& crew);
  double least_pivot() const;
  void apply(const std::vector<double>& x, std::vector<double>& y) const;

  std::size_t order_;
  std::size_t threads_ = 1;
  std::uint64_t entries_ = 0;
  double shift_ = 0;
  /// Constraints that others imply were looked for, in the first B. Where there are some, what is
  /// always added.
  bool is_looked_at_ = false;
  double least_shift_ = 0;
  std::vector<double> diagonal_;  ///< B's own
  std::optional<PartitionedArray<double>> array_;
  double* dense_ = nullptr;
  std::vector<std::size_t> begins_;  ///< sparse: of rows
  std::vector<Index> columns_;
  std::vector<double> sparse_values_;
  std::optional<SparseFactor> sparse_;
};

/// x ← A⁻¹ x by `solve_once(x)`, refined as long as that helps with `apply(x, y)`: y ← A x.
/// Returns ‖rhs − A x‖/‖rhs‖.
template <class SolveOnce, class Apply>
double solve_refined(std::vector<double>& x, SolveOnce&& solve_once, Apply&& apply) {
  constexpr int kRefinements = 5;
  constexpr double kEnough = 1e-13;
  const std::vector<double> rhs = x;
  const double size = norm(rhs);
  if (size == 0) return 0;
  solve_once(x);
  std::vector<double> rest(x.size()), step, better;
  double error = 1e300;
  for (int round = 0;; ++round) {
    apply(x, rest);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = rhs[i] - rest[i];
    const double now = norm(rest) / size;
    if (!(now < 0.5 * error)) {
      if (now < error) return now;
      if (round == 0) return now;  // not finite, and for the caller to see
      x = better;
      return error;
    }
    error = now;
    if (error < kEnough || round == kRefinements) return error;
    better = x;
    step = rest;
    solve_once(step);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += step[i];
  }
}

}  // namespace kinjo::sdp::detail
