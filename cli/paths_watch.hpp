/// How far a count is, on a terminal; and whether somebody asks to stop.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/paths.hpp>

#include "progress.hpp"
#include "tune/signals.hpp"
#include "workload/paths_estimate.hpp"

namespace kinjo::cli {

class PathsWatch {
 public:
  explicit PathsWatch(detail::Signals& signals) : signals_(signals) {}

  /// How many states are expected, by item, for the time that is left; none: items are alike.
  void expect(std::vector<double> states) { expected_ = std::move(states); }
  /// Shows how far the work is that begins now, and ends it when somebody asks to stop.
  paths::GoOn go_on(const std::string& what);

  void wipe() { bar_.wipe(); }
  detail::Signals& signals() { return signals_; }

 private:
  void begin(const std::string& what, bool reduces);
  void follow(const paths::Progress& progress);

  /// Most levels take less than a look at the signals does, or what a terminal shows.
  static constexpr std::chrono::milliseconds kBetween{20};

  ProgressBar bar_;
  detail::Signals& signals_;
  std::vector<double> expected_;
  std::string what_;
  bool reduces_ = false;
  std::optional<PathsEstimate> estimate_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace kinjo::cli
