/// Bandwidth and latency as a team of pinned threads sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <kinjo/team.hpp>

#include "measure/chase.hpp"
#include "measure/probe_options.hpp"
#include "measure/profile.hpp"
#include "simd/memory_kernels.hpp"

namespace kinjo {

enum class Traffic { read, write, copy };
const char* to_string(Traffic traffic) noexcept;

/// What one thread works on, again and again: `bytes` from each of the ranges that the traffic
/// needs (`from` for read, `to` for write, both for copy), aligned to a line.
struct TrafficPart {
  const void* from = nullptr;
  void* to = nullptr;
  std::size_t bytes = 0;
};

/// One part for each thread of a team.
struct TrafficPlan {
  Traffic traffic = Traffic::read;
  detail::Store store = detail::Store::cached;  ///< of write and copy
  std::vector<TrafficPart> parts;

  /// What all threads move in one repetition; copying counts what is read and what is written.
  std::uint64_t bytes() const;
};

/// Seconds from the first thread's start to the last one's end, all having waited for each other
/// before.
double run_traffic(Team& team, const TrafficPlan& plan, std::size_t repetitions);

/// GB/s (10⁹) of all threads together. The plan must have a part for each thread of the team.
Figure measure_bandwidth(Team& team, const TrafficPlan& plan, const ProbeOptions& options);

/// ns per load of thread 0 of the team in a cycle of `lines` lines that `link_chase` made at
/// `cycle`. A sample walks whole rounds where they are short, else on from where the last one
/// ended, so that every line has its turn.
Figure measure_latency(Team& team, void* cycle, std::size_t lines, const ProbeOptions& options);

}  // namespace kinjo
