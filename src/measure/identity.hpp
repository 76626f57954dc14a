/// Whose figures a profile holds, and from when.
#pragma once

#include <chrono>
#include <string>

#include <kinjo/topology.hpp>

#include "measure/profile.hpp"

namespace kinjo {

/// A profile of this machine without any figures yet: host name, model, CPUs, the time now.
MachineProfile blank_profile(const Topology& machine);

/// The name of this machine, as `uname -n` says it.
std::string host_name();

/// A moment as ISO 8601 with the local offset, e.g. `2026-11-21T04:13:19+00:00`.
std::string iso_time(std::chrono::system_clock::time_point moment);

/// How a profile's machine differs from that one, as a clause; empty if it is the same. Both must
/// agree in host name, model and number of CPUs.
std::string difference(const MachineProfile& profile, const MachineProfile& here);

/// What a profile of the same machine lacks, as a clause: it was measured by a process that might
/// not use all CPUs of this one. Empty if it lacks nothing, or nobody noted its CPUs.
std::string shortfall(const MachineProfile& profile, const MachineProfile& here);

}  // namespace kinjo
