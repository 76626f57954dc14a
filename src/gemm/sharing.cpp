#include "gemm/sharing.hpp"

#include <map>

namespace kinjo::gemm {

Sharing::Sharing(const Plan& plan, std::size_t copied_at, Level level, const Mapping& mapping) {
  std::size_t together = 1;  // tasks of one group, on all nodes
  for (const Loop& loop : plan.loops().subspan(copied_at + 1)) {
    if (loop.level == Level::parallel) together *= loop.block;
  }
  const bool per_node = level != Level::machine;
  const std::size_t tasks = plan.tasks();
  std::map<std::pair<std::size_t, int>, std::vector<std::size_t>> members;
  for (std::size_t t = 0; t < tasks; ++t) {
    members[{t / together, per_node ? mapping[t].node : -1}].push_back(t);
  }
  shares_.resize(tasks);
  for (const auto& [key, list] : members) {
    Group& group = groups_.emplace_back(list.size());
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
      shares_[list[rank]] = {list.size() > 1 ? &group.barrier : nullptr, rank, list.size(),
                             &group.buffer};
    }
  }
}

void Sharing::break_barriers() noexcept {
  for (Group& group : groups_) group.barrier.break_it();
}

}  // namespace kinjo::gemm
