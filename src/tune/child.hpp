/// One run of a program from start to end: timed, held to limits, and never left behind.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tune/signals.hpp"

namespace kinjo::detail {

struct ChildLimits {
  std::optional<double> timeout_s;
  std::uint64_t output_bytes = std::uint64_t{64} << 20;  ///< of standard output and error, each
};

struct ChildOutcome {
  enum class End {
    exited,
    signalled,
    timed_out,
    wrote_too_much,
    wanted_terminal,  ///< which it does not get: it was stopped by SIGTTIN or SIGTTOU
    interrupted,
    not_started
  };
  End end = End::not_started;
  int code = 0;             ///< exit status, or the signal
  std::string message;      ///< why it did not start
  double seconds = 0;       ///< from where the program begins, by the child's clock, to the end
  double user_seconds = 0;  ///< of it and the children that it waited for
  double system_seconds = 0;
  std::uint64_t max_resident_bytes = 0;
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
  std::string notes;   ///< what was written there before the program began, and by who was then
                       ///< started to watch over it
};

/// Executes a program in the place of the calling process, and calls `begins` directly before it
/// does: what it writes to standard error until then are notes. If it returns, that is why it did
/// not.
using Become = std::function<std::string(const std::function<void()>& begins)>;

/// Runs a program in a process group of its own, with an empty standard input. `become` is called
/// in the forked child.
/// A time-out, too much output and an interruption kill the whole group and wait for its end; if
/// kinjo itself is killed the kernel kills the program. Output goes to files in memory without a
/// name. Throws `Error` (`system`) if no process or file can be made.
ChildOutcome run_child(const Become& become, const ChildLimits& limits, Signals& signals);

/// `exit status 3`, `killed by SIGSEGV`, `did not end within 10 s`; empty if it ended with status
/// 0.
std::string describe_failure(const ChildOutcome& outcome, const ChildLimits& limits);

}  // namespace kinjo::detail
