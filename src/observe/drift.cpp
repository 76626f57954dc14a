#include "observe/drift.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace kinjo {

namespace {

/// The same thread in another look, null if it was not there.
const ThreadView* find_thread(const ProcessView& view, const ThreadView& wanted) {
  const auto found =
      std::lower_bound(view.threads.begin(), view.threads.end(), wanted.tid,
                       [](const ThreadView& thread, int tid) { return thread.tid < tid; });
  const bool same = found != view.threads.end() && found->tid == wanted.tid &&
                    found->start_ticks == wanted.start_ticks;
  return same ? &*found : nullptr;
}

void add(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& before,
         const std::optional<std::uint64_t>& now) {
  if (before && now) sum = sum.value_or(0) + (*now > *before ? *now - *before : 0);
}

void compare_threads(const ProcessView& before, const ProcessView& now, Drift& drift) {
  for (const ThreadView& thread : now.threads) {
    const ThreadView* was = find_thread(before, thread);
    if (!was) {
      ++drift.started;
      continue;
    }
    add(drift.migrations, was->migrations, thread.migrations);
    add(drift.numa_pages_migrated, was->numa_pages_migrated, thread.numa_pages_migrated);
    const ThreadDrift change{thread.tid, thread.name, was->cpu,          thread.cpu,
                             was->node,  thread.node, was->allowed_cpus, thread.allowed_cpus};
    if (change.changed_cpu() || change.changed_mask()) drift.threads.push_back(change);
  }
  drift.ended = before.threads.size() + drift.started - now.threads.size();
}

NodeChange difference(const NodeBytes& before, const NodeBytes& now) {
  NodeChange change;
  for (const auto& [node, bytes] : now) change[node] += static_cast<std::int64_t>(bytes);
  for (const auto& [node, bytes] : before) change[node] -= static_cast<std::int64_t>(bytes);
  std::erase_if(change, [](const auto& entry) { return entry.second == 0; });
  return change;
}

std::uint64_t moved_in(const MappingView& before, const MappingView& now) {
  std::uint64_t won = 0, lost = 0;
  for (const auto& [node, bytes] : difference(before.bytes, now.bytes)) {
    (bytes > 0 ? won : lost) += static_cast<std::uint64_t>(bytes > 0 ? bytes : -bytes);
  }
  return std::min(won, lost);
}

void compare_memory(const MemoryView& before, const MemoryView& now, Drift& drift) {
  drift.memory = difference(before.bytes, now.bytes);
  auto was = before.mappings.begin();
  for (const MappingView& mapping : now.mappings) {
    while (was != before.mappings.end() && was->begin < mapping.begin) ++was;
    if (was == before.mappings.end()) break;
    if (was->begin == mapping.begin && was->name == mapping.name) {
      drift.moved_bytes += moved_in(*was, mapping);
    }
  }
}

}  // namespace

bool Drift::empty() const {
  return threads.empty() && started == 0 && ended == 0 && memory.empty() && moved_bytes == 0;
}

Drift drift(const ProcessView& before, const ProcessView& now) {
  KINJO_ASSERT(before.pid == now.pid);
  Drift result;
  result.seconds = std::chrono::duration<double>(now.when - before.when).count();
  compare_threads(before, now, result);
  if (before.memory && now.memory) compare_memory(*before.memory, *now.memory, result);
  return result;
}

void carry_over(const ProcessView& before, ProcessView& now) {
  constexpr double kShare = 0.01;
  const double elapsed_ns =
      std::chrono::duration<double, std::nano>(now.when - before.when).count();
  for (ThreadView& thread : now.threads) {
    const ThreadView* was = find_thread(before, thread);
    if (!was) continue;
    thread.cpu_changes = was->cpu_changes + (was->cpu != thread.cpu);
    if (thread.cpu_time_ns < was->cpu_time_ns) continue;
    const auto used_ns = static_cast<double>(thread.cpu_time_ns - was->cpu_time_ns);
    thread.running = thread.running || (used_ns > 0 && used_ns >= kShare * elapsed_ns);
  }
}

}  // namespace kinjo
