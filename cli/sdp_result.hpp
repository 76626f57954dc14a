/// What `kinjo sdp` found, as text and for programs.
#pragma once

#include <string>

#include <kinjo/topology.hpp>

#include "measure/record.hpp"
#include "workload/sdp_run.hpp"

namespace kinjo::cli {

struct SdpResult {
  SdpRun run;     ///< the last one
  Record record;  ///< what was measured
};

/// What a solution will need, in a line.
std::string sdp_plan_line(const sdp::Plan& plan);

/// The heads of `sdp_iteration_line`, with a newline.
std::string sdp_table_head();
/// A line in the manner of SDPA's, with a newline.
std::string sdp_iteration_line(const sdp::Iteration& iteration);

/// Which iterations are told of besides.
enum class Iterations { untold, told };

/// Status, objectives, relative gap, DIMACS errors, iterations and seconds, a line each, below the
/// table of iterations if that is asked for.
std::string sdp_text(const SdpResult& result, Iterations iterations);
/// A record (kinjo-record/1); iterations stand under `result.table`.
std::string sdp_json(const SdpResult& result, Iterations iterations, const Topology& machine);
/// A row of the final figures, or the iterations.
std::string sdp_csv(const SdpResult& result, Iterations iterations);

}  // namespace kinjo::cli
