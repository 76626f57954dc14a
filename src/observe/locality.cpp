#include "observe/locality.hpp"

#include <algorithm>

namespace kinjo {

NodeThreads threads_by_node(const ProcessView& view, Counted which) {
  NodeThreads count;
  for (const ThreadView& thread : view.threads) {
    if (which == Counted::all || thread.running) ++count[thread.node];
  }
  return count;
}

std::optional<Locality> locality(const ProcessView& view) {
  if (!view.memory || view.memory->total() == 0) return std::nullopt;
  Locality result;
  NodeThreads threads = threads_by_node(view, Counted::running);
  if (threads.empty()) {
    result.none_running = true;
    threads = threads_by_node(view, Counted::all);
  }
  std::size_t count = 0;
  for (const auto& [node, n] : threads) count += n;
  for (const auto& [node, n] : threads) {
    const double t = static_cast<double>(n) / static_cast<double>(count);
    const double m =
        static_cast<double>(view.memory->on(node)) / static_cast<double>(view.memory->total());
    result.near += m;
    result.if_shared += t * m;
    result.if_divided += std::min(t, m);
  }
  return result;
}

}  // namespace kinjo
