/// `kinjo sdp PROBLEM --check SOLUTION`: whether somebody's solution is what it says.
#pragma once

#include <string>

#include <kinjo/sdp.hpp>

#include "command.hpp"

namespace kinjo::cli {

/// Verifies the solution in the file, prints what was found, and returns the exit status.
int check_sdp(const sdp::Problem& problem, const std::string& problem_name,
              const std::string& solution_file, double tolerance, Format format);

}  // namespace kinjo::cli
