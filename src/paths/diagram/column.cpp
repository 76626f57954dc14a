#include "paths/diagram/column.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace kinjo::paths::detail {

std::vector<std::uint32_t> last_users(const DiagramData& diagram) {
  std::vector<std::uint32_t> last(diagram.items());
  for (std::size_t item = 0; item < last.size(); ++item) {
    last[item] = static_cast<std::uint32_t>(item);
  }
  std::vector<std::uint8_t> is_used(diagram.items() + 1);
  for (std::size_t item = diagram.items(); item-- > 0;) {
    std::ranges::fill(is_used, 0);
    const NodeRef next = diagram.first[item + 1];
    const NodeRef after = item + 2 <= diagram.items() ? diagram.first[item + 2] : kFirstNode;
    for (NodeRef ref = diagram.first[item]; ref < diagram.end(item); ++ref) {
      for (const NodeRef child : {diagram[ref].lo(), diagram[ref].hi()}) {
        // Nearly all branches lead to one of the next two items.
        is_used[child >= next ? item + 1 : child >= after ? item + 2 : diagram.item_of(child)] = 1;
      }
    }
    for (std::size_t other = item + 1; other < diagram.items(); ++other) {
      if (is_used[other]) last[other] = static_cast<std::uint32_t>(item);
    }
  }
  return last;
}

void give_back(void* begin, void* end) {
  const std::uintptr_t page = page_bytes();
  const std::uintptr_t from = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const std::uintptr_t to = reinterpret_cast<std::uintptr_t>(end) / page * page;
  if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

}  // namespace kinjo::paths::detail
