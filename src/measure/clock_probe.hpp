/// The clock of a machine, and what its cores do in a cycle (S0 section 2).
#pragma once

#include <kinjo/team.hpp>
#include <kinjo/topology.hpp>

#include "measure/probe_options.hpp"
#include "measure/profile.hpp"
#include "measure/progress.hpp"
#include "simd/operation_kernels.hpp"

namespace kinjo {

/// Measures everything that `ClockProfile` holds, on the first allowed CPU where one is enough.
///
/// *Frequency*: `calibrate` (measure/calibration.hpp) on readings about the budget apart
/// altogether. The reference, CLOCK_MONOTONIC_RAW, is derived from the same crystal where the
/// kernel keeps time by this counter: the bound is one on the calibration, not on that crystal.
/// *Agreement*: `exchange_messages` (measure/agreement.hpp) between the first CPU and each other;
/// not known with one CPU or where threads cannot be pinned.
/// *Latencies*: the time of a dependent operation over that of a dependent integer addition, which
/// takes one cycle on every core that is built today, both measured in turn: so they are in the
/// core's cycles whatever its frequency is, and an integer addition's is 1 by definition. Without
/// fused multiply-add those of `fma` are left out.
/// *Peak*: fused multiply-adds of doubles in the widest vectors that the CPU has; where it cannot
/// fuse them, multiplications and additions.
///
/// The machine must be this one. Throws `Error` where threads cannot be started or pinned.
ClockProfile probe_clock(const Topology& machine, const ProbeOptions& options,
                         const ProgressSink& progress = {});

/// Seconds that `probe_clock` takes, roughly.
double clock_probe_seconds(const Topology& machine, const ProbeOptions& options);

/// How an operation is done: on an integer, a double, or a vector of doubles.
enum class OperationForm { integer, scalar, vector };

/// Cycles of thread 0's core from an operation to the next that needs its result, see above.
/// `detail::Operation::fma` needs a level that fuses, and not the form `integer`.
OperationLatency measure_operation_latency(Team& team, detail::Operation operation,
                                           OperationForm form, const ProbeOptions& options);

/// Dependent integer additions a second of thread 0 of a team, in Hz: its core's frequency.
Figure measure_core_frequency(Team& team, const ProbeOptions& options);

}  // namespace kinjo
