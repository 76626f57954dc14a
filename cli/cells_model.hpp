/// What programs of cells would take on machines that are not at hand.
#pragma once

#include <CLI/CLI.hpp>

namespace kinjo::cli {

/// `kinjo cells model`.
void add_cells_model(CLI::App& cells, int& status);

}  // namespace kinjo::cli
