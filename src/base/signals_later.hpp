/// Signals that wait while something must not be left half done.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace kinjo::detail {

/// Keeps the signals that people and schedulers end programs with from this thread, and from those
/// that it starts, until the scope ends.
class SignalsLater {
 public:
  SignalsLater() {
    sigset_t ending;
    sigemptyset(&ending);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  ~SignalsLater() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsLater(const SignalsLater&) = delete;
  SignalsLater& operator=(const SignalsLater&) = delete;

 private:
  sigset_t before_;
};

}  // namespace kinjo::detail
