/// Places in a list of ids in rising order, looked up by an index of equal stretches of numbers:
/// about one step where ids are spread evenly, as hashes are, else a binary search of a stretch.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include <kinjo/graph.hpp>

namespace kinjo::graph::detail {

class SortedIds {
 public:
  explicit SortedIds(std::span<const VertexId> ids) : ids_(ids) {
    if (ids.empty()) return;
    const std::uint64_t spread = ids.back() - ids.front();
    const auto bits = static_cast<unsigned>(std::bit_width(spread)),
               wanted = static_cast<unsigned>(std::bit_width(ids.size()));
    shift_ = bits > wanted ? bits - wanted : 0;
    begins_.resize((spread >> shift_) + 2);
    std::size_t stretch = 0;
    for (std::size_t k = 0; k < ids.size(); ++k) {
      for (const std::size_t mine = stretch_of(ids[k]); stretch <= mine; ++stretch) {
        begins_[stretch] = static_cast<Vertex>(k);
      }
    }
    begins_.back() = static_cast<Vertex>(ids.size());
  }

  /// The place of an id, `kNoVertex` if it is not there.
  Vertex find(VertexId id) const {
    if (ids_.empty() || id < ids_.front() || id > ids_.back()) return kNoVertex;
    const std::size_t stretch = stretch_of(id);
    const auto begin = ids_.begin() + begins_[stretch], end = ids_.begin() + begins_[stretch + 1];
    const auto found = std::lower_bound(begin, end, id);
    return found == end || *found != id ? kNoVertex : static_cast<Vertex>(found - ids_.begin());
  }

 private:
  std::size_t stretch_of(VertexId id) const { return (id - ids_.front()) >> shift_; }

  std::span<const VertexId> ids_;
  unsigned shift_ = 0;
  std::vector<Vertex> begins_;  ///< of the stretches, and the end
};

}  // namespace kinjo::graph::detail
