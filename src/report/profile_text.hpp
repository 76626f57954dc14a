/// A machine profile on a screen, and as one flat table.
#pragma once

#include <string>

#include "measure/profile.hpp"
#include "report/table.hpp"

namespace kinjo {

/// The sections that were measured, each figure as `95.1 ±0.8 % (7)`: median, distance of the
/// further one of its 95 % bounds, number of samples. A figure with a warning has a number behind
/// it,
/// `[1]`, under which the warning stands at the end.
std::string profile_text(const MachineProfile& profile);

/// One row for each figure, with everything that is known of it.
Table profile_table(const MachineProfile& profile);

}  // namespace kinjo
