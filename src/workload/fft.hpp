/// Fourier transforms as a workload: sizes and configurations in turn, by the steps of S2's tables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/fft_plan.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

#include "measure/progress.hpp"
#include "measure/record.hpp"
#include "workload/fft_run.hpp"
#include "workload/fft_size.hpp"
#include "workload/subject.hpp"

namespace kinjo {

/// Transforms of one size. The metrics (docs/fft.md): `mflops` by 5 n log₂ n, the first, decides;
/// `limit`, the same of two copies of the array, `share` of it, `seconds`; of complex transforms
/// `memory_ms` and `compute_ms`, what the threads spent in the mean on loads and stores and on
/// computing in cache (S2's tables 6 to 8). The result has each step's time and bytes.
class FftSubject : public Subject {
 public:
  FftSubject(const Topology& machine, const FftSettings& settings, const FftSize& size);
  std::string name() const override { return "fft"; }
  Values parameters() const override;
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::optional<Sample> run(const Configuration& configuration) override;

  /// A sample of a run, with what is to be said beside the metrics' values.
  Sample sample(FftRun& run, const Mapping& mapping) const;

 private:
  const Topology& machine_;
  FftSettings settings_;
  FftSize size_;
  std::vector<MetricKind> metrics_;
};

struct FftRequest {
  std::vector<Mapping> configurations;
  std::vector<FftSize> sizes;
  FftSettings settings;
  std::vector<FftPlacement> placements;  ///< of the data, in turn; empty: that of the settings
  std::size_t rounds = 7;                ///< paired samples of each
  /// Whether plans are chosen by trying; what is found goes to `wisdom`, and to `found` alone.
  bool measure = false;
  fft::Wisdom wisdom;  ///< plans that were found before
  fft::Wisdom found;
};

/// What a transform over a mapping is called in wisdom (`fft::wisdom_place`).
fft::Wisdom::Key fft_wisdom_key(const Topology& machine, const FftSettings& settings,
                                const Mapping& mapping, const FftSize& size);

/// Bytes that arrays and plans take at most at a time, about. Throws `Error` (`out_of_memory`) for
/// a size that does not fit in memory.
std::size_t fft_memory(const FftRequest& request);

/// Runs every size, placement and configuration once in each round; returns a record for each, in
/// this order. Throws `Error` as `fft_memory` and `check_fft_settings`, before anything is
/// allocated.
std::vector<Record> run_fft(const Topology& machine, FftRequest& request,
                            const ProgressSink& progress);

}  // namespace kinjo
