/// A progress bar on standard error, while that is a terminal.
#pragma once

#include <chrono>

#include "measure/progress.hpp"

namespace kinjo::cli {

/// Shows nothing unless standard error is a terminal. The bar is wiped when the object goes.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Draws the state with the time that is left, from the time that was taken.
  void show(const Progress& progress);
  /// Clears its line, for a note that is to be written there.
  void wipe();

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace kinjo::cli
