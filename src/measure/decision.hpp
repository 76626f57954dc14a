/// Which of many configurations is best, and whether it is better at all.
///
/// Two questions that must not be answered from the same samples: the luckiest of twenty equal
/// configurations looks better than it is. So
///
/// 1. *screening*: all configurations run in turn, round after round, each round beginning with
///    another one. The one with the best median ratio to the baseline is the candidate;
/// 2. *confirmation*: baseline and candidate alone run in fresh pairs, the order within a pair
///    changing from pair to pair. These alone estimate the gain and its bounds.
///
/// Where nothing differs the bounds of the second step exclude 1 in at most 5 of 100 sweeps,
/// however many configurations the first one chose from.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "measure/verdict.hpp"

namespace kinjo {

/// Which configuration is run at a position of a round, of `count`: each round begins with another
/// one, so that a drift of the machine hits all alike.
inline std::size_t turn(std::size_t round, std::size_t position, std::size_t count) {
  return (position + round) % count;
}

/// Whether the baseline is the first of its pair. Who comes second may find the machine warmer.
inline bool baseline_first(std::size_t pair) { return pair % 2 == 0; }

/// How many times as good as the baseline: the median of the paired ratios, over 1 where it is
/// better. Throws `Error` as `compare_paired` does.
double median_gain(std::span<const double> baseline, std::span<const double> other, Better better);

/// The configuration with the best median of its paired ratios to the baseline, the first of
/// equals. `samples[c]` are those of configuration c by rounds; one with none is out of the choice.
/// Nothing if there is none beside the baseline. Samples must be positive.
std::optional<std::size_t> choose_candidate(std::span<const std::vector<double>> samples,
                                            std::size_t baseline, Better better);

/// The verdict on the fresh pairs; its `metric`, `baseline` and `best` are left to the caller.
/// Throws `Error` as `compare_paired` does.
Verdict decide(std::span<const double> baseline, std::span<const double> candidate, Better better,
               double least_gain);

}  // namespace kinjo
