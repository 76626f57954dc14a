/// Counting paths, and other sets of edges, as a workload.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workload/paths_input.hpp"
#include "workload/paths_run.hpp"
#include "workload/subject.hpp"

namespace kinjo {

inline constexpr const char* kPathsParameters =
    "graph, kind, from, to, components, degrees, order, method";

/// Sets what a parameter names. Throws `Error` (`invalid_argument`) that says what is accepted.
void set_paths(PathsSettings& settings, const std::string& name, const std::string& value);

/// The graphs of a list of rules joined by commas, each once; any other text is one graph, for a
/// file's name may hold commas.
std::vector<std::string> listed_graphs(const std::string& text);

/// A family as something to sweep. The metrics: `mstates`, millions of states a second, decides;
/// `seconds`. Each count is compared with one by other states.
class PathsSubject : public Subject {
 public:
  explicit PathsSubject(const PathsSettings& settings);
  std::string name() const override { return "paths"; }
  Values parameters() const override;
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::optional<Sample> run(const Configuration& configuration) override;

  /// A run as a sample.
  static Sample sample_of(const PathsRun& run);

 private:
  PathsSettings settings_;
  std::vector<MetricKind> metrics_;
  std::optional<Count> expected_;
};

}  // namespace kinjo
