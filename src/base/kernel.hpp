/// The system calls that kinjo makes about CPUs and memory, raw: each returns what the kernel
/// answered, with errno as a value. Policy lies in placement/ and memory/, which call these.
#pragma once

#include <cstddef>
#include <span>

#include <kinjo/index_set.hpp>

namespace kinjo::detail {

/// Memory policies as the kernel numbers them (linux/mempolicy.h).
enum class MemoryPolicy : int {
  standard = 0,
  preferred = 1,
  bind = 2,
  interleave = 3,
  local = 4,
  preferred_many = 5
};

/// 0 or errno.
int set_affinity(const CpuSet& cpus);
/// The calling thread's mask, for any number of CPUs. Throws `Error` (`system`) if there is none.
CpuSet get_affinity();

/// 0 or errno.
int bind_memory(void* data, std::size_t bytes, MemoryPolicy policy, const NodeSet& nodes);
/// Policy of the calling thread and what it starts: 0 or errno.
int set_memory_policy(MemoryPolicy policy, const NodeSet& nodes);
/// Asks for the node of each page of a process (0: the calling one): `nodes[i]` gets it, or a
/// negative errno. 0 or errno.
int query_pages(std::span<void* const> pages, std::span<int> nodes, int process = 0);

}  // namespace kinjo::detail
