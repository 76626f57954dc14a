/// Who waits when: the waits of cells over time.
#pragma once

#include <string>
#include <vector>

#include <kinjo/comm.hpp>

#include "report/picture.hpp"
#include "report/svg.hpp"

namespace kinjo {

/// One run of a program of cells.
struct Timeline {
  std::string name;  ///< `put`, …
  double seconds = 0;
  std::vector<std::vector<comm::Wait>> cells;  ///< by cell, in the order of time
};

/// Lanes that are drawn of one run at most; the table holds all.
inline constexpr std::size_t kMostLanes = 64;

/// A lane for each cell, below each other for each run, all over the same axis. What is not a wait
/// is the cell's own work. `runs` must not be empty.
Svg timeline_svg(const std::string& title, const std::vector<Timeline>& runs);

/// Milliseconds that each cell waited, by what for, and their share of the run.
Table timeline_table(const std::vector<Timeline>& runs);

Picture timeline_picture(const std::string& title, const std::vector<Timeline>& runs);

}  // namespace kinjo
