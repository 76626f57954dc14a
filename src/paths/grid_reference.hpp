/// Paths in grids the plainest way: what the fast ways are compared with.
#pragma once

#include <kinjo/count.hpp>

namespace kinjo::paths::detail {

/// As `count_grid_paths`, by a table of the words that there are, which are worked out one by one.
/// For small grids.
Count grid_paths_reference(unsigned rows, unsigned columns);

/// The same by walking all paths: for grids of very few squares.
Count grid_paths_walked(unsigned rows, unsigned columns);

}  // namespace kinjo::paths::detail
