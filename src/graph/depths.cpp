/// Depths from parents: from each vertex upwards until a depth is known, and down again.
#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <kinjo/bfs.hpp>
#include <kinjo/error.hpp>

#include "graph/sorted_ids.hpp"

namespace kinjo::graph {

namespace {

constexpr std::int32_t kUnreached = -1;
constexpr std::int32_t kUnknown = -2;
constexpr std::int32_t kOnTheWay = -3;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Errc::invalid_argument, message);
}

/// Vertices are places in the arrays; callers call them otherwise where there are ids.
template <class Parent>
class Climber {
 public:
  Climber(std::span<const VertexId> ids, std::span<const Parent> parents,
          std::span<std::int32_t> depths)
      : ids_(ids), parents_(parents), depths_(depths) {}

  void settle(std::size_t v) {
    way_.clear();
    while (depths_[v] == kUnknown) {
      depths_[v] = kOnTheWay;
      way_.push_back(v);
      v = above(v);
    }
    if (depths_[v] == kOnTheWay && static_cast<std::size_t>(parents_[v]) != v) {
      refuse(fmt::format("the parents of vertex {} go round in a circle", name(v)));
    }
    if (depths_[v] == kUnreached) {
      refuse(fmt::format("vertex {} is reached, and its parent {} is not", name(way_.back()),
                         name(v)));
    }
    std::int32_t depth = depths_[v] == kOnTheWay ? -1 : depths_[v];
    for (auto each = way_.rbegin(); each != way_.rend(); ++each) depths_[*each] = ++depth;
  }

 private:
  std::uint64_t name(std::size_t v) const { return ids_.empty() ? v : ids_[v]; }

  std::size_t above(std::size_t v) const {
    const Parent parent = parents_[v];
    if (parent < 0 || static_cast<std::size_t>(parent) >= parents_.size()) {
      refuse(fmt::format("vertex {} has the parent {}: expected a vertex below {}, or -1", v,
                         parent, parents_.size()));
    }
    return static_cast<std::size_t>(parent);
  }

  std::span<const VertexId> ids_;
  std::span<const Parent> parents_;
  std::span<std::int32_t> depths_;
  std::vector<std::size_t> way_;
};

template <class Parent>
void find_depths(std::span<const VertexId> ids, std::span<const Parent> parents,
                 std::span<std::int32_t> depths) {
  if (parents.size() != depths.size()) {
    refuse(fmt::format("{} depths of {} parents: expected as many", depths.size(), parents.size()));
  }
  for (std::size_t v = 0; v < parents.size(); ++v) {
    depths[v] = parents[v] == -1 ? kUnreached : kUnknown;
  }
  Climber<Parent> climber(ids, parents, depths);
  for (std::size_t v = 0; v < parents.size(); ++v) {
    if (depths[v] == kUnknown) climber.settle(v);
  }
}

/// Parents as places among the ids, which they are.
std::vector<std::int64_t> places_of(std::span<const VertexId> ids,
                                    std::span<const std::int64_t> parents) {
  const detail::SortedIds sorted(ids);
  std::vector<std::int64_t> places(parents.begin(), parents.end());
  for (std::size_t v = 0; v < places.size(); ++v) {
    if (places[v] == -1) continue;
    const Vertex place = sorted.find(static_cast<VertexId>(places[v]));
    if (place == kNoVertex) {
      refuse(fmt::format("vertex {} has the parent {}: expected an id, or -1", ids[v], places[v]));
    }
    places[v] = place;
  }
  return places;
}

}  // namespace

void depths_of(std::span<const std::int32_t> parents, std::span<std::int32_t> depths) {
  find_depths({}, parents, depths);
}
void depths_of(std::span<const std::int64_t> parents, std::span<std::int32_t> depths) {
  find_depths({}, parents, depths);
}

void depths_of(std::span<const VertexId> ids, std::span<const std::int64_t> parents,
               std::span<std::int32_t> depths) {
  if (ids.size() != parents.size()) {
    refuse(fmt::format("{} parents of {} ids: expected as many", parents.size(), ids.size()));
  }
  if (std::ranges::adjacent_find(ids, std::ranges::greater_equal{}) != ids.end()) {
    refuse("ids are not in rising order");
  }
  find_depths<std::int64_t>(ids, places_of(ids, parents), depths);
}

}  // namespace kinjo::graph
