/// Whether a process has been forked off since: threads stay with the process that started them.
#pragma once

#include <atomic>

namespace kinjo::detail {

/// Counted in every child, from the first `ForkMark` on.
extern std::atomic<unsigned> fork_count;

/// Remembers which process it was made in.
class ForkMark {
 public:
  ForkMark();
  /// Whether this process is a child, of whatever generation, of the one that made the mark.
  bool is_in_child() const noexcept { return count_ != fork_count.load(std::memory_order_relaxed); }

 private:
  unsigned count_;
};

}  // namespace kinjo::detail
