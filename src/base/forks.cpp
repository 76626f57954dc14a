#include "base/forks.hpp"

#include <pthread.h>

namespace kinjo::detail {

std::atomic<unsigned> fork_count{0};

ForkMark::ForkMark() {
  // Once in a process; a child takes the handler over.
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, [] { fork_count.fetch_add(1, std::memory_order_relaxed); });
  count_ = fork_count.load(std::memory_order_relaxed);
}

}  // namespace kinjo::detail
