/// The configurations of a sweep: policies × numbers of threads × memory policies, without those
/// that are the same on this machine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/topology.hpp>

#include "workload/subject.hpp"

namespace kinjo {

struct SweepSpace {
  std::vector<Policy> policies;
  /// The numbers of threads to try with a policy that may use so many CPUs.
  std::function<std::vector<std::size_t>(std::size_t cpus)> threads;
  std::vector<std::string> memory = {""};  ///< empty text: as inherited
  BindLevel bind = BindLevel::cpu;
  Oversubscribe oversubscribe = Oversubscribe::refuse;
  /// The baseline is the subject with a number of threads that it chooses itself.
  bool own_threads = false;
};

/// The baseline, unpinned with memory as inherited, comes first; then what is tried, in the order
/// of memory policies, numbers of threads and policies, `none` among them. Policies that hold every
/// thread to the same CPUs as one before them are named in its `same_as`. Throws `Error` as
/// `Mapping` does.
std::vector<Configuration> make_configurations(const Topology& machine, const SweepSpace& space);

}  // namespace kinjo
