/// `kinjo fft IN.npy -o OUT.npy`: transforms of arrays in files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "command.hpp"

namespace kinjo::cli {

struct FftFilesOptions {
  std::string input, output;
  bool inverse = false, real = false, verify = false;
  std::vector<long> axes;
  std::string norm = "backward";
  std::size_t length = 0;
  Format format = Format::text;
  PlacementOptions placement;
  std::string bind = "cpu";

  /// Those options that transforms in memory do not have.
  void add_to(CLI::App& command);
};

/// Transforms and returns the exit status.
int run_fft_files(const FftFilesOptions& options);

}  // namespace kinjo::cli
