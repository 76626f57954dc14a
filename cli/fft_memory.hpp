/// `kinjo fft --size N`: Fourier transforms in memory, by the steps of S2's tables.
#pragma once

#include <string>
#include <vector>

#include "measuring.hpp"

namespace kinjo::cli {

struct FftMemoryOptions : MeasureOptions {
  bool real = false, in_place = false, measure = false;
  std::vector<std::string> data = {"block"};
  std::string deal = "block", in_cache = "automatic", overlap = "automatic";
  std::string wisdom;  ///< transforms of files have it too

  /// Those options that transforms of files do not have.
  void add_to(CLI::App& command);
};

/// Measures and returns the exit status.
int run_fft_memory(const FftMemoryOptions& options);

}  // namespace kinjo::cli
