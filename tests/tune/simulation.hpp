/// Sweeps without a machine: invented configurations whose samples come out of a function.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tune/sweep.hpp"

namespace kinjo::test {

/// A subject that is never run; its one metric is `seconds`, lower is better.
class NoSubject : public Subject {
 public:
  std::string name() const override { return "simulated"; }
  Values parameters() const override { return {}; }
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::optional<Sample> run(const Configuration&) override { return std::nullopt; }

 private:
  std::vector<MetricKind> metrics_ = {{"seconds", "s", Better::lower}};
};

/// The default and `count − 1` others: thread counts of policy `scatter`.
inline std::vector<Configuration> invented_configurations(std::size_t count) {
  const Topology machine = Topology::from("synthetic:core:64 pu:1");
  std::vector<Configuration> all = {
      {.mapping = Mapping(machine, Policy::none(), 64), .own_threads = true}};
  for (std::size_t c = 1; c < count; ++c) {
    all.push_back({.mapping = Mapping(machine, Policy::scatter(), c)});
  }
  return all;
}

inline Sample sample_of(double seconds) {
  return {.values = {seconds}, .seconds = seconds, .output = "same"};
}

inline Sample failure_of(const std::string& fault) { return {.seconds = 1, .fault = fault}; }

/// A whole sweep whose runs are answered by `run`.
inline SweepOutcome simulate(std::size_t count, const SweepSettings& settings,
                             std::function<std::optional<Sample>(const SweepRun&)> run) {
  static const std::vector<Configuration> kAll = invented_configurations(32);
  const std::vector<Configuration> configurations(kAll.begin(),
                                                  kAll.begin() + static_cast<long>(count));
  return sweep(NoSubject(), configurations, settings, {.run = std::move(run)});
}

}  // namespace kinjo::test
