/// STREAM as a workload: configurations in turn, round after round, timed from outside.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <kinjo/binding.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/stream.hpp>
#include <kinjo/topology.hpp>

#include "measure/progress.hpp"
#include "measure/record.hpp"
#include "workload/subject.hpp"

namespace kinjo {

/// Passes of which a sample is the best.
inline constexpr int kStreamPasses = 4;

struct StreamSettings {
  std::size_t elements = 0;  ///< settled by `settle_stream_size`, never 0
  Pages pages = Pages::transparent;
  StreamStores stores = StreamStores::automatic;
  BindLevel bind = BindLevel::cpu;
};

/// STREAM as something to sweep. A sample is the best of four passes, after one that is not
/// counted; arrays are made anew for each, so that the luck of page placement is in the spread.
/// Triad decides.
class StreamSubject : public Subject {
 public:
  explicit StreamSubject(const StreamSettings& settings);
  std::string name() const override { return "stream"; }
  Values parameters() const override;
  const std::vector<MetricKind>& metrics() const override { return metrics_; }
  std::size_t deciding_metric() const override { return metrics_.size() - 1; }
  std::optional<Sample> run(const Configuration& configuration) override;

 private:
  StreamSettings settings_;
  std::vector<MetricKind> metrics_;
};

struct StreamRequest {
  std::vector<Mapping> configurations;
  StreamSettings settings;
  std::size_t rounds = 7;  ///< paired samples of each configuration
};

/// Reads a number of elements (`detail::parse_count`). Throws `Error` (`invalid_argument`) that
/// says what is accepted.
std::size_t parse_stream_elements(const std::string& text);

/// What the arrays will take, settled before anything is allocated.
struct StreamSize {
  std::size_t elements = 0;
  std::size_t bytes = 0;  ///< of all three arrays
  std::string remark;     ///< why it is less than STREAM's rule asks, or empty
};

/// Throws `Error` (`out_of_memory`) if the elements that were asked for do not fit.
StreamSize settle_stream_size(const Topology& machine, std::size_t elements);

/// Runs every configuration once in each round (`run_rounds`). Returns a record for each, in their
/// order.
std::vector<Record> run_stream(const StreamRequest& request, const ProgressSink& progress);

}  // namespace kinjo
