/// How many states a part of a level (part_sweep.hpp) has on its way from group to group.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace kinjo::paths::detail {

/// Whether parts of a level come to the same states.
enum class Parts { meet, apart };

class PartSizes {
 public:
  /// Begins a part that is one of so many. What the last one had tells about others as large.
  void begin(std::uint64_t of) {
    if (of != std::exchange(of_, of)) last_.clear();
    now_.clear();
  }
  /// The part has so many states after another group; the first time, as it was read.
  void add(std::size_t states) { now_.push_back(states); }
  /// The part is done.
  void keep() { std::swap(now_, last_); }
  /// Other parts are not like those that were kept.
  void forget() { last_.clear(); }

  /// First as it was read.
  std::span<const std::size_t> states() const { return now_; }
  /// Groups that the part has gone.
  std::size_t groups() const { return now_.empty() ? 0 : now_.size() - 1; }
  /// The most states from when it is added next until so many groups later, by the last part; 0 if
  /// nobody knows.
  std::size_t expected(std::size_t later) const {
    std::size_t most = 0;
    const std::size_t end = std::min(now_.size() + later + 1, last_.size());
    for (std::size_t on = now_.size(); on < end; ++on) most = std::max(most, last_[on]);
    return most;
  }
  /// After how many of these groups it costs the least, by group, to write a level. To write a
  /// state and read it again costs about as much as to expand one; of those that are expanded, as
  /// many as were read would be anyway, and the others are taken for other parts' too, unless parts
  /// stay apart. Where the part has more than `most` states no level should be written, unless it
  /// has more everywhere: then where it has the fewest.
  std::size_t cheapest(Parts parts, double most = std::numeric_limits<double>::max()) const {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::max(), others = 0;
    if (now_.size() > 1) {
      most = std::max(most, static_cast<double>(std::ranges::min(states().subspan(1))));
    }
    for (std::size_t on = 1; on < now_.size(); ++on) {
      const std::size_t expanded = std::max(now_[on - 1], now_.front());
      others += parts == Parts::apart ? 0 : static_cast<double>(expanded - now_.front());
      const double cost = (others + static_cast<double>(now_[on])) / static_cast<double>(on);
      if (cost > least || static_cast<double>(now_[on]) > most) continue;
      least = cost;
      best = on;
    }
    return best;
  }

 private:
  std::vector<std::size_t> now_, last_;
  std::uint64_t of_ = 1;
};

}  // namespace kinjo::paths::detail
