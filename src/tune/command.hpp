/// An unmodified program as something to sweep.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <kinjo/topology.hpp>

#include "launch/launch.hpp"
#include "tune/child.hpp"
#include "tune/reading.hpp"
#include "workload/subject.hpp"

namespace kinjo {

struct CommandSettings {
  std::vector<std::string> command;  ///< `{threads}` in its arguments becomes their number
  BindLevel bind = BindLevel::cpu;
  detail::OpenMp openmp = detail::OpenMp::automatic;
  /// Variables that are set to the number of threads, besides `thread_variables()`.
  std::vector<std::string> thread_variables;
  std::string metric;  ///< pattern with one group; empty: wall time
  std::string metric_name = "metric";
  Better better = Better::lower;
  std::string ignore;  ///< pattern of what may differ between outputs; empty: numbers
  detail::ChildLimits limits;
};

/// What OpenMP, BLAS libraries, Rust's Rayon, Go, Julia and NumExpr read.
const std::vector<std::string>& thread_variables();

/// Whether a command takes its number of threads as an argument.
bool takes_threads(const std::vector<std::string>& command);

/// The command with `{threads}` replaced.
std::vector<std::string> with_threads(const std::vector<std::string>& command, std::size_t threads);

/// A program, started anew for each sample under its configuration, as `kinjo run` starts it. Its
/// metrics are the one that it prints, if a pattern was given, then `seconds` from exec to the end,
/// `cpu_seconds` of all its threads, and `max_resident_bytes`. A run that fails, takes too long,
/// writes too much or prints no metric has a fault and no values.
class CommandSubject : public Subject {
 public:
  /// `machine` and `signals` must outlive it. Throws `Error` for patterns that are none.
  CommandSubject(CommandSettings settings, const Topology& machine, detail::Signals& signals);
  /// Makes every start ready, so that what makes one impossible is said before the first: throws
  /// `detail::LaunchError` for a program that is not there, `Error` as `Launch` does. Returns
  /// why threads are not pinned one by one in the first configuration where they are not, or "".
  std::string prepare(const std::vector<Configuration>& configurations);
  std::string name() const override;
  Values parameters() const override;
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::optional<Sample> run(const Configuration& configuration) override;

 private:
  const detail::Launch& launch_for(const Configuration& configuration);
  Sample read(const detail::ChildOutcome& outcome) const;
  void read_metric(const detail::ChildOutcome& outcome, Sample& sample) const;

  CommandSettings settings_;
  const Topology& machine_;
  detail::Signals& signals_;
  std::optional<detail::LinePattern> metric_;
  std::optional<detail::LinePattern> ignore_;
  std::vector<MetricKind> metrics_;
  std::map<std::string, detail::Launch> launches_;
};

}  // namespace kinjo
