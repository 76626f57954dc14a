#include "report/verdict.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "measure/statistics.hpp"

namespace kinjo {

namespace {

double median(const Record& record, const std::string& metric) {
  return summarize(find_metric(record, metric).samples).median;
}

std::string name(const Record& record) {
  return fmt::format("{} with {} thread{}", record.policy, record.threads,
                     record.threads == 1 ? "" : "s");
}

/// A rival that the winner was compared with.
struct Duel {
  const Record* rival;
  PairedComparison comparison;
};

/// Whether it shows that the winner is ahead.
bool decides(const Duel& duel) { return duel.comparison.differs && duel.comparison.ratio.low > 1; }

/// Duels that decide nothing are closer than others; of those it is the lowest bound that counts,
/// of the others the lead.
bool is_closer(const Duel& a, const Duel& b) {
  if (decides(a) != decides(b)) return decides(b);
  const Summary &of_a = a.comparison.ratio, &of_b = b.comparison.ratio;
  return decides(a) ? of_a.median < of_b.median : of_a.low < of_b.low;
}

std::optional<Duel> closest_duel(std::span<const Record> records, const Record& winner,
                                 const std::string& metric) {
  std::optional<Duel> closest;
  for (const Record& rival : records) {
    if (rival.policy == winner.policy) continue;
    const Duel duel{&rival, compare_paired(find_metric(winner, metric).samples,
                                           find_metric(rival, metric).samples)};
    if (!closest || is_closer(duel, *closest)) closest = duel;
  }
  return closest;
}

}  // namespace

std::string verdict_sentence(std::span<const Record> records, const Verdict& verdict) {
  const auto shown = [&](const Record& record) {
    const Metric& metric = find_metric(record, verdict.metric);
    return fmt::format("{} {:.4g}{}{}", metric.name, summarize(metric.samples).median,
                       metric.unit.empty() ? "" : " ", metric.unit);
  };
  const Record& best = records[verdict.best];
  const std::string winner = fmt::format("{}{}{} ({})", name(best), best.memory.empty() ? "" : ", ",
                                         best.memory, shown(best));
  const std::string baseline = fmt::format("the default ({})", shown(records[verdict.baseline]));
  const std::string gain =
      fmt::format("{:.3f} (95 %: {:.3f} to {:.3f})", verdict.gain, verdict.low, verdict.high);
  const std::string pairs =
      fmt::format("in {} pair{} of runs", verdict.pairs, verdict.pairs == 1 ? "" : "s");
  if (verdict.pairs < kLeastSamples) {
    return fmt::format(
        "No difference can be claimed {}: at least {} are needed; the best, {}, was {:.3f} times "
        "as good as {}.",
        pairs, kLeastSamples, winner, verdict.gain, baseline);
  }
  if (verdict.recommends()) {
    return fmt::format("Best: {}, {} times as good as {} {}.", winner, gain, baseline, pairs);
  }
  const bool excludes = verdict.low > 1 || verdict.high < 1;
  const std::string claim = verdict.differs ? "No placement is better than"
                            : excludes ? fmt::format("No placement differs by {:g} % or more from",
                                                     100 * verdict.least_gain)
                                       : "No placement differs measurably from";
  return fmt::format("{} {}: the best of the others, {}, is {} times as good {}.", claim, baseline,
                     winner, gain, pairs);
}

std::string placement_verdict(std::span<const Record> records, const std::string& metric) {
  if (records.empty()) throw Error(Errc::invalid_argument, "no records to compare");
  std::vector<Record> good;  // a wrong result is no result, however fast
  std::ranges::copy_if(records, std::back_inserter(good),
                       [](const Record& r) { return r.verified.value_or(true); });
  if (good.empty()) return "No policy can be compared: every result is wrong.";
  const auto& winner = *std::max_element(
      good.begin(), good.end(),
      [&](const Record& a, const Record& b) { return median(a, metric) < median(b, metric); });
  const std::string best = fmt::format("{} ({} {:.1f} {})", name(winner), metric,
                                       median(winner, metric), find_metric(winner, metric).unit);
  const auto duel = closest_duel(good, winner, metric);
  if (!duel) return fmt::format("Highest median: {}; no other policy was measured.", best);
  const Summary& ratio = duel->comparison.ratio;
  if (ratio.count < kLeastSamples) {
    return fmt::format(
        "No difference between policies can be claimed from {} round{}: at least {} "
        "are needed; the best median was {}.",
        ratio.count, ratio.count == 1 ? "" : "s", kLeastSamples, best);
  }
  const std::string range = fmt::format("{:.3f} (95 %: {:.3f} to {:.3f}) times {}", ratio.median,
                                        ratio.low, ratio.high, name(*duel->rival));
  if (decides(*duel)) {
    return fmt::format(
        "Fastest: {}, {} in {} paired rounds, and at least as far ahead of every other policy.",
        best, range, ratio.count);
  }
  return fmt::format(
      "No difference between policies was measured: the best median, {}, is {} in {} "
      "paired rounds.",
      best, range, ratio.count);
}

}  // namespace kinjo
