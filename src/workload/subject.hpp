/// What a sweep runs again and again: a computation of kinjo's own, or a program.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/mapping.hpp>

#include "measure/decision.hpp"
#include "measure/progress.hpp"
#include "measure/record.hpp"
#include "measure/verdict.hpp"

namespace kinjo {

/// One way of running it.
struct Configuration {
  Mapping mapping;
  std::string memory = {};  ///< memory policy as `--memory` takes it; empty: as inherited
  /// It is not told how many threads to start; the mapping's size is what it may use.
  bool own_threads = false;
  std::vector<std::string> same_as = {};  ///< other policies that place its threads just so

  /// `scatter, 2 threads`, `none, its own threads, interleave`.
  std::string name() const;
};

/// One thread that nobody places calls the functions of one thread; every other mapping those over
/// a team.
inline bool runs_alone(const Mapping& mapping) { return mapping.size() == 1 && !mapping.binds(); }

/// A quantity that a subject's samples have.
struct MetricKind {
  std::string name;
  std::string unit;
  Better better = Better::higher;
  double flops_per_byte = 0;  ///< as in `Metric`
};

/// What came of one run.
struct Sample {
  std::vector<double> values;           ///< in the order of the metrics; empty if there are none
  double seconds = 0;                   ///< that the run took altogether, preparations too
  std::string fault;                    ///< why it does not count; empty if it does
  std::vector<std::string> last_words;  ///< of a program that failed: the end of its messages
  std::string output;  ///< digest of what it printed; empty where there is nothing to compare
  Values result;       ///< what else was found, see `Record`
  std::vector<NodePages> pages;
  /// How much of it is not as asked (pages elsewhere): a record keeps the result of the worst run.
  std::size_t amiss = 0;
};

/// Something that can be run under a configuration.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual std::string name() const = 0;
  virtual Values parameters() const = 0;
  virtual const std::vector<MetricKind>& metrics() const = 0;
  /// Index of the metric by which configurations are compared.
  virtual std::size_t deciding_metric() const { return 0; }
  /// Runs it once. Nothing if it was interrupted. Throws `Error` for what makes no run possible.
  virtual std::optional<Sample> run(const Configuration& configuration) = 0;
};

/// A configuration's record while its samples come in: the values of all, the first fault, and the
/// result of the worst.
class RecordBuilder {
 public:
  RecordBuilder(const Subject& subject, const Configuration& configuration);
  void add(const Sample& sample);
  /// Whether results are said to be right; without this call the record does not say.
  void set_verified(bool verified) { record_.verified = verified; }
  /// The record, with the fault among its results.
  Record finish() const;

 private:
  Record record_;
  std::size_t amiss_ = 0;
  std::string fault_;
};

/// Calls `run(size, configuration)`, both numbers from 0 on, for each size and configuration in
/// every round: configurations in turn (`turn`), so that a drift of the machine hits all alike.
template <class Run>
void run_in_turn(std::size_t rounds, std::size_t sizes, std::size_t configurations,
                 const Run& run) {
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t size = 0; size < sizes; ++size) {
      for (std::size_t k = 0; k < configurations; ++k) run(size, turn(round, k, configurations));
    }
  }
}

/// Runs every configuration once in each round, in turn (`turn`). Returns a record for each, in
/// their order; samples with faults make it unverified.
std::vector<Record> run_rounds(Subject& subject, const std::vector<Configuration>& configurations,
                               std::size_t rounds, const ProgressSink& progress);

}  // namespace kinjo
