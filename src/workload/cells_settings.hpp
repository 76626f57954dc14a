/// Parameters of programs of cells by name.
#pragma once

#include <string>
#include <vector>

#include "workload/cells_run.hpp"

namespace kinjo {

/// The names that `set_cells` takes.
inline constexpr const char* kCellsParameters = "app, size, form, ahead, transport, rounds";

/// Sets a parameter as text has it. Throws `Error` (`invalid_argument`) that says what is accepted.
void set_cells(CellsSettings& settings, const std::string& name, const std::string& value);

/// A form by its name, to how many cells at a time, and sizes between commas. Throw as `set_cells`.
comm::Form parse_form(const std::string& name);
int parse_ahead(const std::string& value);
std::vector<std::size_t> parse_cells_sizes(const std::string& text);

/// What is computed where no size is given.
std::vector<std::size_t> default_cells_sizes(CellsApp app);

}  // namespace kinjo
