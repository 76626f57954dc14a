/// Scaled conjugate gradients on one thread: with A scaled to a diagonal of one, p = r = b, and in
/// turn
///
///     α = r•r / p•Ap,  x += α p,  r −= α A p,  β = r•r / (r•r before),  p = r + β p
///
/// until ‖r‖ ≤ tolerance · ‖b‖. Inner products are summed row by row and then over the rows, as the
/// cells sum them, so that the bits are the same.
#include <algorithm>
#include <cmath>

#include <kinjo/comm_apps.hpp>

#include "comm/apps/poisson.hpp"

namespace kinjo::comm {

ScgSolution scg_serial(const ScgOptions& options) {
  using namespace detail;
  const std::size_t n = options.size;
  const std::vector<double> border(n);
  std::vector<double> x(n * n), r(n * n), q(n * n), sums(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) r[i * n + j] = poisson_right(n, i, j);
    sums[i] = row_dot(&r[i * n], &r[i * n], n);
  }
  std::vector<double> p = r;
  double rho = sum_rows(sums);
  const double start = rho;
  ScgSolution solution;
  while (solution.iterations < options.max_iterations &&
         std::sqrt(rho) > options.tolerance * std::sqrt(start)) {
    for (std::size_t i = 0; i < n; ++i) {
      const double* above = i == 0 ? border.data() : &p[(i - 1) * n];
      const double* below = i + 1 == n ? border.data() : &p[(i + 1) * n];
      sums[i] = row_apply(&p[i * n], above, below, &q[i * n], n);
    }
    const double alpha = rho / sum_rows(sums);
    for (std::size_t i = 0; i < n; ++i) {
      sums[i] = row_step(alpha, &p[i * n], &q[i * n], &x[i * n], &r[i * n], n);
    }
    const double before = rho;
    rho = sum_rows(sums);
    for (std::size_t i = 0; i < n; ++i) row_turn(rho / before, &r[i * n], &p[i * n], n);
    ++solution.iterations;
  }
  for (double& value : x) value /= 2;
  solution.residual = start == 0 ? 0 : std::sqrt(rho / start);
  solution.u = std::move(x);
  return solution;
}

double scg_error(const std::vector<double>& u, std::size_t n) {
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      worst = std::max(worst, std::abs(u[i * n + j] - detail::poisson_exact(n, i, j)));
    }
  }
  return worst;
}

}  // namespace kinjo::comm
