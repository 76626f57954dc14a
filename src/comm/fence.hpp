/// A full fence that ThreadSanitizer can follow.
#pragma once

#include <atomic>

namespace kinjo::comm::detail {

/// Everything before it is seen by others before anything behind it is done.
inline void full_fence() noexcept {
#if defined(__SANITIZE_THREAD__)
  // It knows no fences, but a read and write of one word by all threads is as strong.
  static std::atomic<int> word{0};
  word.fetch_add(0, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace kinjo::comm::detail
