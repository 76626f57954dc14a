#include "paths/diagram/column.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace kinjo::paths::detail {

namespace {

/// Sets `last` to `item` for the items that its branches lead to.
void note_users(const DiagramData& diagram, std::size_t item, std::vector<std::uint32_t>& last) {
  const NodeRef next = diagram.first[item + 1];
  const NodeRef after = diagram.first[std::min(item + 2, diagram.items())];
  std::size_t far = item;  // what was found last
  for (NodeRef ref = diagram.first[item]; ref < diagram.end(item); ++ref) {
    for (const NodeRef child : {diagram[ref].lo(), diagram[ref].hi()}) {
      if (child < kFirstNode) continue;
      // Nearly all branches lead to one of the next two items.
      if (child < after && (child < diagram.first[far] || child >= diagram.end(far))) {
        far = diagram.item_of(child);
      }
      const std::size_t of_child = child >= next ? item + 1 : child >= after ? item + 2 : far;
      last[of_child] = static_cast<std::uint32_t>(item);
    }
  }
}

}  // namespace

Window::Window(const DiagramData& diagram)
    : diagram_(diagram), begins_(diagram.items() + 2), done_(diagram.items()) {
  std::vector<std::uint32_t> last(diagram.items());
  std::iota(last.begin(), last.end(), 0U);
  for (std::size_t item = diagram.items(); item-- > 0;) note_users(diagram, item, last);
  for (const std::uint32_t user : last) ++begins_[user + std::size_t{2}];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  for (std::uint32_t item = 0; item < last.size(); ++item) {
    done_[begins_[last[item] + std::size_t{1}]++] = item;
  }
}

void give_back(void* begin, void* end) {
  const std::uintptr_t page = page_bytes();
  const std::uintptr_t from = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const std::uintptr_t to = reinterpret_cast<std::uintptr_t>(end) / page * page;
  if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

}  // namespace kinjo::paths::detail
