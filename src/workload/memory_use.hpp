/// The memory of workloads: how much there may be, and where its pages were.
#pragma once

#include <cstddef>
#include <vector>

#include <kinjo/memory.hpp>
#include <kinjo/partitioned_array.hpp>

#include "measure/record.hpp"

namespace kinjo {

/// By node: where the pages were, beside where they were asked to be if something was asked
/// (`binds`).
std::vector<NodePages> pages_by_node(const ArrayAudit& audit, bool binds);

/// `placement` (the rung that held), `pages`, `pages_as_asked` if something was asked,
/// `pages_where`, and what the system said where it refused.
Values page_values(const PlacementReport& placement, const PagesReport& pages,
                   const ArrayAudit& audit, bool binds);

/// The most elements of which `element_bytes` each fit in 60 % of the memory that is available; the
/// rest is for the system and for others.
struct Room {
  std::size_t elements = 0;
  std::size_t available_bytes = 0;  ///< 0: the system does not say, and nothing is refused
};
Room room_for(std::size_t element_bytes);

}  // namespace kinjo
