/// One count of a family, by any of the ways that there are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <kinjo/diagram.hpp>
#include <kinjo/paths.hpp>

#include "workload/paths_input.hpp"

namespace kinjo {

struct PathsRun {
  Count count;
  /// Of all levels; of a diagram its nodes, of the grid's way its numbers.
  std::uint64_t states = 0;
  std::uint64_t nodes = 0;  ///< of the reduced diagram, if there is one
  std::uint64_t peak_bytes = 0;
  double seconds = 0;
  std::optional<paths::Diagram> diagram;
  bool interrupted = false;
};

/// About how many states a count by the input's method will have, as `PathsRun::states`.
double expected_states(const PathsInput& input, const std::optional<paths::Family>& family);

/// Counts by the input's method. `family` must be that of its problem, which `PathsMethod::grid`
/// does not need. `options` are for any method. Throws `Error` (`out_of_memory`).
PathsRun run_paths(Team& team, const PathsInput& input, const std::optional<paths::Family>& family,
                   const paths::BuildOptions& options);

/// The same count by a second way: level by level, with the edges in the reverse order, so by other
/// states; of a grid from about 15 × 15 squares on by residues, with a prime more than needed; of a
/// determinant by another one. Throws `Error` (`out_of_memory`).
Count count_otherwise(Team& team, const PathsInput& input, const paths::CountOptions& options);

}  // namespace kinjo
