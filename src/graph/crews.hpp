/// The threads of a team by their nodes, and work that each node's threads share.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

#include <kinjo/team.hpp>

namespace kinjo::graph::detail {

/// Which of `mapping.nodes()` a place is on.
inline std::size_t crew_of(const Mapping& mapping, const Place& me) {
  return static_cast<std::size_t>(std::ranges::find(mapping.nodes(), me.node) -
                                  mapping.nodes().begin());
}

/// Indices of tasks, some for each crew, handed out in turn.
class TaskQueue {
 public:
  explicit TaskQueue(std::vector<Range> of_crews)
      : of_crews_(std::move(of_crews)), next_(of_crews_.size()) {
    for (std::size_t c = 0; c < next_.size(); ++c) next_[c].task = of_crews_[c].begin;
  }

  std::optional<std::size_t> next(std::size_t crew) {
    const std::size_t task = next_[crew].task.fetch_add(1, std::memory_order_relaxed);
    if (task >= of_crews_[crew].end) return std::nullopt;
    return task;
  }

 private:
  struct alignas(64) Next {
    std::atomic<std::size_t> task{0};
  };
  std::vector<Range> of_crews_;
  std::vector<Next> next_;
};

}  // namespace kinjo::graph::detail
