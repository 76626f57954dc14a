/// Measuring this machine: what `kinjo measure` does, and suites before they begin.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/topology.hpp>

#include "measure/node_probe.hpp"
#include "measure/profile.hpp"

namespace kinjo::cli {

/// What is asked for.
struct ProfileRequest {
  std::vector<std::string> sections;  ///< empty: all
  std::size_t repeat = 7;
  int budget_seconds = 60;
  std::string buffer;  ///< of bytes; empty: chosen
  std::string pages = "transparent";

  bool wants(const std::string& section) const;
  /// Everything, so that what is kept of the machine is whole.
  bool whole() const;
};

/// What is to be measured, and what that will need; settled before anything is.
struct ProfilePlan {
  ProbeOptions options;
  bool clock = false;
  bool caches = false;
  std::optional<NodeProbePlan> nodes;
  double seconds = 0;

  std::uint64_t memory_bytes() const { return nodes ? nodes->buffers.total_bytes : 0; }
};

/// Throws `Error` for sections and sizes that there are not.
ProfilePlan plan_profile(const ProfileRequest& request, const Topology& machine);

/// Says how long it takes, and measures. Somebody's wish to stop ends the program.
MachineProfile measure_machine(const ProfilePlan& plan, const Topology& machine);

/// Keeps a whole profile for the commands that read it again, or notes why it cannot.
void keep_for_others(const MachineProfile& profile);

}  // namespace kinjo::cli
