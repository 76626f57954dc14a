/// Which family of sets of edges is meant, in words, and how it is worked on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/paths.hpp>

namespace kinjo {

enum class PathsMethod {
  automatic,    ///< `grid` or `determinant` where they can be, else `sweep`
  sweep,        ///< level by level, counting alone
  diagram,      ///< a decision diagram, which is counted then
  grid,         ///< the way for grids from corner to corner
  determinant,  ///< the way for spanning trees
};
const char* to_string(PathsMethod method) noexcept;
/// Whether edges are decided one by one, in an order.
constexpr bool has_family(PathsMethod method) {
  return method == PathsMethod::sweep || method == PathsMethod::diagram;
}

struct PathsSettings {
  std::string graph = "grid:10";  ///< a rule or a file (kinjo/network.hpp)
  std::string kind = "path";
  std::string from, to;  ///< names; empty: the first and the last vertex of a rule's graph
  std::vector<std::string> through, avoid;
  std::uint64_t components = 1;
  std::vector<unsigned> degrees;
  paths::EdgeOrder order = paths::EdgeOrder::automatic;
  paths::Parallel parallel = paths::Parallel::merge;
  PathsMethod method = PathsMethod::automatic;
  std::uint64_t memory_limit = 0;
  BindLevel bind = BindLevel::cpu;
};

/// Kinds by their names, for messages.
inline constexpr const char* kPathsKinds =
    "path, cycle, hamiltonian, forest, tree, matching, components or degrees";

/// Throws `Error` (`invalid_argument`) for an unknown kind. `hamiltonian` is a path where ends are
/// given and a cycle where they are not.
paths::Kind choose_paths_kind(const std::string& name, bool has_ends);

/// Which edges there are to be decided, and what became of the settings.
struct PathsInput {
  paths::Problem problem;
  paths::LeftOut left_out;
  /// Never `automatic`.
  PathsMethod method = PathsMethod::sweep;
  unsigned grid_rows = 0, grid_columns = 0;  ///< for `PathsMethod::grid`
  /// Edges are decided along the rows of a grid, between whose corners paths go, if these are
  /// asked for.
  bool along_rows = false;
};

/// Makes or reads the graph. Throws `Error` for what is no graph, vertices that it has not, ends
/// that nothing joins, a method that is not for this family, and a grid from corner to corner that
/// is too large for any if none is named.
PathsInput load_paths(Team& team, const PathsSettings& settings);

}  // namespace kinjo
