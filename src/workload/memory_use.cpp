#include "workload/memory_use.hpp"

#include <cstdint>
#include <map>

namespace kinjo {

std::vector<NodePages> pages_by_node(const ArrayAudit& audit, bool binds) {
  std::map<int, NodePages> nodes;
  for (const auto& [node, there] : audit.total().by_node) nodes[node].there = there;
  if (binds) {
    for (const auto& [node, found] : audit.by_owner_node) {
      if (node < 0) continue;
      nodes[node].asked = found.pages;
      nodes[node].as_asked = found.on(node);
    }
  }
  std::vector<NodePages> list;
  for (auto& [node, pages] : nodes) {
    pages.node = node;
    list.push_back(pages);
  }
  return list;
}

Values page_values(const PlacementReport& placement, const PagesReport& pages,
                   const ArrayAudit& audit, bool binds) {
  Values values = {{"placement", to_string(placement.rung)},
                   {"pages", static_cast<std::int64_t>(audit.pages())}};
  if (binds) values.push_back({"pages_as_asked", static_cast<std::int64_t>(audit.as_asked())});
  values.push_back({"pages_where", audit.total().to_string()});
  if (!pages.message.empty()) values.push_back({"pages_message", pages.message});
  if (!placement.message.empty()) values.push_back({"placement_message", placement.message});
  return values;
}

Room room_for(std::size_t element_bytes) {
  constexpr double kShare = 0.6;
  const std::size_t available = available_memory_bytes();
  if (available == 0) return {SIZE_MAX / element_bytes, 0};
  return {static_cast<std::size_t>(kShare * static_cast<double>(available)) / element_bytes,
          available};
}

}  // namespace kinjo
