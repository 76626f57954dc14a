/// Where pages really are, asked of the kernel.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace kinjo {

/// Pages of a range of memory, counted by the node that holds them.
struct Audit {
  std::size_t page_bytes = 0;          ///< the unit that was asked about
  std::size_t pages = 0;               ///< in the range
  std::map<int, std::size_t> by_node;  ///< OS number of the node → pages there
  std::size_t not_present = 0;         ///< never touched, or swapped out
  std::size_t unknown = 0;             ///< the kernel did not say (see `refusal`)
  int refusal = 0;                     ///< errno of `move_pages` where it was refused

  /// Pages on `node`.
  std::size_t on(int node) const;
  /// Adds another range's counts.
  Audit& operator+=(const Audit& other);
  /// One line, e.g. `4096 pages: 2048 on node 0, 2048 on node 1`.
  std::string to_string() const;
};

/// Asks `move_pages` about every page that overlaps `[data, data + bytes)`. It moves nothing.
/// Never throws for a refusal: that is data (`refusal`, `unknown`). Throws `Error`
/// (`invalid_argument`) for a range that goes on behind the last address.
Audit audit(const void* data, std::size_t bytes);

}  // namespace kinjo
