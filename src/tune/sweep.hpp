/// A sweep over configurations, from the warm-up to the verdict (measure/decision.hpp).
///
///     warm-up       every configuration once; only says who fails and how long a run takes
///     screening     rounds of all configurations in turn; chooses the candidate
///     confirmation  fresh pairs of baseline and candidate; decides
///
/// A configuration that fails once is out from then on, and its samples count for nothing. So is
/// one whose output differs from the baseline's, unless that differs from itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "measure/progress.hpp"
#include "tune/plan.hpp"
#include "workload/subject.hpp"

namespace kinjo {

enum class Phase { warm_up, screening, confirmation };
const char* to_string(Phase phase) noexcept;

/// Which run of a sweep.
struct SweepRun {
  Phase phase = Phase::warm_up;
  std::size_t round = 0;  ///< or pair
  std::size_t configuration = 0;
  bool operator==(const SweepRun&) const = default;
};

/// A run that was done, and what came of it.
struct DoneRun {
  SweepRun run;
  Sample sample;
};

/// What a sweep asks for, and tells.
struct SweepHooks {
  /// Does a run, or hands out what is known of it; nothing if it was interrupted.
  std::function<std::optional<Sample>(const SweepRun&)> run;
  std::function<void(const SweepPlan&)> planned = {};  ///< after the warm-up
  std::function<void(const Progress&)> progress = {};  ///< before each run
};

/// What a configuration came to.
struct Trial {
  Configuration configuration;
  std::vector<Sample> screening;
  std::vector<Sample> confirmation;  ///< of the baseline and the candidate
  std::string fault;                 ///< why it is out; empty if it is not
  std::vector<std::string> last_words;
  /// Median of the paired ratios to the baseline in the screening, over 1 where it is better.
  std::optional<double> screened_gain;
};

struct SweepOutcome {
  std::vector<Trial> trials;       ///< in the order of the configurations
  std::optional<Verdict> verdict;  ///< absent if the baseline fails or nothing else is left
  bool interrupted = false;
  bool outputs_vary = false;  ///< the baseline's output differs from run to run
  std::size_t runs_done = 0;
  std::size_t runs_planned = 0;
  double seconds = 0;  ///< that all runs took
};

/// Sweeps `subject`'s configurations; the first one is the baseline. Throws what `hooks` throw, and
/// `Error` if a budget is too short.
SweepOutcome sweep(const Subject& subject, const std::vector<Configuration>& configurations,
                   const SweepSettings& settings, const SweepHooks& hooks);

/// A record for each trial, in their order, with the samples that count: screening, then
/// confirmation, so that the n-th samples belong together. A trial that is out has no samples.
std::vector<Record> sweep_records(const Subject& subject, const SweepOutcome& outcome);

}  // namespace kinjo
