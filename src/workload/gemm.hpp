/// Matrix products in memory as a workload: sizes, plans and configurations in turn, each beside
/// the peak.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/gemm_plan.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

#include "measure/progress.hpp"
#include "measure/record.hpp"
#include "workload/gemm_run.hpp"
#include "workload/gemm_size.hpp"
#include "workload/subject.hpp"

namespace kinjo {

/// One shape by one plan. The metrics (docs/gemm.md) are those by which S3 reports a product:
/// `gflops` by elapsed time and `cpu_gflops` by CPU time, `cpu_share` of the one in the other; and
/// `limit`, the multiply-adds that the team's cores do in registers, `share` of it, and `seconds`.
/// The first decides.
class GemmSubject : public Subject {
 public:
  /// `plan` is `gemm_plan`'s text.
  GemmSubject(const Topology& machine, const GemmSettings& settings, const GemmShape& shape,
              std::string plan);
  std::string name() const override { return "gemm"; }
  Values parameters() const override;
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::optional<Sample> run(const Configuration& configuration) override;

  /// The plan for a mapping. Throws `Error` as `gemm_plan`.
  gemm::Plan plan(const Mapping& mapping) const;
  /// A sample of it, with what is to be said beside the metrics' values.
  Sample sample(GemmRun& run, const Mapping& mapping) const;

 private:
  Values result(const Mapping& mapping, const gemm::Plan& plan) const;

  const Topology& machine_;
  GemmSettings settings_;
  GemmShape shape_;
  std::string plan_;
  std::vector<MetricKind> metrics_;
};

struct GemmRequest {
  std::vector<Mapping> configurations;
  std::vector<GemmShape> shapes;
  std::vector<std::string> plans = {kChosenPlan};
  GemmSettings settings;
  std::size_t rounds = 7;  ///< paired samples of each
};

/// Bytes that the matrices take at most at a time. Throws `Error` for what `run_gemm` refuses.
std::size_t gemm_memory(const Topology& machine, const GemmRequest& request);

/// Runs every shape, plan and configuration once in each round. Returns a record for each, by
/// shape, then by plan, then by configuration. Throws `Error` before anything is allocated if a
/// shape does not fit in memory, or a plan is none for a shape and configuration.
std::vector<Record> run_gemm(const Topology& machine, const GemmRequest& request,
                             const ProgressSink& progress);

}  // namespace kinjo
