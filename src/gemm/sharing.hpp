/// Which tasks copy an operand together.
#pragma once

#include <deque>
#include <vector>

#include <kinjo/barrier.hpp>
#include <kinjo/gemm_plan.hpp>
#include <kinjo/mapping.hpp>

namespace kinjo::gemm {

/// One task's part in copying an operand: it copies share `rank` of `count` into `*buffer`, which
/// belongs to the task of rank 0.
struct Share {
  Barrier* barrier = nullptr;  ///< null for a task of its own
  std::size_t rank = 0, count = 1;
  void** buffer = nullptr;
};

/// The shares of all tasks in the copies of one operand.
///
/// Parallel loops inside of the copy make tasks that need the same copy; they make it together.
/// Unless there is one copy for the whole machine, the tasks of each node make their own.
class Sharing {
 public:
  Sharing() = default;
  /// For copies made at the loop `copied_at` of `plan`, of an operand whose block loop is of
  /// `level`: there is one for all nodes where that is `machine`.
  Sharing(const Plan& plan, std::size_t copied_at, Level level, const Mapping& mapping);
  bool empty() const { return shares_.empty(); }
  const Share& of(std::size_t task) const { return shares_[task]; }
  /// Lets the others go when one has failed.
  void break_barriers() noexcept;

 private:
  struct Group {
    explicit Group(std::size_t threads) : barrier(threads) {}
    Barrier barrier;
    void* buffer = nullptr;
  };
  std::deque<Group> groups_;
  std::vector<Share> shares_;
};

}  // namespace kinjo::gemm
