#include "tune/sweep.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/decision.hpp"
#include "measure/statistics.hpp"

namespace kinjo {

namespace {

constexpr std::size_t kBaseline = 0;

/// Thrown from wherever the sweep was when it was interrupted, to its end.
struct Interrupted {};

class Sweeper {
 public:
  Sweeper(const Subject& subject, const std::vector<Configuration>& configurations,
          const SweepSettings& settings, const SweepHooks& hooks)
      : settings_(settings), hooks_(hooks), metric_(subject.deciding_metric()) {
    better_ = subject.metrics()[metric_].better;
    metric_name_ = subject.metrics()[metric_].name;
    for (const Configuration& c : configurations) outcome_.trials.push_back({.configuration = c});
  }

  SweepOutcome finish() {
    try {
      sweep();
    } catch (const Interrupted&) {
      outcome_.interrupted = true;
    }
    return std::move(outcome_);
  }

 private:
  void sweep();
  void warm_up();
  void screen();
  bool confirm(std::size_t candidate);
  /// False if the configuration is out afterwards.
  bool run(Phase phase, std::size_t round, std::size_t c, std::vector<Sample>* kept);
  void check_outputs();
  void note_gains();
  std::vector<double> values(const std::vector<Sample>& samples) const;
  bool out(std::size_t c) const { return !outcome_.trials[c].fault.empty(); }
  std::vector<std::vector<double>> screened() const;

