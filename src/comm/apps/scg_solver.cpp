/// The iteration is `scg_serial`'s. Its inner products are sums of the rows' in the order of the
/// rows (`RowSums`), so both have the same bits.
#include "comm/apps/scg_solver.hpp"

#include <algorithm>
#include <cmath>

#include "comm/apps/phases.hpp"
#include "comm/apps/poisson.hpp"

namespace kinjo::comm::detail {

namespace {

/// Room for a cell's rows.
Offset rows_of(World& world, std::size_t n) {
  return world.allocate(largest_block(n, world.cells()) * n * sizeof(double));
}

std::size_t rows_above(World& world, std::size_t n) {
  return world.cell() == 0 ? 0 : block_of(n, world.cells(), world.cell() - 1).size();
}

}  // namespace

ScgSolver::ScgSolver(World& world, const ScgOptions& options)
    : world_(world),
      n_(options.size),
      tolerance_(options.tolerance),
      max_iterations_(options.max_iterations),
      mine_(block_of(n_, world.cells(), world.cell())),
      x_at_(rows_of(world, n_)),
      p_at_(rows_of(world, n_)),
      x_(static_cast<double*>(world.local(x_at_))),
      r_(static_cast<double*>(world.local(rows_of(world, n_)))),
      p_(static_cast<double*>(world.local(p_at_))),
      q_(static_cast<double*>(world.local(rows_of(world, n_)))),
      halo_(world, p_at_, n_, mine_.size(), rows_above(world, n_)),
      sums_(world, n_) {}

void ScgSolver::start() {
  const std::span<double> sums = sums_.mine();
  std::fill_n(x_, mine_.size() * n_, 0.0);
  for (std::size_t i = 0; i < mine_.size(); ++i) {
    double* const r = row(r_, i);
    for (std::size_t j = 0; j < n_; ++j) r[j] = poisson_right(n_, mine_.begin + i, j);
    std::copy_n(r, n_, row(p_, i));
    sums[i] = row_dot(r, r, n_);
  }
}

void ScgSolver::apply(Halo::Rows halo, Part part) {
  const std::span<double> sums = sums_.mine();
  const std::size_t count = mine_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool border = i == 0 || i + 1 == count;
    if (border != (part == Part::borders)) continue;
    const double* above = i == 0 ? halo.above : row(p_, i - 1);
    const double* below = i + 1 == count ? halo.below : row(p_, i + 1);
    sums[i] = row_apply(row(p_, i), above, below, row(q_, i), n_);
  }
}

void ScgSolver::step(double alpha) {
  const std::span<double> sums = sums_.mine();
  for (std::size_t i = 0; i < mine_.size(); ++i) {
    sums[i] = row_step(alpha, row(p_, i), row(q_, i), row(x_, i), row(r_, i), n_);
  }
}

void ScgSolver::turn(double beta) {
  for (std::size_t i = 0; i < mine_.size(); ++i) row_turn(beta, row(r_, i), row(p_, i), n_);
}

void ScgSolver::solve(Form form, ScgTimes& times) {
  start();
  Lap lap;
  double rho = sums_.total();
  lap.add_to(times.reduce);
  start_ = rho;
  for (iterations_ = 0;
       iterations_ < max_iterations_ && std::sqrt(rho) > tolerance_ * std::sqrt(start_);
       ++iterations_) {
    KINJO_CELLS_PHASE("cells halo", halo_.begin(form));
    lap.add_to(times.halo);
    KINJO_CELLS_PHASE("cells compute", apply(halo_.none(), Part::inner));  // meanwhile
    lap.add_to(times.compute);
    Halo::Rows halo{};
    KINJO_CELLS_PHASE("cells wait", halo = halo_.end());
    lap.add_to(times.wait);
    KINJO_CELLS_PHASE("cells compute", apply(halo, Part::borders));
    lap.add_to(times.compute);
    double product = 0;
    KINJO_CELLS_PHASE("cells reduce", product = sums_.total());
    lap.add_to(times.reduce);
    KINJO_CELLS_PHASE("cells compute", step(rho / product));
    lap.add_to(times.compute);
    const double before = rho;
    KINJO_CELLS_PHASE("cells reduce", rho = sums_.total());
    lap.add_to(times.reduce);
    KINJO_CELLS_PHASE("cells compute", turn(rho / before));
    lap.add_to(times.compute);
  }
  residual_ = start_ == 0 ? 0 : std::sqrt(rho / start_);
}

void ScgSolver::iterate_alone(std::size_t iterations) {
  // Its own rows' equations would converge sooner, and go on with numbers too small to be fast; so
  // the coefficients are fixed ones, with which r shrinks slowly.
  constexpr double kAlpha = 0.1, kBeta = 0.5;
  start();
  for (std::size_t i = 0; i < iterations; ++i) {
    apply(halo_.none(), Part::inner);
    apply(halo_.none(), Part::borders);
    start_ = sums_.own_total();
    step(kAlpha);
    start_ = sums_.own_total();
    turn(kBeta);
  }
}

std::vector<double> ScgSolver::solution() {
  world_.barrier();  // all rows are there
  std::vector<double> u;
  if (world_.cell() == 0) {
    u.resize(n_ * n_);
    Completion done;
    for (int c = 0; c < world_.cells(); ++c) {
      const Block rows = block_of(n_, world_.cells(), c);
      world_.get(c, &u[rows.begin * n_], x_at_, rows.size() * n_ * sizeof(double), done);
    }
    world_.wait(done);
    for (double& value : u) value /= 2;
  }
  world_.barrier();  // x stays until it has been fetched
  return u;
}

}  // namespace kinjo::comm::detail
