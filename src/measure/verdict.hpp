/// What a sweep over placements decided.
#pragma once

#include <cstddef>
#include <string>

namespace kinjo {

/// Which way a metric is better.
enum class Better { higher, lower };

/// The best configuration of a sweep against its baseline, from rounds in which both were run.
/// Which configuration is best is settled first; the gain is then estimated from rounds that had
/// no part in that choice, so that picking the luckiest of many is not mistaken for a gain.
struct Verdict {
  std::string metric;
  Better better = Better::lower;
  std::size_t baseline = 0;  ///< index of its record: unpinned, as the program runs by itself
  std::size_t best = 0;      ///< index of the record that was chosen
  std::size_t pairs = 0;     ///< rounds that the gain is estimated from
  double gain = 1;           ///< median of the paired ratios, over 1 where `best` is better
  double low = 1;            ///< 95 % bounds of the gain, by bootstrap over the pairs
  double high = 1;
  double least_gain = 0;  ///< what counts as a difference: 0.01 is one per cent
  bool differs = false;   ///< the bounds exclude 1, there were enough pairs, and the gain counts

  /// Whether another placement than the baseline is to be recommended.
  bool recommends() const { return differs && gain > 1; }
};

}  // namespace kinjo
