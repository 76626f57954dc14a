/// `kinjo gemm --size N`: products of matrices in memory, beside the machine's peak.
#pragma once

#include <string>
#include <vector>

#include "measuring.hpp"

namespace kinjo::cli {

struct GemmMemoryOptions : MeasureOptions {
  std::vector<std::string> plans;  ///< empty: the one that is chosen

  /// Those options that products in files do not have.
  void add_to(CLI::App& command);
};

/// Measures and returns the exit status.
int run_gemm_memory(const GemmMemoryOptions& options);

}  // namespace kinjo::cli
