/// The latency of memory that other threads are busy with.
#pragma once

#include <cstddef>
#include <span>

#include <kinjo/team.hpp>

#include "measure/probe_options.hpp"
#include "measure/profile.hpp"

namespace kinjo {

/// Thread 0 of the team walks the chase at `cycle`; each other thread reads its part of `load`, a
/// request of 1 KiB at a time, and lets `delay_cycles` of its core pass before the next. A sample
/// is at least `options.sample_seconds`, taken once all threads are on their way; its bandwidth is
/// what the loading threads read in that time.
LoadedPoint measure_loaded_latency(Team& team, void* cycle, std::span<const std::byte> load,
                                   std::size_t delay_cycles, const ProbeOptions& options);

/// Bytes of a request of a loading thread.
inline constexpr std::size_t kRequestBytes = 1024;

}  // namespace kinjo
