/// `kinjo fft --size N`: Fourier transforms in memory, by the steps of S2's tables.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "command.hpp"
#include "configurations.hpp"

namespace kinjo::cli {

struct FftMemoryOptions {
  std::vector<std::string> sizes;
  std::string precision = "double";
  bool in_place = false, measure = false;
  std::string data = "block", deal = "block", in_cache = "automatic", overlap = "automatic";
  std::string wisdom;
  std::string pages = "transparent";
  std::size_t repeat = 7;
  bool real = false, verify = false;
  ConfigurationOptions configurations;
  OutputOption output;
  Format format = Format::text;

  /// Those options that transforms of files do not have.
  void add_to(CLI::App& command);
};

/// Measures and returns the exit status.
int run_fft_memory(const FftMemoryOptions& options);

}  // namespace kinjo::cli
