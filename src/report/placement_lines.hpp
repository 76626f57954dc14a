/// How to ask for a placement by other means than kinjo's own sweep.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/mapping.hpp>

#include "memory/memory_choice.hpp"

namespace kinjo {

/// A program's placement, to be written for others.
struct PlacementOfCommand {
  const Mapping& mapping;
  BindLevel bind = BindLevel::cpu;
  std::optional<detail::MemoryChoice> memory = {};  ///< absent: as inherited
  std::vector<std::string> command;                 ///< with its number of threads filled in
  /// The variables by which the command learns its number of threads.
  std::vector<std::string> thread_variables = {"OMP_NUM_THREADS"};
};

/// What it is for (`kinjo run`, `OMP_PLACES`, `numactl`, `taskset`, `srun`) and the line to paste
/// into a shell. `OMP_PLACES` pins thread by thread, as `kinjo run` does; the others hold the
/// process to all places together. Where memory is asked for, all but kinjo's line do so by
/// numactl. A mapping that does not bind gives the number of threads alone. Each line stands for
/// itself: it sets all thread variables.
std::vector<std::pair<std::string, std::string>> placement_lines(
    const PlacementOfCommand& placement);

/// The same for a workload, which is a command of kinjo's own and has its parameters as options,
/// under other names in some cases; what a sweep takes by itself and the command does not is added.
std::pair<std::string, std::string> workload_line(
    const std::string& workload, const Mapping& mapping, BindLevel bind,
    const std::vector<std::pair<std::string, std::string>>& parameters);

}  // namespace kinjo
