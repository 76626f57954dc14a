/// The verifier: what is wrong with the shape of a solution, then how far its numbers are from what
/// its status says. It shares no sum, no factorisation and no eigenvalue with the solver.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/sdp_verify.hpp>

#include "sdp/verify/certificate.hpp"
#include "sdp/verify/definite.hpp"
#include "sdp/verify/sums.hpp"

namespace kinjo::sdp {

namespace {

using namespace detail;

/// What is no solution of the problem at all, by shape or by a value that is no number.
std::string fault_of_shape(const Problem& problem, const Solution& solution) {
  if (solution.x.size() != problem.constraints()) {
    return fmt::format("x has {} values: expected {}", solution.x.size(), problem.constraints());
  }
  if (!std::ranges::all_of(solution.x, [](double v) { return std::isfinite(v); })) {
    return "x has a value that is not finite";
  }
  for (const auto& [name, matrix] : {std::pair("X", &solution.X), std::pair("Y", &solution.Y)}) {
    if (!std::ranges::equal(matrix->blocks(), problem.blocks())) {
      return fmt::format("the blocks of {} are not the problem's", name);
    }
    for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
      if (!std::ranges::all_of(matrix->block(b), [](double v) { return std::isfinite(v); })) {
        return fmt::format("block {} of {} has a value that is not finite", b, name);
      }
    }
  }
  return {};
}

/// The other triangle, which no sum here looks at, must say the same.
std::string fault_of_symmetry(const Solution& solution) {
  for (const auto& [name, matrix] : {std::pair("X", &solution.X), std::pair("Y", &solution.Y)}) {
    for (std::size_t b = 0; b < matrix->blocks().size(); ++b) {
      if (matrix->blocks()[b].kind == BlockKind::diagonal) continue;
      const std::size_t n = matrix->blocks()[b].order;
      const auto values = matrix->block(b);
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < j; ++i) {
          if (values[i + n * j] != values[j + n * i]) {
            return fmt::format("block {} of {} is not symmetric: ({}, {}) is {}, ({}, {}) is {}", b,
                               name, i, j, values[i + n * j], j, i, values[j + n * i]);
          }
        }
      }
    }
  }
  return {};
}

double greatest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}
double greatest(std::span<const Entry> entries) {
  double most = 0;
  for (const Entry& e : entries) most = std::max(most, std::abs(e.value));
  return most;
}

/// ‖F_i • Y − c_i‖
double dual_residual(const Problem& problem, const BlockMatrix& Y) {
  double sum = 0;
  for (std::size_t i = 1; i <= problem.constraints(); ++i) {
    sum = std::hypot(sum, (inner_product(problem, i, Y) - problem.costs()[i - 1]).high);
  }
  return sum;
}

void find_errors(const Problem& problem, const Solution& solution, double tolerance,
                 Verification& found) {
  const DoubleDouble primal = inner_product(problem.costs(), solution.x),
                     dual = inner_product(problem, 0, solution.Y);
  found.primal_objective = primal.high;
  found.dual_objective = dual.high;
  const double of_c = 1 + greatest(problem.costs()), of_F0 = 1 + greatest(problem.matrix(0)),
               of_values = 1 + std::abs(primal.high) + std::abs(dual.high);
  found.dimacs_errors = {
      dual_residual(problem, solution.Y) / of_c,
      proved_deficiency(solution.Y, tolerance * of_c) / of_c,
      norm(combination(problem, solution.x, Constant::subtracted, solution.X)) / of_F0,
      proved_deficiency(solution.X, tolerance * of_F0) / of_F0,
      (primal - dual).high / of_values,
      inner_product(solution.X, solution.Y).high / of_values};
}

/// What contradicts that errors and stated objectives are within the tolerance.
std::string fault_of_values(const Solution& solution, const Verification& found, double tolerance) {
  for (std::size_t k = 0; k < found.dimacs_errors.size(); ++k) {
    if (std::abs(found.dimacs_errors[k]) <= tolerance) continue;
    return fmt::format("the status is {}, but DIMACS error {} is {:.3g}: expected at most {:.3g}",
                       to_string(solution.status), k + 1, found.dimacs_errors[k], tolerance);
  }
  struct Objective {
    const char* name;
    double stated, computed;
  };
  for (const Objective& o : {Objective{"primal", solution.primal_objective, found.primal_objective},
                             Objective{"dual", solution.dual_objective, found.dual_objective}}) {
    if (std::abs(o.stated - o.computed) <= tolerance * (1 + std::abs(o.computed))) continue;
    return fmt::format("the {} objective is said to be {:.10g}, but is {:.10g}", o.name, o.stated,
                       o.computed);
  }
  return {};
}

std::string fault_of_certificate(const Problem& problem, const Solution& solution, double tolerance,
                                 Verification& found) {
  const CertificateCheck check = solution.status == Status::primal_infeasible
                                     ? check_primal_certificate(problem, solution.Y, tolerance)
                                     : check_dual_certificate(problem, solution.x, tolerance);
  found.certificate_error = check.error;
  const std::string start = fmt::format("the status is {}, but ", to_string(solution.status));
  if (!check.fault.empty()) return start + check.fault;
  if (check.error <= tolerance) return {};
  return start + fmt::format("its certificate has the error {:.3g}: expected at most {:.3g}",
                             check.error, tolerance);
}

}  // namespace

Verification verify(const Problem& problem, const Solution& solution, double tolerance) {
  if (!(tolerance > 0)) {
    throw Error(Errc::invalid_argument,
                fmt::format("the tolerance is {}: expected a number above 0", tolerance));
  }
  Verification found;
  found.fault = fault_of_shape(problem, solution);
  if (found.fault.empty()) found.fault = fault_of_symmetry(solution);
  if (!found.passed()) {
    found.dimacs_errors.fill(std::numeric_limits<double>::infinity());
    return found;
  }
  constexpr double kNear = 1000;
  const double allowed = solution.status == Status::near_optimal ? kNear * tolerance : tolerance;
  find_errors(problem, solution, allowed, found);
  switch (solution.status) {
    case Status::optimal:
    case Status::near_optimal:
      found.fault = fault_of_values(solution, found, allowed);
      break;
    case Status::primal_infeasible:
    case Status::dual_infeasible:
      found.fault = fault_of_certificate(problem, solution, tolerance, found);
      break;
    case Status::limit:
    case Status::numerical_failure:
      break;
  }
  return found;
}

}  // namespace kinjo::sdp
