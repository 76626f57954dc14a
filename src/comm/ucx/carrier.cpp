#include "comm/ucx/carrier.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::comm::detail {

namespace {

constexpr std::chrono::milliseconds kAway{1};

/// Signals are for the program's own threads: none is delivered in a thread that starts meanwhile.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

Carrier::Carrier(Engine& engine, CellFirst& mutex, std::chrono::milliseconds beat)
    : engine_(engine),
      mutex_(mutex),
      beat_(beat),
      next_beat_(Clock::now()),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (wake_ < 0) {
    throw Error(Errc::system,
                fmt::format("cannot make an event: {}", kinjo::detail::errno_name(errno)));
  }
  const SignalsBlocked blocked;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& refusal) {
    ::close(wake_);
    throw Error(Errc::system,
                fmt::format("cannot start the thread that carries puts and gets on: {} (a limit on "
                            "threads?)",
                            kinjo::detail::errno_name(refusal.code().value())));
  }
}

Carrier::~Carrier() {
  is_ending_.store(true, std::memory_order_release);
  eventfd_write(wake_, 1);
  thread_.join();
  ::close(wake_);
}

void Carrier::run() {
  std::uint64_t seen = 0;
  while (!is_ending_.load(std::memory_order_acquire)) {
    if (Clock::now() >= next_beat_) beat();
    const std::uint64_t looks = looks_.load(std::memory_order_relaxed);
    if (looks != seen) {
      seen = looks;
      sleep_for(kAway);
    } else {
      carry();
    }
  }
}

void Carrier::carry() {
  bool is_armed = false;
  {
    const auto lock = mutex_.lock_behind();
    if (!engine_.turn()) is_armed = engine_.arm();
  }
  if (is_armed) engine_.sleep(next_beat_ - Clock::now(), wake_);
}

void Carrier::beat() {
  const auto lock = mutex_.lock_behind();
  const Clock::time_point now = Clock::now();
  engine_.beat(now);
  next_beat_ = now + beat_;
}

void Carrier::sleep_for(std::chrono::milliseconds time) {
  pollfd event{wake_, POLLIN, 0};
  poll(&event, 1, static_cast<int>(time.count()));
}

}  // namespace kinjo::comm::detail
