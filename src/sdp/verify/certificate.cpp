#include "sdp/verify/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sdp/verify/definite.hpp"
#include "sdp/verify/sums.hpp"

namespace kinjo::sdp::detail {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

CertificateCheck check_primal_certificate(const Problem& problem, const BlockMatrix& Y,
                                          double tolerance) {
  const double scale = inner_product(problem, 0, Y).high;
  if (!(scale > 0)) {
    return {kInfinite, fmt::format("F_0 • Y is {:.3g}: expected above 0", scale)};
  }
  // Each divided by the norm of its own matrix first: quotients of the norms may be infinite.
  const double gain = scale / norm(problem.matrix(0));
  double rho = 0;
  for (std::size_t i = 1; i <= problem.constraints(); ++i) {
    const double size = norm(problem.matrix(i));
    // F_i = 0 has nothing to say.
    if (size > 0) rho = std::hypot(rho, inner_product(problem, i, Y).high / size / gain);
  }
  const double delta = proved_deficiency(Y, tolerance * gain) / gain;
  return {std::max(rho, delta), {}};
}

CertificateCheck check_dual_certificate(const Problem& problem, std::span<const double> x,
                                        double tolerance) {
  const double scale = -inner_product(problem.costs(), x).high;
  if (!(scale > 0)) {
    return {kInfinite, fmt::format("the objective of x is {:.3g}: expected below 0", -scale)};
  }
  double least_trace = 0;
  for (std::size_t i = 1; i <= problem.constraints(); ++i) {
    const double size = norm(problem.matrix(i));
    if (size > 0) least_trace = std::max(least_trace, std::abs(problem.costs()[i - 1]) / size);
  }
  const BlockMatrix sum =
      combination(problem, x, Constant::left_out, BlockMatrix(problem.blocks()));
  // Its entries were rounded, each by at most 2⁻⁵³ of it.
  const double deficiency =
      proved_deficiency(sum, tolerance * scale / std::max(least_trace, 1e-300)) +
      0x1p-53 * norm(sum);
  return {deficiency == 0 ? 0 : deficiency / scale * least_trace, {}};
}

}  // namespace kinjo::sdp::detail
