/// BLAS-1 as a workload: kernels, sizes and configurations in turn, each beside its limit.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

#include "measure/progress.hpp"
#include "measure/record.hpp"
#include "workload/blas1_run.hpp"
#include "workload/subject.hpp"

namespace kinjo {

/// One kernel at one size. A sample is the best of four bursts of calls; vectors are made anew for
/// each. The metrics (docs/blas1.md) are `gflops` for kernels that compute, `bandwidth`, `limit`
/// and `share`; the first decides.
class Blas1Subject : public Subject {
 public:
  Blas1Subject(const Topology& machine, const Blas1Settings& settings, Blas1Kernel kernel,
               std::size_t elements);
  std::string name() const override { return "blas1"; }
  Values parameters() const override;
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::optional<Sample> run(const Configuration& configuration) override;

  Blas1Kernel kernel() const { return kernel_; }
  /// `L1`, …, `memory`: where the kernel's vectors lie under a mapping.
  std::string level(const Mapping& mapping) const;
  /// The metrics' values, and what else is to be said (`limit_values`).
  Sample sample_of(const Blas1Sample& measured, const Mapping& mapping) const;

 private:
  const Topology& machine_;
  Blas1Settings settings_;
  Blas1Kernel kernel_;
  std::size_t elements_;
  std::vector<MetricKind> metrics_;
};

struct Blas1Request {
  std::vector<Mapping> configurations;
  std::vector<Blas1Kernel> kernels;
  std::vector<std::size_t> sizes;  ///< elements; empty: `default_blas1_sizes` for each mapping
  Blas1Settings settings;
  std::size_t rounds = 7;  ///< paired samples of each
};

/// Bytes that the vectors take at most at a time.
std::size_t blas1_memory(const Topology& machine, const Blas1Request& request);

/// Runs every kernel, size and configuration once in each round. Returns a record for each, by
/// kernel, then by the rank of the size, then by configuration. Throws `Error` (`out_of_memory`)
/// before anything is allocated if a size that was asked for does not fit.
std::vector<Record> run_blas1(const Topology& machine, const Blas1Request& request,
                              const ProgressSink& progress);

}  // namespace kinjo
