/// How often everything is to be run, and how long that takes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace kinjo {

/// What becomes of a sweep whose budget does not suffice for a verdict.
enum class ShortBudget {
  refuse,
  exceed,  ///< it takes the least that a verdict needs: others of the same suite have ended sooner
};

struct SweepSettings {
  std::optional<std::size_t> rounds = {};  ///< of the screening; absent: 5, or as the budget allows
  std::optional<std::size_t> pairs = {};   ///< of the confirmation; absent: 15, or likewise
  std::optional<double> budget_s = {};     ///< for everything, warm-ups included
  double least_gain = 0.01;
  ShortBudget short_budget = ShortBudget::refuse;
};

struct SweepPlan {
  std::size_t rounds = 0;
  std::size_t pairs = 0;
  double seconds = 0;  ///< that both will take
};

/// Plans from the durations of the warm-up runs, the baseline's first, one for each configuration
/// that can be run. A budget is shared between screening and confirmation, 2 to 3, up to 30 rounds
/// and 100 pairs. Throws `Error` (`invalid_argument`) if it does not suffice for one round and for
/// as many pairs as a verdict needs, and may not be exceeded.
SweepPlan plan_sweep(std::span<const double> seconds, const SweepSettings& settings);

/// The pairs that the rest of a budget allows, when the candidate is known; at least what a verdict
/// needs. Without a budget, or with a given number: that of the plan.
std::size_t plan_pairs(const SweepPlan& plan, const SweepSettings& settings, double spent_s,
                       double pair_s);

}  // namespace kinjo
