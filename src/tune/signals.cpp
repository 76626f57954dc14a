#include "tune/signals.hpp"

#include <chrono>
#include <cmath>
#include <ctime>
#include <exception>
#include <initializer_list>
#include <system_error>
#include <utility>

namespace kinjo::detail {

Signals::Signals(Quit quit) {
  sigemptyset(&watched_);
  sigaddset(&watched_, SIGCHLD);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    if (signal == SIGQUIT && quit == Quit::ends_at_once) continue;
    // Who started us may have it ignored (nohup); kept back it would come all the same.
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    sigaddset(&watched_, signal);
  }
  // Who started us may have SIGCHLD ignored; then children's statuses would be lost.
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &standard, &previous_child_);
  pthread_sigmask(SIG_BLOCK, &watched_, &previous_mask_);
}

Signals::~Signals() {
  take(0);  // a child that is waited for already
  restore();
}

void Signals::restore() const {
  sigaction(SIGCHLD, &previous_child_, nullptr);
  pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
}

Signals::Ending::Ending(const Signals& signals) : signals_(signals) {
  pthread_sigmask(SIG_SETMASK, &signals_.previous_mask_, nullptr);
}

Signals::Ending::~Ending() { pthread_sigmask(SIG_BLOCK, &signals_.watched_, nullptr); }

namespace {

/// In a thread that has it blocked.
void end_by(int signal) {
  sigset_t this_one;
  sigemptyset(&this_one);
  sigaddset(&this_one, signal);
  pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);
  raise(signal);
}

}  // namespace

Signals::Finishing::Finishing(Signals& signals, std::function<void()> told)
    : signals_(signals), told_(std::move(told)) {
  try {
    listener_ = std::thread([this] { listen(); });
  } catch (const std::system_error&) {  // then whoever asks afterwards learns of it
  }
}

Signals::Finishing::~Finishing() {
  if (!listener_.joinable()) return;
  over_ = true;
  pthread_kill(listener_.native_handle(), SIGCHLD);  // one of those that it waits for
  listener_.join();
}

void Signals::Finishing::listen() {
  using Clock = std::chrono::steady_clock;
  // Who sends it to a process and to its group, as `timeout` does, has asked once.
  constexpr auto kSameWish = std::chrono::milliseconds(300);
  Clock::time_point asked;
  for (;;) {
    const int signal = sigwaitinfo(&signals_.watched_, nullptr);
    if (over_ && signal == SIGCHLD) return;
    if (signal <= 0 || signal == SIGCHLD) continue;
    if (signals_.interrupted_ != 0) {
      if (Clock::now() - asked > kSameWish) end_by(signal);
      continue;
    }
    asked = Clock::now();
    signals_.interrupted_ = signal;
    try {
      told_();
    } catch (const std::exception&) {  // nobody could be told, who will see in the end
    }
  }
}

void Signals::take(double seconds) {
  const double whole = std::floor(seconds);
  const timespec limit{static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
  const int signal = sigtimedwait(&watched_, nullptr, &limit);
  if (signal > 0 && signal != SIGCHLD) interrupted_ = signal;
}

void Signals::wait(double seconds) { take(seconds); }

int Signals::interrupted() {
  if (interrupted_ == 0) take(0);
  return interrupted_;
}

}  // namespace kinjo::detail
