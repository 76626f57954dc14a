/// One look at a running process: where its threads run and where its pages lie.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/index_set.hpp>
#include <kinjo/topology.hpp>

#include "observe/page_counts.hpp"

namespace kinjo {

/// A thread at the moment of the look.
struct ThreadView {
  int tid = 0;
  std::string name;  ///< as the thread calls itself; any bytes
  char state = '?';  ///< the kernel's letter: R running or ready, S asleep, D waiting for a device
  /// On a CPU or ready for one: its state is R or, once there was a look before, it has had a CPU
  /// for at least one hundredth of the time since (`carry_over`).
  bool running = false;
  int cpu = -1;   ///< where it runs, or ran last
  int node = -1;  ///< that CPU's node; −1: it has none
  CpuSet allowed_cpus;
  NodeSet allowed_nodes;
  std::optional<std::uint64_t> migrations;  ///< from CPU to CPU, since it started, if counted
  std::uint64_t cpu_changes = 0;  ///< from look to look (`carry_over`): a lower bound of migrations
  std::optional<std::uint64_t> numa_pages_migrated;  ///< AutoNUMA, for this thread, if counted
  std::uint64_t cpu_time_ns = 0;
  std::uint64_t start_ticks = 0;  ///< tells it from a later thread of the same number
};

/// A process at the moment of the look.
struct ProcessView {
  int pid = 0;
  std::string name;
  std::uint32_t uid = 0;
  std::uint64_t start_ticks = 0;
  std::chrono::steady_clock::time_point when;
  std::vector<ThreadView> threads;   ///< by number; never empty
  std::optional<MemoryView> memory;  ///< absent if it was not asked for or was refused
  std::vector<std::string>
      missing;  ///< what the kernel did not say and what would help, a line each
};

struct LookOptions {
  std::string root;                  ///< prefixed to /proc; another than "" is for tests
  std::optional<PageSource> source;  ///< empty: by the ladder of page_counts.hpp
  PageQuery query;                   ///< empty: move_pages(2)
};

/// Looks at process `pid`. It is not stopped: threads move on while others are read, and every
/// value is true at its own moment. Needs no privilege for a process of the same user.
///
/// A refusal to show pages is data (`missing`). Throws `Error`: `not_found` for a process that is
/// not there, ends meanwhile or is a zombie, or for a number that is a thread's; `invalid_argument`
/// for a number below 1; `not_supported` for a thread of the kernel.
ProcessView look(pid_t pid, const Topology& machine, const LookOptions& options = {});

/// Looks at the calling process.
ProcessView where(const Topology& machine = Topology::this_machine());

/// The node that a CPU is local to, whether or not this process may use it; −1: there is none.
int node_of_cpu(const Topology& machine, int cpu);

/// Whether the kernel moves pages to the threads that use them (AutoNUMA); absent if it cannot.
std::optional<bool> numa_balancing(const std::string& root = "");

namespace detail {

/// Why the pages are missing and what would help, for an observer of that effective user.
std::string refusal_text(const ProcessView& view, const Refusal& refusal, std::uint32_t observer);

}  // namespace detail
}  // namespace kinjo
