/// `kinjo gemm A.npy B.npy -o C.npy`: products of matrices in files.
#pragma once

#include <optional>
#include <string>

#include "two_ways.hpp"

namespace kinjo::cli {

struct GemmFilesOptions : FilesOptions {
  std::string a, b;
  std::string memory_limit;         ///< empty: what the system and the control groups leave
  std::optional<std::string> plan;  ///< none: chosen
  std::string order = "C";
  std::string io = "direct";
  double alpha = 1;
  bool transpose_a = false, transpose_b = false;
  bool no_touch = false, resume = false;

  /// Those options that products in memory do not have.
  void add_to(CLI::App& command);
};

/// Multiplies and returns the exit status.
int run_gemm_files(const GemmFilesOptions& options);

}  // namespace kinjo::cli
