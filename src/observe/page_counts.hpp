/// The pages of a process by node, through whichever of the kernel's doors is open.
///
/// The ladder: /proc/PID/numa_maps; where a kernel has none (no CONFIG_NUMA), every resident page
/// of /proc/PID/maps and pagemap is asked of move_pages(2); where that is missing too and the
/// machine has one node, all resident pages are on it. The result says which rung held.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <kinjo/topology.hpp>

#include "observe/memory_maps.hpp"

namespace kinjo {

/// Who said where the pages are.
enum class PageSource {
  numa_maps,   ///< /proc/PID/numa_maps
  move_pages,  ///< move_pages(2), asked about every resident page
  one_node,    ///< nobody: the kernel knows no nodes, so all resident pages are on the only one
};
const char* to_string(PageSource source) noexcept;

/// A mapping that has pages in memory.
struct MappingView {
  std::uint64_t begin = 0;       ///< address
  std::string name;              ///< file, `[heap]`, `[stack]`, or empty for anonymous memory
  std::string policy;            ///< as numa_maps writes it; empty if unknown
  std::uint64_t page_bytes = 0;  ///< the unit of the kernel's count
  NodeBytes bytes;
};

/// What a process has in memory. Pages that it shares with others count in full, as the kernel
/// counts them; huge pages count by their bytes.
struct MemoryView {
  PageSource source = PageSource::numa_maps;
  NodeBytes bytes;                    ///< over all mappings
  std::uint64_t unknown_bytes = 0;    ///< resident, and the kernel did not say where
  std::vector<MappingView> mappings;  ///< by address

  /// On `node`, 0 where there is nothing.
  std::uint64_t on(int node) const;
  std::uint64_t total() const { return total_bytes(bytes); }
};

/// move_pages(2) without moving: `nodes[i]` gets the node of the page or a negative errno; 0 or
/// errno.
using PageQuery = std::function<int(int pid, std::span<void* const> pages, std::span<int> nodes)>;

namespace detail {

/// A file or system call that was refused.
struct Refusal {
  std::string what;  ///< e.g. `/proc/7/numa_maps`
  int error = 0;
};

struct PageCounts {
  std::optional<MemoryView> memory;  ///< absent if refused
  Refusal refusal;
};

/// Counts the pages of thread `task`'s process; `proc` is the directory of that task. Throws
/// `Error` (`bad_input`) for files that the kernel would not write.
PageCounts count_pages(const std::string& proc, int task, std::optional<PageSource> wanted,
                       const Topology& machine, const PageQuery& query);

}  // namespace detail
}  // namespace kinjo
