/// `kinjo gemm --size N`: products of matrices in memory, beside the machine's peak.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "command.hpp"
#include "configurations.hpp"

namespace kinjo::cli {

struct GemmMemoryOptions {
  std::vector<std::string> sizes;
  std::vector<std::string> plans;  ///< empty: the one that is chosen
  std::string precision = "double";
  std::string pages = "transparent";
  std::size_t repeat = 7;
  bool verify = false;
  std::string report;
  ConfigurationOptions configurations;
  OutputOption output;
  Format format = Format::text;

  /// Those options that products in files do not have.
  void add_to(CLI::App& command);
};

/// Measures and returns the exit status.
int run_gemm_memory(const GemmMemoryOptions& options);

}  // namespace kinjo::cli
