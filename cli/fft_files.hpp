/// `kinjo fft IN.npy -o OUT.npy`: transforms of arrays in files.
#pragma once

#include <cstddef>
#include <string>

#include "two_ways.hpp"

namespace kinjo::cli {

struct FftFilesOptions : FilesOptions {
  std::string input;
  bool inverse = false, real = false;
  std::string axes;  ///< numbers with commas between them; empty: all
  std::string norm = "backward";
  std::size_t length = 0;
  std::string wisdom;  ///< plans that were found by measuring; empty: none

  /// Those options that transforms in memory do not have.
  void add_to(CLI::App& command);
};

/// Transforms and returns the exit status.
int run_fft_files(const FftFilesOptions& options);

}  // namespace kinjo::cli
