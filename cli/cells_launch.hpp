/// Programs that are started as cells, and what this process was started as.
#pragma once

#include <cstddef>

#include <CLI/CLI.hpp>

#include "workload/cells_run.hpp"

namespace kinjo::cli {

/// `kinjo cells launch --cells N -- CMD`.
void add_cells_launch(CLI::App& cells, int& status);

/// How many cells the launcher of this process has started, as its variables say; 1 where they do
/// not.
std::size_t launched_cells();

/// Which of so many are on this machine, as the launcher's variables say; all where they do not.
CellsHere launched_here(std::size_t cells);

}  // namespace kinjo::cli
