/// Long work that Ctrl-C ends.
#pragma once

#include <time.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <kinjo/error.hpp>
#include <kinjo/team.hpp>

#include "lock.hpp"
#include "team.hpp"

namespace kinjo::python {

namespace nb = nanobind;

/// The exception of a signal's handler: Python runs them in its main thread alone, whenever a
/// program looks for signals there.
class SignalLook {
 public:
  static constexpr auto kBetween = std::chrono::milliseconds(20);

  SignalLook() : next_(now() + kBetween) {}

  /// Whether no handler has raised. To be called by the thread that Python called, without the
  /// interpreter's lock; looks at most once in `kBetween`, since the lock may take a while.
  bool go_on() {
    const std::chrono::nanoseconds here = now();
    if (raised_ || here < next_) return !raised_;
    next_ = here + kBetween;
    return look();
  }
  /// The same, now.
  bool look() {
    if (raised_) return false;
    const Locked acquired;
    if (PyErr_CheckSignals() != 0) raised_.emplace();
    return !raised_;
  }
  void rethrow() {
    if (raised_) throw *std::move(raised_);
  }

 private:
  /// By the clock's last tick, of which there are some hundred in a second: a fifth of the time of
  /// looking at the clock itself, which levels of a few states would feel.
  static std::chrono::nanoseconds now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  std::chrono::nanoseconds next_;
  std::optional<nb::python_error> raised_;
};

/// The result of `work()`, which runs in a thread of its own.
template <class Work>
auto beside(Work work) {
  try {
    return std::async(std::launch::async, std::move(work));
  } catch (const std::system_error& error) {
    throw Error(Errc::system, fmt::format("cannot start a thread beside the team's: {} (a limit on "
                                          "threads or memory?)",
                                          error.code().message()));
  }
}

/// `work(team, go_on)` in a thread of its own, while this one looks for signals.
template <class Work>
auto interruptible_beside(Team& team, Work& work) {
  std::atomic<bool> stop{false};
  const auto go_on = [&stop] { return !stop.load(std::memory_order_relaxed); };
  auto result = beside([&] { return work(team, go_on); });
  SignalLook signals;
  {
    const Unlocked released;
    while (result.wait_for(SignalLook::kBetween) != std::future_status::ready) {
      if (!signals.look()) stop = true;
    }
  }
  signals.rethrow();
  return result.get();
}

/// `work(team, go_on)` in this thread, which looks for signals whenever it is asked to go on.
template <class Work>
auto interruptible_here(Team& caller, Work& work) {
  SignalLook signals;
  const auto go_on = [&signals] { return signals.go_on(); };
  try {
    auto result = [&] {
      const Unlocked released;
      return work(caller, go_on);
    }();
    signals.rethrow();
    return result;
  } catch (const Error&) {
    signals.rethrow();  // it is what the handler raised that ended the work
    throw;
  }
}

/// What `work(team, go_on)` returns, which runs without the interpreter's lock and asks `go_on()`
/// between its steps. Where the handler of a signal raises, that is false from then on, what `work`
/// returns is dropped, and the exception is thrown.
template <class Work>
auto interruptible(const PythonTeam& team, Work&& work) {
  const WorkingTeam working(team);
  if (working.is_caller()) return interruptible_here(*working, work);
  return interruptible_beside(*working, work);
}

}  // namespace kinjo::python
