#include "comm/ucx/alarm.hpp"

#include <poll.h>

#include <algorithm>

namespace kinjo::comm::detail {

namespace {

using std::chrono::nanoseconds;

/// The program's own thread may have taken what the library's was woken for, and the other way
/// round: that is no false alarm yet.
constexpr unsigned kInnocent = 2;
constexpr unsigned kMostDoublings = 6;
constexpr nanoseconds kFirstPause{20'000};

/// Whether the first of two descriptors is readable before the time is over or the second is.
bool poll_two(int first, int second, nanoseconds time) {
  pollfd events[] = {{first, POLLIN, 0}, {second, POLLIN, 0}};  // poll passes over negative ones
  const timespec timeout{time.count() / 1'000'000'000, time.count() % 1'000'000'000};
  return ppoll(events, 2, &timeout, nullptr) > 0 && events[0].revents != 0;
}

}  // namespace

nanoseconds Alarm::pause() const noexcept {
  const unsigned rung = rung_.load(std::memory_order_relaxed);
  if (rung <= kInnocent) return nanoseconds(0);
  return kFirstPause * (1u << std::min(rung - kInnocent - 1, kMostDoublings));
}

void Alarm::sleep(int descriptor, int other, nanoseconds longest) {
  if (longest <= nanoseconds(0)) return;
  if (descriptor >= 0) {
    const nanoseconds deaf = std::min(pause(), longest);
    if (deaf > nanoseconds(0) && poll_two(other, -1, deaf)) return;
    longest -= deaf;
  }
  if (poll_two(descriptor, other, longest)) rung_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace kinjo::comm::detail
