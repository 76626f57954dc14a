/// Looking at a process again and again, until it ends or somebody interrupts.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstddef>
#include <functional>

#include "observe/process_view.hpp"

namespace kinjo {

/// What ended a time of waiting.
enum class Waited { time_passed, process_ended, interrupted };

/// Waits so many seconds, or less.
using Wait = std::function<Waited(double seconds)>;

struct WatchPlan {
  double after_s = 0;     ///< before the first look
  double every_s = 1;     ///< from look to look
  std::size_t looks = 1;  ///< 0: as many as there is time for
};

/// Takes looks by the plan and hands each to `seen`, running threads marked by the look before.
/// Returns why it stopped; `time_passed`: all looks were taken. A process that ends before or in
/// its first look is `look`'s `Error`; one that ends later ends the watch.
Waited watch(const WatchPlan& plan, const Wait& wait, const std::function<ProcessView()>& look,
             const std::function<void(const ProcessView&)>& seen);

namespace detail {

/// SIGINT, SIGQUIT, SIGTERM and SIGHUP, held back from the calling thread and read from a file
/// instead, until the object goes.
class SignalFile {
 public:
  SignalFile();
  ~SignalFile();
  SignalFile(const SignalFile&) = delete;
  SignalFile& operator=(const SignalFile&) = delete;

  int file() const { return file_; }
  const sigset_t& mask_before() const { return before_; }

 private:
  sigset_t before_;
  int file_;
};

/// What becomes of a signal that arrives while a process is waited for.
enum class OnSignal {
  stop,  ///< waiting ends: `Waited::interrupted`
  pass,  ///< to the process, unless the terminal has given it the same already
};

/// Waits for the end of any process, a child or not.
class ProcessWaiter {
 public:
  ProcessWaiter(pid_t pid, const SignalFile& signals, OnSignal on_signal);
  ~ProcessWaiter();
  ProcessWaiter(const ProcessWaiter&) = delete;
  ProcessWaiter& operator=(const ProcessWaiter&) = delete;

  Waited wait(double seconds);

 private:
  bool has_ended() const;
  /// Whether the signal that has arrived ends the waiting.
  bool take_signal();

  pid_t pid_;
  int process_file_;  ///< −1 where the kernel has no pidfd_open
  const SignalFile& signals_;
  OnSignal on_signal_;
};

}  // namespace detail
}  // namespace kinjo
