/// The computations that kinjo can run by name, one entry for each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/topology.hpp>

#include "workload/subject.hpp"

namespace kinjo {

/// How a computation is to be set up.
struct WorkloadOptions {
  BindLevel bind = BindLevel::cpu;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< name and value, as given
};

/// A computation that registers itself by having an entry in registry.cpp.
struct Workload {
  const char* name;
  const char* description;  ///< a few words
  const char* parameters;   ///< names that `WorkloadOptions::parameters` may hold, for messages
  /// Throws `Error` that says what is accepted.
  std::unique_ptr<Subject> (*make)(const Topology& machine, const WorkloadOptions& options);
};

std::span<const Workload> workloads();

/// Throws `Error` (`invalid_argument`) that lists them.
const Workload& find_workload(const std::string& name);

}  // namespace kinjo
