#include "paths/diagram/column.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace kinjo::paths::detail {

namespace {

/// Marks the items that branches of an item lead to; those of ⊥ and ⊤ as one more.
void mark_children(const DiagramData& diagram, std::size_t item, std::vector<std::uint8_t>& marks) {
  const std::size_t items = diagram.items();
  const NodeRef next = diagram.first[item + 1];
  const NodeRef after = diagram.first[std::min(item + 2, items)];
  std::size_t far = items;  // what was found last
  for (NodeRef ref = diagram.first[item]; ref < diagram.end(item); ++ref) {
    for (const NodeRef child : {diagram[ref].lo(), diagram[ref].hi()}) {
      if (child < kFirstNode) continue;
      // Nearly all branches lead to one of the next two items.
      if (child < after && (child < diagram.first[far] || child >= diagram.end(far))) {
        far = diagram.item_of(child);
      }
      marks[child >= next ? item + 1 : child >= after ? item + 2 : far] = 1;
    }
  }
}

}  // namespace

std::vector<std::uint32_t> last_users(const DiagramData& diagram) {
  std::vector<std::uint32_t> last(diagram.items());
  std::iota(last.begin(), last.end(), 0U);
  std::vector<std::uint8_t> marks(diagram.items() + 1);
  for (std::size_t item = diagram.items(); item-- > 0;) {
    std::ranges::fill(marks, 0);
    mark_children(diagram, item, marks);
    for (std::size_t other = item + 1; other < diagram.items(); ++other) {
      if (marks[other]) last[other] = static_cast<std::uint32_t>(item);
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