  const SweepSettings& settings_;
  const SweepHooks& hooks_;
  std::size_t metric_;
  Better better_;
  std::string metric_name_;
  SweepOutcome outcome_;
  SweepPlan plan_;
  std::vector<double> seconds_;            ///< of each configuration's last run
  std::vector<std::string> warm_outputs_;  ///< of each configuration's first
};

std::vector<double> Sweeper::values(const std::vector<Sample>& samples) const {
  std::vector<double> list;
  for (const Sample& sample : samples) list.push_back(sample.values[metric_]);
  return list;
}

bool Sweeper::run(Phase phase, std::size_t round, std::size_t c, std::vector<Sample>* kept) {
  Trial& trial = outcome_.trials[c];
  if (hooks_.progress) {
    hooks_.progress({outcome_.runs_done, outcome_.runs_planned, trial.configuration.name()});
  }
  auto sample = hooks_.run({phase, round, c});
  if (!sample) throw Interrupted{};
  ++outcome_.runs_done;
  outcome_.seconds += sample->seconds;
  seconds_[c] = sample->seconds;
  if (!sample->fault.empty()) {
    trial.fault = sample->fault;
    trial.last_words = sample->last_words;
    return false;
  }
  if (phase == Phase::warm_up) warm_outputs_[c] = sample->output;
  if (kept) kept->push_back(std::move(*sample));
  return true;
}

void Sweeper::warm_up() {
  const std::size_t count = outcome_.trials.size();
  outcome_.runs_planned = count;
  seconds_.assign(count, 0);
  warm_outputs_.assign(count, "");
  for (std::size_t c = 0; c < count; ++c) {
    run(Phase::warm_up, 0, c, nullptr);
    if (out(kBaseline)) return;  // nothing to compare with
  }
  std::vector<double> good;
  for (std::size_t c = 0; c < count; ++c) {
    if (!out(c)) good.push_back(seconds_[c]);
  }
  plan_ = plan_sweep(good, settings_);
  outcome_.runs_planned = count + plan_.rounds * good.size() + 2 * plan_.pairs;
  if (hooks_.planned) hooks_.planned(plan_);
}

void Sweeper::screen() {
  const std::size_t count = outcome_.trials.size();
  for (std::size_t round = 0; round < plan_.rounds; ++round) {
    for (std::size_t position = 0; position < count; ++position) {
      const std::size_t c = turn(round, position, count);
      if (!out(c)) run(Phase::screening, round, c, &outcome_.trials[c].screening);
      if (out(kBaseline)) return;
    }
  }
}

/// Outputs as a set are compared with the baseline's: runs of one configuration may differ too. One
/// run does not show whether they do, so those that warmed up count as well then.
void Sweeper::check_outputs() {
  const auto outputs = [&](const Trial& trial) {
    std::set<std::string> found;
    if (plan_.rounds < 2) {
      found.insert(warm_outputs_[static_cast<std::size_t>(&trial - outcome_.trials.data())]);
    }
    for (const auto* samples : {&trial.screening, &trial.confirmation}) {
      for (const Sample& sample : *samples) found.insert(sample.output);
    }
    return found;
  };
  const auto expected = outputs(outcome_.trials[kBaseline]);
  outcome_.outputs_vary = expected.size() > 1;
  if (outcome_.outputs_vary) return;
  for (Trial& trial : outcome_.trials) {
    if (trial.fault.empty() && !trial.screening.empty() && outputs(trial) != expected) {
      trial.fault = "its output differs from the default's (--ignore names what may)";
    }
  }
}

std::vector<std::vector<double>> Sweeper::screened() const {
  std::vector<std::vector<double>> all(outcome_.trials.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    if (!out(c)) all[c] = values(outcome_.trials[c].screening);
  }
  return all;
}

void Sweeper::note_gains() {
  const auto samples = screened();
  for (std::size_t c = 0; c < samples.size(); ++c) {
    if (samples[c].empty()) continue;
    outcome_.trials[c].screened_gain = median_gain(samples[kBaseline], samples[c], better_);
  }
}

bool Sweeper::confirm(std::size_t candidate) {
  Trial& baseline = outcome_.trials[kBaseline];
  Trial& rival = outcome_.trials[candidate];
  baseline.confirmation.clear();  // an earlier candidate has failed
  const std::size_t pairs =
      plan_pairs(plan_, settings_, outcome_.seconds, seconds_[kBaseline] + seconds_[candidate]);
  outcome_.runs_planned = outcome_.runs_done + 2 * pairs;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    for (const bool of_baseline : {baseline_first(pair), !baseline_first(pair)}) {
      Trial& trial = of_baseline ? baseline : rival;
      const std::size_t c = of_baseline ? kBaseline : candidate;
      if (!run(Phase::confirmation, pair, c, &trial.confirmation)) return false;
    }
  }
  check_outputs();
  if (out(candidate)) return false;
  Verdict verdict = decide(values(baseline.confirmation), values(rival.confirmation), better_,
                           settings_.least_gain);
  verdict.metric = metric_name_;
  verdict.baseline = kBaseline;
  verdict.best = candidate;
  outcome_.verdict = verdict;
  return true;
}

void Sweeper::sweep() {
  warm_up();
  if (out(kBaseline)) return;
  screen();
  if (out(kBaseline)) return;
  check_outputs();
  note_gains();
  while (const auto candidate = choose_candidate(screened(), kBaseline, better_)) {
    if (confirm(*candidate) || out(kBaseline)) return;
  }
  outcome_.trials[kBaseline].confirmation.clear();
}

}  // namespace

const char* to_string(Phase phase) noexcept {
  switch (phase) {
    case Phase::warm_up:
      return "warm_up";
    case Phase::screening:
      return "screening";
    case Phase::confirmation:
      return "confirmation";
  }
  return "unknown";
}

SweepOutcome sweep(const Subject& subject, const std::vector<Configuration>& configurations,
                   const SweepSettings& settings, const SweepHooks& hooks) {
  return Sweeper(subject, configurations, settings, hooks).finish();
}

std::vector<Record> sweep_records(const Subject& subject, const SweepOutcome& outcome) {
  std::vector<Record> records;
  for (const Trial& trial : outcome.trials) {
    RecordBuilder builder(subject, trial.configuration);
    if (trial.fault.empty()) {
      for (const auto* samples : {&trial.screening, &trial.confirmation}) {
        for (const Sample& sample : *samples) builder.add(sample);
      }
    } else {
      builder.add({.fault = trial.fault});
    }
    Record record = builder.finish();
    if (!trial.fault.empty()) record.metrics.clear();
    record.parameters.push_back(
        {"thread_count", trial.configuration.own_threads ? "its own" : "told"});
    if (!trial.configuration.same_as.empty()) {
      record.result.push_back(
          {"same_as", fmt::format("{}", fmt::join(trial.configuration.same_as, " "))});
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace kinjo
