/// Who has given a sign of life, and when this cell has to give its own.
///
/// UCX notices a peer that has died at once where its host says so, but neither a cable that is cut
/// nor a host that has stopped while nothing is on its way. So each cell sends a packet to every
/// other one five times within the patience, and whoever has been silent that long is lost. Any
/// packet is a sign.
#pragma once

#include <chrono>
#include <vector>

namespace kinjo::comm::detail {

class Heartbeat {
 public:
  using Clock = std::chrono::steady_clock;
  Heartbeat(int cells, std::chrono::milliseconds patience, Clock::time_point now)
      : patience_(patience),
        interval_(patience / 5),
        last_beat_(now - interval_),
        last_look_(now),
        heard_(static_cast<std::size_t>(cells), now) {}

  std::chrono::milliseconds interval() const { return interval_; }

  /// Whether to send one; at most once for each interval.
  bool is_due(Clock::time_point now) {
    if (now - last_beat_ < interval_) return false;
    last_beat_ = now;
    return true;
  }

  /// To be called often, before `is_silent`. A cell that did not run itself for a while (stopped,
  /// or its host was, or it got no CPU) has no right to blame others for it: of such a time only an
  /// interval counts.
  void look(Clock::time_point now) {
    const auto gap = now - last_look_;
    if (gap > interval_ * 2) {
      for (auto& time : heard_) time += gap - interval_;
    }
    last_look_ = now;
  }
  void hear(int cell, Clock::time_point now) { heard_[static_cast<std::size_t>(cell)] = now; }
  bool is_silent(int cell, Clock::time_point now) const {
    return now - heard_[static_cast<std::size_t>(cell)] > patience_;
  }

 private:
  std::chrono::milliseconds patience_;
  std::chrono::milliseconds interval_;
  Clock::time_point last_beat_;
  Clock::time_point last_look_;
  std::vector<Clock::time_point> heard_;
};

}  // namespace kinjo::comm::detail
