#include <fmt/format.h>
#include <kinjo/sdp_verify.hpp>

#include "workload/sdp.hpp"

namespace kinjo {

std::string sdp_fault(const sdp::Problem& problem, const SdpRun& run, double tolerance) {
  const sdp::Solution& solution = run.solution;
  const bool claims =
      solution.status != sdp::Status::limit && solution.status != sdp::Status::numerical_failure;
  if (claims) return sdp::verify(problem, solution, tolerance).fault;
  const std::size_t done = sdp_iterations(solution);
  return fmt::format("no solution: {} after {} iteration{}", sdp::to_string(solution.status), done,
                     done == 1 ? "" : "s");
}

}  // namespace kinjo
