#include <algorithm>
#include <span>

#include "measure/statistics.hpp"
#include "report/axes.hpp"
#include "report/chart.hpp"
#include "report/configuration.hpp"
#include "report/verdict_figure.hpp"

namespace kinjo {

namespace {

using State = VerdictCell::State;

double median_of(const Metric& metric) { return summarize(metric.samples).median; }

bool is_better(double a, double b, Better better) {
  return better == Better::higher ? a > b : a < b;
}

/// The good record of the policy with the best median, or the one that the verdict names; failures
/// are noted in the cell.
void find_best(const ReportSection& section, const Judgement& judgement, VerdictCell& cell) {
  double best = 0;
  for (const Record& record : section.records) {
    if (!stands_for(record, cell.policy)) continue;
    if (const auto failure = failure_of(record)) {
      ++cell.failed;
      if (std::ranges::find(cell.failures, *failure) == cell.failures.end()) {
        cell.failures.push_back(*failure);
      }
      continue;
    }
    const Metric* metric = measured(record, judgement.metric);
    if (!metric) continue;
    const double median = median_of(*metric);
    if (!cell.best || is_better(median, best, judgement.better)) {
      cell.best = &record;
      best = median;
    }
  }
  if (!section.verdict) return;
  const Record& named = section.records[section.verdict->best];
  if (stands_for(named, cell.policy) && measured(named, judgement.metric)) cell.best = &named;
}

/// The gain of a record over the default, from the rounds that both took part in: the n-th samples
/// of all records belong together, and some have more of them.
void compare(const Metric& mine, const Metric& base, Better better, VerdictCell& cell) {
  const std::size_t rounds = std::min(mine.samples.size(), base.samples.size());
  const auto ours = std::span(mine.samples).first(rounds);
  const auto theirs = std::span(base.samples).first(rounds);
  const PairedComparison comparison =
      better == Better::higher ? compare_paired(ours, theirs) : compare_paired(theirs, ours);
  cell.gain = comparison.ratio.median;
  cell.low = comparison.ratio.low;
  cell.high = comparison.ratio.high;
  if (cell.low <= 1 && cell.high >= 1) {
    cell.state = State::no_difference;
  } else if (!comparison.differs) {
    cell.state = State::unconfirmed;
  } else {
    cell.state = cell.low > 1 ? State::better : State::worse;
  }
}

void judge(const ReportSection& section, const Judgement& judgement, VerdictCell& cell) {
  if (!cell.best) {
    cell.state = cell.failed ? State::failed : State::not_measured;
    return;
  }
  cell.state = State::alone;
  const Metric& mine = *measured(*cell.best, judgement.metric);
  cell.median = short_number(median_of(mine)) + (mine.unit.empty() ? "" : " " + mine.unit);
  const Metric* base =
      judgement.baseline ? measured(*judgement.baseline, judgement.metric) : nullptr;
  if (cell.best == judgement.baseline) {
    cell.state = State::baseline;
  } else if (section.verdict && cell.best == &section.records[section.verdict->best]) {
    const Verdict& v = *section.verdict;
    cell.gain = v.gain;
    cell.low = v.low;
    cell.high = v.high;
    cell.state = !v.differs ? State::no_difference : v.low > 1 ? State::better : State::worse;
  } else if (base) {
    compare(mine, *base, judgement.better, cell);
    const bool any_better = section.verdict && section.verdict->differs && section.verdict->low > 1;
    if (cell.state == State::better && !any_better) cell.state = State::unconfirmed;
  }
}

}  // namespace

Judgement judgement_of(const ReportSection& section) {
  if (section.verdict) {
    return {section.verdict->metric, section.verdict->better,
            &section.records.at(section.verdict->baseline)};
  }
  Judgement judgement;
  for (const Record& record : section.records) {
    if (failure_of(record)) continue;
    if (judgement.metric.empty()) {
      judgement.metric = record.metrics.front().name;
      if (is_time(record.metrics.front().unit)) judgement.better = Better::lower;
    }
    if (record.policy == "none" && measured(record, judgement.metric) &&
        (!judgement.baseline || record.threads > judgement.baseline->threads)) {
      judgement.baseline = &record;
    }
  }
  return judgement;
}

std::vector<VerdictCell> verdict_cells(const ReportSection& section,
                                       const std::vector<std::string>& policies) {
  const Judgement judgement = judgement_of(section);
  std::vector<VerdictCell> cells;
  for (const std::string& policy : policies) {
    VerdictCell& cell = cells.emplace_back();
    cell.policy = policy;
    find_best(section, judgement, cell);
    judge(section, judgement, cell);
  }
  return cells;
}

}  // namespace kinjo
