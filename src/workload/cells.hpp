/// Programs of cells as a workload: a cell for each thread of a configuration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workload/cells_run.hpp"
#include "workload/subject.hpp"

namespace kinjo {

/// One program in one form, of one size, as something to sweep; by GFLOP/s, a ping-pong by latency.
/// Each result is verified.
class CellsSubject : public Subject {
 public:
  explicit CellsSubject(const CellsSettings& settings);
  std::string name() const override { return "cells"; }
  Values parameters() const override;
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::optional<Sample> run(const Configuration& configuration) override;
  /// One run more, which notes who waits when and verifies nothing.
  CellsOutcome traced(const Mapping& mapping) const;

 private:
  CellsSettings settings_;
  std::vector<MetricKind> metrics_;
};

}  // namespace kinjo
