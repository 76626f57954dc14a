/// One solution of a semidefinite program, with the times of its phases.
#pragma once

#include <array>

#include <kinjo/sdp.hpp>

namespace kinjo {

struct SdpRun {
  sdp::Solution solution;
  double seconds = 0;
  /// By `sdp::Phase`; what comes before the first one counts for `others`.
  std::array<double, sdp::kPhases> phase_seconds{};
};

/// Solves it and takes times; `options.enter` is called besides. Throws as `sdp::solve`.
SdpRun run_sdp(Team& team, const sdp::Problem& problem, const sdp::Options& options);
/// The same of a problem that is needed no more.
SdpRun run_sdp(Team& team, sdp::Problem&& problem, const sdp::Options& options);

/// (primal − dual objective) / (1 + |primal| + |dual|), without a sign.
double relative_gap(const sdp::Solution& solution);

/// How many iterations led to it.
std::size_t sdp_iterations(const sdp::Solution& solution);

}  // namespace kinjo
