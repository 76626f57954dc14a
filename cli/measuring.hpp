/// What commands share that measure a computation of several sizes in memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "command.hpp"
#include "configurations.hpp"

namespace kinjo::cli {

struct MeasureOptions {
  std::vector<std::string> sizes;
  std::string precision = "double";
  std::string pages = "transparent";
  std::size_t repeat = 7;
  bool verify = false;
  std::string report;
  ConfigurationOptions configurations;
  OutputOption output;
  Format format = Format::text;

  /// Adds `--size` with its help, and `precision_option`, `--pages`, `--repeat` and `--report`.
  void add_measured(CLI::App& command, const char* size_help, const char* precision_option);
  /// Throws `Error` if a file that is asked for could not be written, or two of them are one.
  void check_files() const;
};

/// Records as they are shown.
struct Shown {
  std::string text;  ///< in the format that was asked for
  /// What a record is of, for notes on what went wrong.
  std::function<std::string(const Record&)> name_of;
  const char* report_title = "";
};

/// Writes output and report, notes what went wrong, and returns the exit status.
int finish(const MeasureOptions& options, const std::vector<Record>& records,
           const std::vector<Mapping>& configurations, const Topology& machine, const Shown& shown);

/// ` of 7 rounds`, behind `medians`.
std::string rounds_text(std::size_t rounds);

}  // namespace kinjo::cli
