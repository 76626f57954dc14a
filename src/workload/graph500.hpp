/// Graph500 as a workload, and its records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <kinjo/mapping.hpp>

#include "measure/progress.hpp"
#include "measure/record.hpp"
#include "workload/graph500_run.hpp"
#include "workload/subject.hpp"

namespace kinjo {

inline constexpr const char* kGraph500Parameters =
    "scale, edgefactor, roots, bits, listed, order, validate, pages";

/// Sets what a parameter names. Throws `Error` (`invalid_argument`) that says what is accepted.
void set_graph500(Graph500Settings& settings, const std::string& name, const std::string& value);

/// Graph500 as something to sweep: generation, construction and all searches are one sample. The
/// metrics: `gteps`, the harmonic mean over the roots, decides; `search`, the mean, `construction`,
/// `generation` and `validation`, the mean, in seconds.
class Graph500Subject : public Subject {
 public:
  explicit Graph500Subject(const Graph500Settings& settings);
  std::string name() const override { return "graph500"; }
  Values parameters() const override;
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::optional<Sample> run(const Configuration& configuration) override;

 private:
  Graph500Settings settings_;
  std::vector<MetricKind> metrics_;
};

/// Runs each configuration once; returns a record for each. Their metrics `gteps`, `search` and
/// `validation` have a sample for each root, and `result` the statistics of Graph500's output. The
/// checks of `check_graph500` come first.
std::vector<Record> run_graph500(const Graph500Settings& settings,
                                 const std::vector<Mapping>& configurations,
                                 const ProgressSink& progress);

}  // namespace kinjo
