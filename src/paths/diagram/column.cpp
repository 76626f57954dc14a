#include "paths/diagram/column.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kinjo::paths::detail {

namespace {

/// The lowest reference that a branch of these nodes leads to, not to ⊥ or ⊤; none is above all.
NodeRef lowest_child(const DiagramData& diagram, NodeRange nodes) {
  NodeRef lowest = ~NodeRef{0};
  for (NodeRef ref = nodes.begin; ref < nodes.end; ++ref) {
    // ⊥ and ⊤ are above all, too, so nothing branches on what a child is.
    const NodeRef lo = diagram[ref].lo() - kFirstNode, hi = diagram[ref].hi() - kFirstNode;
    lowest = std::min(lowest, std::min(lo, hi));
  }
  return lowest + kFirstNode < kFirstNode ? ~NodeRef{0} : lowest + kFirstNode;
}

}  // namespace

Window::Window(const DiagramData& diagram, Team* team) {
  std::vector<NodeRef> lowest(diagram.items(), ~NodeRef{0});  // by item
  const auto look = [&](std::size_t thread, std::size_t threads, std::vector<NodeRef>& mine) {
    for (std::size_t item = 0; item < mine.size(); ++item) {
      mine[item] = lowest_child(diagram, share_of(diagram, item, thread, threads));
    }
  };
  if (team == nullptr) {
    look(0, 1, lowest);
  } else {
    std::vector<std::vector<NodeRef>> found(team->size(), lowest);
    team->run([&](const Place& me) {
      const auto thread = static_cast<std::size_t>(me.thread);
      look(thread, team->size(), found[thread]);
    });
    for (const auto& of_one : found) {
      std::ranges::transform(lowest, of_one, lowest.begin(), std::ranges::min);
    }
  }
  NodeRef needed = ~NodeRef{0};  // from here on, by this item and those before it
  for (std::size_t item = 0; item < lowest.size(); ++item) {
    needed = std::min({needed, lowest[item], diagram.first[item]});
    span_ = std::max(span_, diagram.end(item) - needed);
  }
}

}  // namespace kinjo::paths::detail
