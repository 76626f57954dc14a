/// A progress bar on standard error, while that is a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "measure/progress.hpp"

namespace kinjo::cli {

/// Shows nothing unless standard error is a terminal. The bar is wiped when the object goes, and
/// where Ctrl-C or the like ends the program.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Draws the state with the time that is left, from what took what is done.
  void show(const Progress& progress);
  /// Other work begins: what was done before says nothing about it.
  void restart();
  /// Clears its line, for a note that is to be written there.
  void wipe();

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point start_;  ///< of the first step
};

/// The stages of one piece of work on a bar, a step each.
class StageBar {
 public:
  explicit StageBar(std::size_t total) : total_(total) {}
  /// What begins now.
  void begin(const std::string& now);
  /// A note, above the bar.
  void say(const std::string& text);
  void wipe() { bar_.wipe(); }

 private:
  ProgressBar bar_;
  std::size_t total_, begun_ = 0;
  std::string now_;
};

}  // namespace kinjo::cli
