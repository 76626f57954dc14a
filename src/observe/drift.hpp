/// What changed between two looks at one process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "observe/process_view.hpp"

namespace kinjo {

/// A thread of both looks that is elsewhere now, or may run elsewhere.
struct ThreadDrift {
  int tid = 0;
  std::string name;
  int cpu_before = -1, cpu_now = -1;
  int node_before = -1, node_now = -1;
  CpuSet allowed_before, allowed_now;
  bool changed_cpu() const { return cpu_before != cpu_now; }
  bool changed_node() const { return node_before != node_now; }
  bool changed_mask() const { return !(allowed_before == allowed_now); }
};

/// Bytes that a node won (positive) or lost.
using NodeChange = std::map<int, std::int64_t>;

struct Drift {
  double seconds = 0;                       ///< between the looks
  std::vector<ThreadDrift> threads;         ///< those that changed, by number
  std::size_t started = 0;                  ///< threads
  std::size_t ended = 0;                    ///< threads
  std::optional<std::uint64_t> migrations;  ///< of threads of both looks, if the kernel counts them
  NodeChange memory;  ///< nodes whose bytes changed; empty if a look has no memory
  /// What moved from node to node, at least: over the mappings of both looks, the lesser of what
  /// nodes won there and what nodes lost.
  std::uint64_t moved_bytes = 0;
  /// Pages that AutoNUMA moved, if the kernel counts them.
  std::optional<std::uint64_t> numa_pages_migrated;

  /// Neither threads nor pages are elsewhere.
  bool empty() const;
};

/// Both looks must be at the same process.
Drift drift(const ProcessView& before, const ProcessView& now);

/// Brings what the look before knew into this one: threads that had a CPU for a hundredth of the
/// time since count as running too, and changes of CPU add up.
void carry_over(const ProcessView& before, ProcessView& now);

}  // namespace kinjo
