/// All figures of a machine profile, one after another.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "measure/profile.hpp"

namespace kinjo {

/// A figure and what it is of; what does not apply is absent or empty.
struct ListedFigure {
  std::string section;   ///< `clock`, `caches`, `nodes`, `loaded` or `scaling`
  std::string quantity;  ///< e.g. `latency`, `read`, `first_touch`
  std::string threads;   ///< `one`, `all`, or their number
  std::string policy;
  std::optional<int> cpu_node;
  std::optional<int> memory_node;
  std::optional<int> level;
  std::optional<double> delay_cycles;
  const Figure* figure = nullptr;  ///< of the profile, which must live on
};

std::vector<ListedFigure> list_figures(const MachineProfile& profile);

}  // namespace kinjo
