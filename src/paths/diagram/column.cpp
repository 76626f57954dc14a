#include "paths/diagram/column.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace kinjo::paths::detail {

namespace {

/// Sets `last` to `item` for the items that branches of these nodes of its lead to.
void note_users(const DiagramData& diagram, std::size_t item, NodeRange nodes,
                std::vector<std::uint32_t>& last) {
  const NodeRef next = diagram.first[item + 1];
  const NodeRef after = diagram.first[std::min(item + 2, diagram.items())];
  std::size_t far = item;  // what was found last
  for (NodeRef ref = nodes.begin; ref < nodes.end; ++ref) {
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

/// From the first node that is still needed to the last one of an item, of all items: `last[j]` is
/// the last item whose branches lead to j, and references rise as items fall.
std::uint64_t widest(const DiagramData& diagram, const std::vector<std::uint32_t>& last) {
  std::vector<std::uint32_t> farthest(last.size());  // by item: that is needed last by it
  for (std::uint32_t j = 0; j < last.size(); ++j) farthest[last[j]] = j;
  std::uint64_t span = 1;
  std::uint32_t far = 0;
  for (std::size_t item = 0; item < last.size(); ++item) {
    far = std::max(far, farthest[item]);
    span = std::max(span, diagram.end(item) - diagram.first[far]);
  }
  return span;
}

}  // namespace

Window::Window(const DiagramData& diagram, Team* team)
    : begins_(diagram.items() + 2), done_(diagram.items()) {
  std::vector<std::uint32_t> last(diagram.items());
  std::iota(last.begin(), last.end(), 0U);
  const auto note = [&](std::size_t thread, std::size_t threads, std::vector<std::uint32_t>& mine) {
    for (std::size_t item = diagram.items(); item-- > 0;) {
      note_users(diagram, item, share_of(diagram, item, thread, threads), mine);
    }
  };
  if (team == nullptr) {
    note(0, 1, last);
  } else {
    std::vector<std::vector<std::uint32_t>> found(team->size(), last);
    team->run([&](const Place& me) {
      const auto thread = static_cast<std::size_t>(me.thread);
      note(thread, team->size(), found[thread]);
    });
    for (const auto& of_one : found) {
      std::ranges::transform(last, of_one, last.begin(), std::ranges::min);
    }
  }
  for (const std::uint32_t user : last) ++begins_[user + std::size_t{2}];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  for (std::uint32_t item = 0; item < last.size(); ++item) {
    done_[begins_[last[item] + std::size_t{1}]++] = item;
  }
  span_ = widest(diagram, last);
}

}  // namespace kinjo::paths::detail
