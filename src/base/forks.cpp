#include "base/forks.hpp"

#include <pthread.h>

#include <array>
#include <cstddef>

#include <kinjo/lab.hpp>

namespace kinjo::detail {

constinit std::atomic<unsigned> fork_count{0};

namespace {

constinit std::array<std::mutex, 4> mutexes;

void prepare() {
  for (std::mutex& mutex : mutexes) mutex.lock();
}

void unlock() {
  for (std::mutex& mutex : mutexes) mutex.unlock();
}

void begin_child() {
  fork_count.fetch_add(1, std::memory_order_relaxed);
#ifdef KINJO_LAB_CAN_SPEAK
  // Whoever was speaking is not here. It guards no memory, so a fork need not wait for it.
  lab_speaking.clear(std::memory_order_release);
#endif
  unlock();
}

/// When the library is loaded: threads of its user may be inside it before there is any team. A
/// child takes the handlers over.
[[maybe_unused]] const int registered = pthread_atfork(prepare, unlock, begin_child);

}  // namespace

std::mutex& mutex_of(ForkLock lock) noexcept { return mutexes[static_cast<std::size_t>(lock)]; }

}  // namespace kinjo::detail
