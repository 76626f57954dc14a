/// What the kernel writes about a thread, as values: readers of /proc/PID/task/TID/{stat, status,
/// sched, schedstat}. Pure functions over text; a file that is not what proc(5) describes is an
/// `Error` (`bad_input`) that says which field was expected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <kinjo/index_set.hpp>

namespace kinjo::detail {

/// Of `stat`.
struct StatText {
  int id = 0;                     ///< of the thread
  std::string name;               ///< may hold any bytes, blanks and parentheses too
  char state = '?';               ///< R running, S asleep, D waiting for a device, Z zombie, …
  std::uint64_t flags = 0;        ///< the kernel's PF_ bits
  std::uint64_t cpu_ticks = 0;    ///< time on a CPU, user and system, in clock ticks
  std::uint64_t start_ticks = 0;  ///< when it started, in clock ticks since boot
  int cpu = -1;                   ///< where it runs, or ran last
  bool is_kernel_thread() const { return (flags & 0x00200000) != 0; }
  /// Whether the thread has ended, or is about to: the kernel sets PF_EXITING before it takes the
  /// thread's memory away, long before the state becomes Z.
  bool has_ended() const { return state == 'Z' || state == 'X' || (flags & 0x00000004) != 0; }
};
StatText parse_stat(std::string_view text);

/// Of `status`: what is there of it.
struct StatusText {
  int process = 0;        ///< Tgid: the process that the thread belongs to
  std::uint32_t uid = 0;  ///< effective user
  CpuSet allowed_cpus;
  NodeSet allowed_nodes;  ///< empty on a kernel that does not say
};
StatusText parse_status(std::string_view text);

/// Of `sched`: the kernel's own counts, absent where it does not keep them.
struct SchedText {
  std::optional<std::uint64_t> migrations;           ///< `se.nr_migrations`
  std::optional<std::uint64_t> numa_pages_migrated;  ///< by AutoNUMA, on this thread's faults
};
SchedText parse_sched(std::string_view text);

/// Of `schedstat`: time on a CPU.
std::uint64_t parse_schedstat_ns(std::string_view text);

}  // namespace kinjo::detail
