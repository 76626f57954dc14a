/// The ladder of S0 section 5 (blas1/ladder.hpp) as measurements: what each rung reaches, beside
/// what latency and ports predict.
#pragma once

#include <cstddef>
#include <vector>

#include <kinjo/topology.hpp>

#include "measure/progress.hpp"
#include "measure/record.hpp"

namespace kinjo {

struct LadderRequest {
  std::vector<std::size_t> sizes;  ///< elements; empty: `default_blas1_sizes`' first, for L1
  std::size_t rounds = 7;
};

/// Bytes that the vectors take. Throws `Error` (`out_of_memory`) if they do not fit.
std::size_t ladder_memory(const Topology& machine, const LadderRequest& request);

/// Runs every rung of every kernel once in each round, on the calling thread and doubles. A record
/// for each kernel, size and rung, in this order; workload `blas1-ladder`. With f the core's
/// frequency, a rung of s running sums of l doubles each is predicted
///
///     min(limit, s · l · flops · f / latency)
///
/// where latency is that of the operation that adds to a sum, in cycles, and the limit that of the
/// kernel (measure/kernel_limit.hpp). The sums that it takes to keep the ports busy are
/// latency × ports, ports being the operations that start in a cycle, found in registers.
std::vector<Record> run_blas1_ladder(const Topology& machine, const LadderRequest& request,
                                     const ProgressSink& progress);

}  // namespace kinjo
