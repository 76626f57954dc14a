#include "tune/signals.hpp"

#include <cmath>
#include <ctime>
#include <initializer_list>

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
