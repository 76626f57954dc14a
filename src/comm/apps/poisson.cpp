#include "comm/apps/poisson.hpp"

#include <cmath>
#include <numbers>

namespace kinjo::comm::detail {

namespace {

constexpr std::size_t kLanes = 8;

/// Eight running sums, added up as a tree; the elements behind the last eight join the first ones.
struct Lanes {
  double sum[kLanes] = {};
  double total() const {
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
  }
};

/// Calls `term(k)` for all k and adds up what it returns.
template <class Term>
double sum_of(std::size_t n, const Term& term) {
  Lanes lanes;
  std::size_t k = 0;
  for (; k + kLanes <= n; k += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes.sum[lane] += term(k + lane);
  }
  for (std::size_t lane = 0; k < n; ++k, ++lane) lanes.sum[lane] += term(k);
  return lanes.total();
}

double coordinate(std::size_t n, std::size_t index) {
  return static_cast<double>(index + 1) / static_cast<double>(n + 1);
}

}  // namespace

double poisson_exact(std::size_t n, std::size_t i, std::size_t j) {
  const double x = coordinate(n, j), y = coordinate(n, i), pi = std::numbers::pi;
  return std::exp(x) * std::sin(pi * x) * std::exp(-y / 2) * std::sin(pi * y);
}

double poisson_right(std::size_t n, std::size_t i, std::size_t j) {
  const double x = coordinate(n, j), y = coordinate(n, i), pi = std::numbers::pi;
  const double h = 1 / static_cast<double>(n + 1);
  const double g = std::exp(x) * std::sin(pi * x);
  const double g2 = std::exp(x) * ((1 - pi * pi) * std::sin(pi * x) + 2 * pi * std::cos(pi * x));
  const double w = std::exp(-y / 2) * std::sin(pi * y);
  const double w2 =
      std::exp(-y / 2) * ((0.25 - pi * pi) * std::sin(pi * y) - pi * std::cos(pi * y));
  return -(g2 * w + g * w2) * h * h / 2;
}

double row_dot(const double* x, const double* y, std::size_t n) {
  return sum_of(n, [&](std::size_t k) { return x[k] * y[k]; });
}

double row_apply(const double* __restrict p, const double* __restrict above,
                 const double* __restrict below, double* __restrict q, std::size_t n) {
  const auto inner = [&](std::size_t k) {
    return p[k] - 0.25 * ((above[k] + below[k]) + (p[k - 1] + p[k + 1]));
  };
  if (n == 1) {
    q[0] = p[0] - 0.25 * (above[0] + below[0]);
  } else {
    q[0] = p[0] - 0.25 * ((above[0] + below[0]) + p[1]);
    for (std::size_t k = 1; k + 1 < n; ++k) q[k] = inner(k);
    q[n - 1] = p[n - 1] - 0.25 * ((above[n - 1] + below[n - 1]) + p[n - 2]);
  }
  return row_dot(p, q, n);
}

double row_step(double alpha, const double* __restrict p, const double* __restrict q,
                double* __restrict x, double* __restrict r, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) x[k] += alpha * p[k];
  for (std::size_t k = 0; k < n; ++k) r[k] -= alpha * q[k];
  return row_dot(r, r, n);
}

void row_turn(double beta, const double* __restrict r, double* __restrict p, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) p[k] = r[k] + beta * p[k];
}

}  // namespace kinjo::comm::detail
