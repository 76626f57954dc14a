/// How much of a count is done, by states: levels differ by orders of magnitude, so how many are
/// done says little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <kinjo/paths.hpp>

namespace kinjo {

/// About how many states there will be before each item, and after the last, from the sizes of the
/// frontier alone. For paths and cycles words of brackets and blanks, of which planar graphs have
/// no more; for trees, forests and components partitions that do not cross; else subsets.
std::vector<double> expected_states(const paths::Family& family);

/// About how many states there will be at most before each item, and after the last, from the sizes
/// of the frontier alone; infinite where that is more than a number holds. `along_rows`: of a grid
/// (`PathsInput::along_rows`), whose states are those of `expected_states` and up to a quarter
/// more. Elsewhere pairs and parts may cross, which are many times as many, mostly far more than
/// there will be.
std::vector<double> most_states(const paths::Problem& problem, const paths::Family& family,
                                bool along_rows);

/// What is left of a sweep, from what was expected and what came. Where more states come than were
/// expected, as where a graph is not planar, so many times more are expected from there on.
class PathsEstimate {
 public:
  /// States by item, all above 0.
  explicit PathsEstimate(std::vector<double> expected);

  /// An item has been reached, before which there are so many states. Items rise.
  void reach(std::size_t item, std::uint64_t states);
  /// The share that is done of all states, from 0 to 1.
  double done() const;

 private:
  std::vector<double> left_;  ///< by item: expected from there on
  std::size_t item_ = 0;
  double states_ = 1, seen_ = 0;  ///< at the item, and before it
};

}  // namespace kinjo
