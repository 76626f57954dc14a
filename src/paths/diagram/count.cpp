#include <kinjo/diagram.hpp>

#include "paths/diagram/data.hpp"

namespace kinjo::paths {

Diagram::Diagram() : data_(std::make_shared<detail::DiagramData>()) {}
std::size_t Diagram::items() const { return data_->items(); }
std::uint64_t Diagram::nodes() const { return data_->nodes; }
std::uint64_t Diagram::bytes() const { return data_->nodes * sizeof(detail::PackedNode); }

Count Diagram::count() const {
  std::vector<Count> counts = {Count(), Count(1)};
  for (std::uint64_t ref = 2; ref < data_->nodes + 2; ++ref) {
    const auto& node = (*data_)[ref];
    counts.push_back(counts[node.lo()] + counts[node.hi()]);
  }
  return counts[data_->root];
}

}  // namespace kinjo::paths
