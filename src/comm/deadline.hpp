/// Until when a call may wait, whatever it consists of.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <kinjo/comm.hpp>

namespace kinjo::comm::detail {

/// What patience for ever comes to: it can be added to any time.
inline constexpr std::chrono::milliseconds kLongestPatience = std::chrono::hours(24 * 365 * 10);

/// The steady clock in nanoseconds.
std::int64_t now_ns();

class Deadline {
 public:
  /// From now on. Without an end nobody looks at the clock, which takes as long as many looks at a
  /// flag.
  explicit Deadline(Timeout allowed)
      : allowed_(allowed), begin_ns_(allowed == kForever ? 0 : now_ns()) {}
  bool is_over(std::int64_t now) const {
    return allowed_ != kForever && now - begin_ns_ >= allowed_.count();
  }
  double allowed_seconds() const { return static_cast<double>(allowed_.count()) * 1e-9; }

 private:
  Timeout allowed_;
  std::int64_t begin_ns_;
};

/// Says that `cell` has waited too long for `awaited`.
[[noreturn]] void throw_timed_out(int cell, const Deadline& deadline, const std::string& awaited);

}  // namespace kinjo::comm::detail
