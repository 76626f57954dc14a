/// What a process is that has been forked off, and what it can go on with.
///
/// A child has the thread that forked, and the memory as it was at that moment: threads stay with
/// the process that started them, and a lock that another thread held would stay held for ever.
#pragma once

#include <atomic>
#include <mutex>

namespace kinjo::detail {

/// Counted in every child.
extern std::atomic<unsigned> fork_count;

/// Remembers which process it was made in.
class ForkMark {
 public:
  ForkMark() : count_(fork_count.load(std::memory_order_relaxed)) {}
  /// Whether this process is a child, of whatever generation, of the one that made the mark.
  bool is_in_child() const noexcept { return count_ != fork_count.load(std::memory_order_relaxed); }

 private:
  unsigned count_;
};

/// Process-wide locks that a fork waits for, so that a child finds them free and what they guard
/// whole. A thread that holds one takes only later ones, and does not fork.
enum class ForkLock {
  process_table,  ///< of the C API
  buffers,        ///< of the C API
  this_machine,   ///< the first discovery
  hwloc,          ///< its topologies, and the variables of the environment that it reads
};
std::mutex& mutex_of(ForkLock lock) noexcept;

}  // namespace kinjo::detail
