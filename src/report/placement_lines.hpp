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
};

/// What it is for (`kinjo run`, `OMP_PLACES`, `numactl`, `taskset`, `srun`) and the line to paste
/// into a shell. `OMP_PLACES` pins thread by thread, as `kinjo run` does; the others hold the
/// process to all places together. Only numactl and kinjo ask for memory. A mapping that does not
/// bind gives the number of threads alone.
std::vector<std::pair<std::string, std::string>> placement_lines(
    const PlacementOfCommand& placement);

/// Words as a POSIX shell reads them, quoted where they have to be.
std::string shell_text(const std::vector<std::string>& words);

}  // namespace kinjo
