/// Many figures within a given time.
#pragma once

#include <cstddef>
#include <functional>

#include "measure/probe_options.hpp"
#include "measure/progress.hpp"
#include "measure/sampling.hpp"

namespace kinjo {

/// Says what trouble to take with each of a known number of figures, so that all of them together
/// take about `budget_seconds`: as much as `options` say while the time suffices; else fewer
/// samples, from what a sample has taken so far, but one of each figure in any case.
class Schedule {
 public:
  using Now = std::function<double()>;

  Schedule(std::size_t figures, double budget_seconds, const ProbeOptions& options,
           Now now = now_seconds);

  /// For the next `figures` figures, which are sampled together.
  ProbeOptions next(std::size_t figures = 1);

  /// How many have been begun before the last ones, and of how many.
  std::size_t done() const { return begun_ - latest_; }
  std::size_t total() const { return figures_; }

 private:
  std::size_t figures_;
  double budget_seconds_;
  ProbeOptions options_;
  Now now_;
  double start_;
  std::size_t begun_ = 0;
  std::size_t latest_ = 0;
  std::size_t samples_ = 0;  ///< asked for so far, each figure's uncounted one with them
};

}  // namespace kinjo
