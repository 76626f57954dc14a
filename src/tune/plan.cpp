#include "tune/plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "measure/statistics.hpp"

namespace kinjo {

namespace {

constexpr std::size_t kRounds = 5;
constexpr std::size_t kPairs = 15;
constexpr std::size_t kMostRounds = 30;
constexpr std::size_t kMostPairs = 100;
constexpr double kScreeningShare = 0.4;

/// How many of `each` seconds fit, within bounds.
std::size_t fit(double seconds, double each, std::size_t least, std::size_t most) {
  const double count = each > 0 ? std::floor(seconds / each) : static_cast<double>(most);
  return static_cast<std::size_t>(
      std::clamp(count, static_cast<double>(least), static_cast<double>(most)));
}

double cost(std::size_t rounds, double round_s, std::size_t pairs, double pair_s) {
  return static_cast<double>(rounds) * round_s + static_cast<double>(pairs) * pair_s;
}

/// Two digits that count, rounded up: as much suffices.
std::string enough_seconds(double seconds) {
  const double unit = std::pow(10, std::floor(std::log10(seconds)) - 1);
  return fmt::format("{:g}", std::ceil(seconds / unit) * unit);
}

}  // namespace

SweepPlan plan_sweep(std::span<const double> seconds, const SweepSettings& settings) {
  const double round_s = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  // Who will be the candidate is open; it will not be slow.
  const double pair_s = seconds.front() + *std::min_element(seconds.begin(), seconds.end());
  SweepPlan plan{settings.rounds.value_or(kRounds), settings.pairs.value_or(kPairs)};
  if (settings.budget_s) {
    const double left = *settings.budget_s - round_s;  // the warm-ups are spent
    const std::size_t least_rounds = settings.rounds.value_or(1);
    const std::size_t least_pairs = settings.pairs.value_or(kLeastSamples);
    const double least = cost(least_rounds, round_s, least_pairs, pair_s);
    if (left < least && settings.short_budget == ShortBudget::refuse) {
      throw Error(
          Errc::invalid_argument,
          fmt::format("a budget of {:g} s is too short: {} round{} of {} configurations and "
                      "{} pairs take {} s with the warm-up; expected at least that, or "
                      "fewer configurations",
                      *settings.budget_s, least_rounds, least_rounds == 1 ? "" : "s",
                      seconds.size(), least_pairs, enough_seconds(least + round_s)));
    }
    if (!settings.rounds) {
      const double reserved = cost(0, 0, least_pairs, pair_s);
      const double share = settings.pairs ? left - reserved : kScreeningShare * left;
      plan.rounds = fit(std::min(share, left - reserved), round_s, 1, kMostRounds);
    }
    if (!settings.pairs) {
      plan.pairs = fit(left - cost(plan.rounds, round_s, 0, 0), pair_s, kLeastSamples, kMostPairs);
    }
  }
  plan.seconds = cost(plan.rounds, round_s, plan.pairs, pair_s);
  return plan;
}

std::size_t plan_pairs(const SweepPlan& plan, const SweepSettings& settings, double spent_s,
                       double pair_s) {
  if (!settings.budget_s || settings.pairs) return plan.pairs;
  return fit(*settings.budget_s - spent_s, pair_s, kLeastSamples, kMostPairs);
}

}  // namespace kinjo
