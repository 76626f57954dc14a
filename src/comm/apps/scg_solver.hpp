/// Scaled conjugate gradients on one cell's rows.
#pragma once

#include <span>
#include <vector>

#include "comm/apps/blocks.hpp"
#include "comm/apps/collect.hpp"
#include "comm/apps/row_sums.hpp"
#include "comm/apps/scg_halo.hpp"

namespace kinjo::comm::detail {

class ScgSolver {
 public:
  /// Allocates this cell's rows. Collective.
  ScgSolver(World& world, const ScgOptions& options);

  /// From u = 0 to the tolerance in a form; `times` grows by what this cell did. Collective.
  void solve(Form form, ScgTimes& times);
  /// As many iterations on this cell's rows alone. Not collective.
  void iterate_alone(std::size_t iterations);

  std::size_t iterations() const { return iterations_; }
  double residual() const { return residual_; }
  /// The whole solution at cell 0; empty elsewhere. Collective.
  std::vector<double> solution();

 private:
  double* row(double* of, std::size_t i) const { return of + i * n_; }
  void start();
  /// q ← A'p, of the rows that need the halo or of the others; leaves the rows' sums p·q.
  enum class Part { inner, borders };
  void apply(Halo::Rows halo, Part part);
  void step(double alpha);
  void turn(double beta);

  World& world_;
  std::size_t n_;
  double tolerance_;
  std::size_t max_iterations_;
  Block mine_;
  Offset x_at_, p_at_;
  double *x_, *r_, *p_, *q_;  ///< this cell's rows
  Halo halo_;
  RowSums sums_;
  std::size_t iterations_ = 0;
  double residual_ = 0, start_ = 0;
};

}  // namespace kinjo::comm::detail
