/// Semidefinite programming as a workload.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workload/sdp_run.hpp"
#include "workload/sdp_settings.hpp"
#include "workload/subject.hpp"

namespace kinjo {

/// A problem as something to sweep. The metrics: `seconds`, which decides, those of each phase
/// (`elements_seconds` …), and `iterations`. Each solution is verified.
class SdpSubject : public Subject {
 public:
  explicit SdpSubject(const SdpSettings& settings);
  std::string name() const override { return "sdp"; }
  Values parameters() const override;
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::optional<Sample> run(const Configuration& configuration) override;

  /// A run as a sample.
  static Sample sample_of(const SdpRun& run);

 private:
  SdpSettings settings_;
  std::vector<MetricKind> metrics_;
  std::optional<sdp::Problem> problem_;
};

/// What a plan says, as a record's result has it.
Values sdp_plan_values(const sdp::Plan& plan);

/// Why a run's solution is not what its status says, by the independent verifier; empty if it is.
/// Certificates may have an error of 1e-7 where less is tolerated of solutions. Where no solution
/// is claimed (`limit`, `numerical_failure`) that is a fault too.
std::string sdp_fault(const sdp::Problem& problem, const SdpRun& run, double tolerance);

}  // namespace kinjo
