/// How a cell waits: it looks again and again, then lets others run between two looks, then sleeps
/// a little each time, or, where cells share CPUs, until somebody rings. All the while it makes
/// progress, keeps to its deadline, and looks whether the others are still there.
#pragma once

#include <sched.h>

#include <cstdint>

#include "base/relax.hpp"
#include "comm/world_impl.hpp"

namespace kinjo::comm::detail {

/// The part of a wait that is longer than a few looks. Its time is what `waited_seconds` adds up.
class Waiting {
 public:
  Waiting(WorldImpl& world, Wait::For what, Needs needs, const Deadline& deadline);
  ~Waiting();
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

  /// One round between two looks. Throws `CellLost`; false when the time allowed is over.
  bool pause(bool something_came);

  /// Whether `ready()` when the others on this CPU have run once.
  template <class Ready>
  bool yield_to(const Ready& ready) {
    ++rounds_;
    is_fresh_ = false;
    sched_yield();
    return ready();
  }
  /// Whether `ready()` within about the time in which many cells on another CPU run once.
  template <class Ready>
  bool hold(const Ready& ready) {
    constexpr std::int64_t kHold_ns = 30'000;
    constexpr int kLooks = 16;
    is_fresh_ = false;
    do {
      for (int look = 0; look < kLooks; ++look) {
        if (ready()) return true;
        kinjo::detail::relax();
      }
    } while (now_ns() - begin_ns_ < kHold_ns);
    return false;
  }

 private:
  void look_around(std::int64_t now);
  void rest(std::int64_t idle_ns);
  void doze(std::int64_t nanoseconds);
  void sleep_until_rung(std::int64_t idle_ns);

  WorldImpl& world_;
  Wait::For what_;
  Needs needs_;
  Deadline deadline_;
  std::int64_t begin_ns_;
  bool is_fresh_ = true;  ///< `begin_ns_` is now
  std::int64_t looked_ns_;
  std::int64_t idle_since_ns_;
  std::uint64_t rounds_ = 0;
  bool lying_ = false;
  std::uint32_t rung_ = 0;
};

/// Tells the other hosts' transport that this cell looks by itself meanwhile.
class Polling {
 public:
  explicit Polling(Remote* remote) : remote_(remote) {
    if (remote_ != nullptr) remote_->begin_polling();
  }
  ~Polling() {
    if (remote_ != nullptr) remote_->end_polling();
  }
  Polling(const Polling&) = delete;
  Polling& operator=(const Polling&) = delete;

 private:
  Remote* remote_;
};

/// As long as a line takes to and fro.
inline constexpr int kFirstLooks = 512;

/// The beginning of a wait for what another cell of this host writes by itself, without a look at
/// anything else. Whether it was `ready()`.
template <class Ready>
inline bool look_first(const WorldImpl& world, const Ready& ready) {
  if (ready()) return true;
  if (world.remote || world.neighbourhood.shares_cpu()) return false;
  for (int look = 0; look < kFirstLooks; ++look) {
    if (ready()) return true;
  }
  return false;
}

/// How a wait begins where cells of one host share CPUs.
enum class Begin {
  progress,   ///< as it goes on
  yield_cpu,  ///< lets the others run before it looks at anything else
  hold_cpu,   ///< looks for a little while: nobody else on this CPU has anything to do
};

/// Waits until `ready()`. `describe()` says what was waited for, should the time run out.
template <class Ready, class Describe>
void keep_waiting(WorldImpl& world, Wait::For what, Needs needs, const Deadline& deadline,
                  const Ready& ready, const Describe& describe, Begin begin = Begin::progress) {
  // Most waits between cells that run at the same time end within a microsecond: no clock for them.
  constexpr int kQuickRounds = 24;
  constexpr int kLooks = 8;
  const Polling polling(world.remote.get());
  const bool yields = world.neighbourhood.shares_cpu();
  for (int round = 0; round < kQuickRounds && !yields; ++round) {
    world.progress();
    for (int look = 0; look < kLooks; ++look) {
      if (ready()) return;
    }
  }
  Waiting waiting(world, what, needs, deadline);
  if (yields && !world.remote && begin != Begin::progress) {
    if (begin == Begin::hold_cpu ? waiting.hold(ready) : waiting.yield_to(ready)) return;
  }
  for (;;) {
    const bool something_came = world.progress();
    if (ready()) return;
    try {
      if (!waiting.pause(something_came)) {
        throw_timed_out(world.cells.cell, deadline, describe());
      }
      // Others have run meanwhile; a look into all rings takes longer than this one.
      if (yields && what != Wait::For::message && ready()) return;
    } catch (const CellLost&) {
      // Who leaves after the last barrier has released it before.
      if (ready()) return;
      throw;
    }
  }
}

/// The same, after a first look. A message is not there before it has been taken out of its ring.
template <class Ready, class Describe>
void wait_for(WorldImpl& world, Wait::For what, Needs needs, const Deadline& deadline,
              const Ready& ready, const Describe& describe) {
  if (what == Wait::For::message ? ready() : look_first(world, ready)) return;
  keep_waiting(world, what, needs, deadline, ready, describe);
}

}  // namespace kinjo::comm::detail
