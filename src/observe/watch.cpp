#include "observe/watch.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "observe/drift.hpp"
#include "observe/proc_files.hpp"
#include "observe/proc_text.hpp"

namespace kinjo {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

double seconds_until(Clock::time_point when) { return Seconds(when - Clock::now()).count(); }

Clock::time_point later(Clock::time_point when, double seconds) {
  return when + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
}

/// A look that is not the first: nothing if the process has ended, be its number used again.
std::optional<ProcessView> look_again(const std::function<ProcessView()>& look,
                                      const ProcessView& before) {
  try {
    ProcessView view = look();
    if (view.start_ticks != before.start_ticks) return std::nullopt;
    carry_over(before, view);
    return view;
  } catch (const Error& error) {
    if (error.code() != Errc::not_found) throw;
    return std::nullopt;
  }
}

}  // namespace

Waited watch(const WatchPlan& plan, const Wait& wait, const std::function<ProcessView()>& look,
             const std::function<void(const ProcessView&)>& seen) {
  if (plan.after_s > 0 && wait(plan.after_s) == Waited::interrupted) return Waited::interrupted;
  const Clock::time_point first = Clock::now();
  ProcessView view = look();
  seen(view);
  for (std::size_t taken = 1; plan.looks == 0 || taken < plan.looks; ++taken) {
    // By the clock, so that the looks' own time does not add up; one that is late is not made up.
    const auto due = later(first, static_cast<double>(taken) * plan.every_s);
    const Waited waited = wait(std::max(0.0, seconds_until(due)));
    if (waited != Waited::time_passed) return waited;
    auto next = look_again(look, view);
    if (!next) return Waited::process_ended;
    view = std::move(*next);
    seen(view);
  }
  return Waited::time_passed;
}

namespace detail {

SignalFile::SignalFile() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  file_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (file_ < 0) {
    const int error = errno;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    throw Error(Errc::system,
                fmt::format("cannot wait for signals: signalfd returned {}", errno_name(error)));
  }
}

SignalFile::~SignalFile() {
  close(file_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

ProcessWaiter::ProcessWaiter(pid_t pid, const SignalFile& signals, OnSignal on_signal)
    : pid_(pid),
      process_file_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))),
      signals_(signals),
      on_signal_(on_signal) {}

ProcessWaiter::~ProcessWaiter() {
  if (process_file_ >= 0) close(process_file_);
}

Waited ProcessWaiter::wait(double seconds) {
  constexpr double kSlice_s = 0.02;  // without a file for the process it must be looked after
  constexpr double kLongest_s = 3600;
  const Clock::time_point end = later(Clock::now(), std::min(seconds, 1e9));
  std::array<pollfd, 2> files = {
      {{signals_.file(), POLLIN, 0}, {process_file_, POLLIN, 0}}};  // poll leaves out file −1
  for (;;) {
    const double left_s = std::max(0.0, seconds_until(end));
    const double slice_s = std::min(left_s, process_file_ >= 0 ? kLongest_s : kSlice_s);
    const int ready = poll(files.data(), files.size(), static_cast<int>(slice_s * 1e3 + 0.999));
    if (ready > 0 && files[0].revents != 0 && take_signal()) return Waited::interrupted;
    if (has_ended()) return Waited::process_ended;
    if (left_s == 0) return Waited::time_passed;
  }
}

bool ProcessWaiter::has_ended() const {
  if (process_file_ >= 0) {
    pollfd file{process_file_, POLLIN, 0};
    return poll(&file, 1, 0) > 0;
  }
  const ProcFile stat = read_file(fmt::format("/proc/{}/stat", pid_));
  if (stat.error != 0) return true;
  const char state = parse_stat(stat.text).state;
  return state == 'Z' || state == 'X';
}

bool ProcessWaiter::take_signal() {
  signalfd_siginfo arrived{};
  if (read(signals_.file(), &arrived, sizeof arrived) != sizeof arrived) return false;
  if (on_signal_ == OnSignal::stop) return true;
  if (arrived.ssi_code != SI_KERNEL) kill(pid_, static_cast<int>(arrived.ssi_signo));
  return false;
}

}  // namespace detail
}  // namespace kinjo
