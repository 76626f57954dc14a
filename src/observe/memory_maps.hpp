/// The mappings of a process as the kernel lists them: readers of /proc/PID/numa_maps and
/// /proc/PID/maps. Pure functions over text; a damaged line is an `Error` (`bad_input`) that names
/// it by its number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kinjo {

/// OS number of a node → bytes there.
using NodeBytes = std::map<int, std::uint64_t>;

/// All of them together.
std::uint64_t total_bytes(const NodeBytes& bytes);

namespace detail {

/// A line of numa_maps.
struct NumaMapping {
  std::uint64_t begin = 0;
  std::string policy;  ///< as the kernel writes it, e.g. `default` or `bind:0-1`
  std::string name;    ///< the file, `[heap]`, `[stack]` or empty; escapes are undone
  /// The unit in which the kernel counts here: a huge page of the pool, or a page of which a
  /// transparent huge page is many.
  std::uint64_t page_bytes = 0;
  NodeBytes bytes;  ///< pages by node times `page_bytes`
};

/// `page_bytes` is what kernels mean that do not say (before Linux 3.8).
std::vector<NumaMapping> parse_numa_maps(std::string_view text, std::uint64_t page_bytes);

/// A line of maps.
struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string name;  ///< the file, `[heap]`, `[stack]` … or empty
};
std::vector<AddressRange> parse_maps(std::string_view text);

}  // namespace detail
}  // namespace kinjo
