/// Manual pages, written from the tables of options.
#pragma once

#include <string>
#include <vector>

#include "option_table.hpp"

namespace kinjo::cli {

/// The page of a command of the table in man(7), which groff and mandoc both read. It has no date,
/// so that two builds of one source are alike.
std::string man_page(const std::vector<CommandRow>& table, const CommandRow& command);

}  // namespace kinjo::cli
