/// What `--help` prints, in lines for a terminal of 80 columns.
#pragma once

#include <memory>

#include <CLI/CLI.hpp>

namespace kinjo::cli {

/// Shows options as manual pages do: the value's name and default, without what CLI11 tells of its
/// checks and of the other options that it excludes.
std::shared_ptr<CLI::Formatter> help_text();

}  // namespace kinjo::cli
