#include "graph/shares_by_speed.hpp"

#include <algorithm>
#include <numeric>

namespace kinjo::graph::detail {

namespace {

/// Of the way to the shares with which the last parts would have taken as long: one level's times
/// may be anything, and what moves to another thread lies in the wrong cache.
constexpr double kStep = 1.0 / 32;
/// A part that took so many times the mean, or a part of it, says no more than that: its thread
/// has stood still.
constexpr double kMost = 2;

}  // namespace

SharesBySpeed::SharesBySpeed(std::size_t threads)
    : shares_(threads, 1.0 / static_cast<double>(threads)),
      begins_(threads),
      fitting_(threads),
      ticks_(threads) {
  std::exclusive_scan(shares_.begin(), shares_.end(), begins_.begin(), 0.0);
}

Range SharesBySpeed::of(std::size_t thread, std::size_t count) const {
  const auto begin = [&](std::size_t t) {
    if (t == begins_.size()) return count;
    const double place = static_cast<double>(count) * begins_[t];
    return std::min(count, static_cast<std::size_t>(place));
  };
  return {begin(thread), begin(thread + 1)};
}

void SharesBySpeed::adapt() {
  double all = 0;
  for (const std::uint64_t ticks : ticks_) all += static_cast<double>(ticks);
  const double mean = all / static_cast<double>(ticks_.size());
  if (!(mean > 0)) return;
  double sum = 0;
  for (std::size_t t = 0; t < shares_.size(); ++t) {
    const double ticks = std::clamp(static_cast<double>(ticks_[t]), mean / kMost, mean * kMost);
    fitting_[t] = shares_[t] / ticks;
    sum += fitting_[t];
  }
  for (std::size_t t = 0; t < shares_.size(); ++t) {
    shares_[t] += kStep * (fitting_[t] / sum - shares_[t]);
  }
  std::exclusive_scan(shares_.begin(), shares_.end(), begins_.begin(), 0.0);
}

}  // namespace kinjo::graph::detail
