/// Scaled conjugate gradients (S4 section 4.2): rounds of a solution and of as many iterations
/// without communication, in turn; and whether the solution is right.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <kinjo/comm_apps.hpp>

#include "comm/apps/poisson.hpp"
#include "comm/apps/rounds.hpp"
#include "comm/apps/scg_solver.hpp"

namespace kinjo::comm {

namespace {

using namespace detail;

void check(World& world, const ScgOptions& options) {
  if (options.size < static_cast<std::size_t>(world.cells())) {
    throw Error(Errc::invalid_argument,
                fmt::format("{} rows for {} cells: expected a row for each at least", options.size,
                            world.cells()));
  }
  check_forms(world, options.forms);
}

ScgTimes mean(const ScgTimes& sum, std::size_t rounds) {
  const auto count = static_cast<double>(rounds);
  return {sum.compute / count, sum.halo / count, sum.wait / count, sum.reduce / count};
}

/// ‖h²f − Au‖ / ‖h²f‖ of the equations as they are without scaling, in the plainest way.
double residual_of(const std::vector<double>& u, std::size_t n) {
  const auto at = [&](std::size_t i, std::size_t j) {  // from 1; 0 and n+1 are the border
    return i == 0 || j == 0 || i > n || j > n ? 0.0 : u[(i - 1) * n + (j - 1)];
  };
  double rest = 0, whole = 0;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      const double b = 2 * poisson_right(n, i - 1, j - 1);
      const double d =
          b - (4 * at(i, j) - at(i - 1, j) - at(i + 1, j) - at(i, j - 1) - at(i, j + 1));
      rest += d * d;
      whole += b * b;
    }
  }
  return std::sqrt(rest / whole);
}

/// What is wrong with a solution, beside the serial one; empty if nothing.
std::string fault_of(const ScgOptions& options, std::size_t iterations,
                     const std::vector<double>& u) {
  const ScgSolution serial = scg_serial(options);
  if (iterations != serial.iterations) {
    return fmt::format("{} iterations: expected {}, as on one thread", iterations,
                       serial.iterations);
  }
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (u[k] != serial.u[k]) {
      return fmt::format("u[{}, {}] is {}: expected {}, as on one thread", k / options.size,
                         k % options.size, u[k], serial.u[k]);
    }
  }
  const double residual = residual_of(u, options.size);
  // The residual that is carried along and the true one drift apart by rounding.
  const double allowed = 2 * options.tolerance + 1e-12;
  if (iterations < options.max_iterations && !(residual <= allowed)) {
    return fmt::format("the residual is {:.3g}: expected at most {:.3g}", residual, allowed);
  }
  return "";
}

/// Solves once more, since what ran alone has overwritten the solution, and looks at it at cell 0.
void look_at_solution(ScgSolver& solver, const ScgOptions& options, ScgResult& result) {
  ScgTimes ignored;
  solver.solve(result.form, ignored);
  result.iterations = solver.iterations();
  result.residual = solver.residual();
  const std::vector<double> u = solver.solution();
  if (u.empty()) return;  // another cell
  result.error = scg_error(u, options.size);
  if (!options.verify) return;
  result.fault = fault_of(options, result.iterations, u);
  result.verified = result.fault.empty();
}

}  // namespace

std::vector<ScgResult> scg(World& world, const ScgOptions& options) {
  check(world, options);
  ScgSolver solver(world, options);
  std::vector<ScgTimes> times(options.forms.size());
  Rounds rounds(world, options.rounds, options.tracing);
  rounds.run(
      options.forms.size(), [&](std::size_t f) { solver.solve(options.forms[f], times[f]); },
      [&] { solver.iterate_alone(solver.iterations()); }, [&] { times.assign(times.size(), {}); });
  std::vector<ScgResult> results;
  for (std::size_t f = 0; f < options.forms.size(); ++f) {
    results.push_back(
        result_of<ScgResult>(world, rounds, options.forms, f, mean(times[f], options.rounds)));
    look_at_solution(solver, options, results.back());
  }
  return results;
}

std::size_t scg_heap_bytes(const ScgOptions& options, int cells) {
  const std::size_t n = options.size;
  const std::size_t rows = largest_block(n, cells) * n * sizeof(double) + kHeapSlack;
  const std::size_t flags = (static_cast<std::size_t>(cells) + 2) * 64;
  return 4 * rows + 7 * n * sizeof(double) + flags + 6 * kHeapSlack;
}

}  // namespace kinjo::comm
