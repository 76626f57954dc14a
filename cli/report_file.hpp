/// The page that `--report` writes.
#pragma once

#include <string>
#include <vector>

#include "report/page.hpp"

namespace kinjo::cli {

/// This process's command line as a shell would read it.
std::string own_command_line();

/// A command line that `own_command_line` has told, for the report of that name instead of its own.
std::string with_report(const std::string& command_line, const std::string& file);

/// Adds this machine's profile, if one is kept, and the date; writes the page whole or not at all,
/// and notes where it is.
void write_report(Report report, const std::string& file);

/// That of one workload's records, and of the mappings that bind threads.
void write_report(const std::string& title, const std::vector<Record>& records,
                  const std::vector<Mapping>& mappings, const Topology& machine,
                  const std::string& file);

}  // namespace kinjo::cli
