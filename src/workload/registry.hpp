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

/// Names and values, as given, each name once.
using WorkloadParameters = std::vector<std::pair<std::string, std::string>>;

/// How a computation is to be set up.
struct WorkloadOptions {
  BindLevel bind = BindLevel::cpu;
  WorkloadParameters parameters;
};

/// A computation that registers itself by having an entry in registry.cpp.
struct Workload {
  const char* name;
  const char* description;  ///< a few words
  const char* parameters;   ///< names that `WorkloadOptions::parameters` may hold, for messages
  /// Throws `Error` that says what is accepted.
  std::unique_ptr<Subject> (*make)(const Topology& machine, const WorkloadOptions& options);
  /// The parameter that may be a list; null: none may.
  const char* list = nullptr;
  /// The parts of such a list, at least one.
  std::vector<std::string> (*parts)(const std::string& list) = nullptr;
};

/// One of the sweeps that parameters ask for.
struct WorkloadSweep {
  std::string name;  ///< `paths`, or of several `paths grid:8`
  WorkloadParameters parameters;
};

/// A sweep for each part of the list among the parameters (`graph=grid:8,grid:9`), else one.
std::vector<WorkloadSweep> sweeps_of(const Workload& workload,
                                     const WorkloadParameters& parameters);

std::span<const Workload> workloads();

/// Throws `Error` (`invalid_argument`) that lists them.
const Workload& find_workload(const std::string& name);

}  // namespace kinjo
