/// The page that `--report` writes.
#pragma once

#include <string>

#include "report/page.hpp"

namespace kinjo::cli {

/// This process's command line as a shell would read it.
std::string own_command_line();

/// Adds this machine's profile, if one is kept, and the date; writes the page whole or not at all,
/// and notes where it is.
void write_report(Report report, const std::string& file);

}  // namespace kinjo::cli
