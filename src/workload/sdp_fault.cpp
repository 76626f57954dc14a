#include <algorithm>

#include <fmt/format.h>
#include <kinjo/sdp_verify.hpp>

#include "workload/sdp.hpp"

namespace kinjo {

namespace {

/// The solver believes a certificate at an accuracy of its own, whatever that of solutions is.
constexpr double kCertificate = 1e-7;

bool is_infeasible(sdp::Status status) {
  return status == sdp::Status::primal_infeasible || status == sdp::Status::dual_infeasible;
}

}  // namespace

std::string sdp_fault(const sdp::Problem& problem, const SdpRun& run, double tolerance) {
  const sdp::Solution& solution = run.solution;
  const bool claims =
      solution.status != sdp::Status::limit && solution.status != sdp::Status::numerical_failure;
  if (claims) {
    const double tolerated =
        is_infeasible(solution.status) ? std::max(tolerance, kCertificate) : tolerance;
    return sdp::verify(problem, solution, tolerated).fault;
  }
  const std::size_t done = sdp_iterations(solution);
  return fmt::format("no solution: {} after {} iteration{}", sdp::to_string(solution.status), done,
                     done == 1 ? "" : "s");
}

}  // namespace kinjo
