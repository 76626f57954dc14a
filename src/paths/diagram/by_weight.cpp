/// Sets by rising weight. `best` of a node is the weight of the lightest set below it. A way is an
/// unfinished set: what was taken, and the node where it stands; it weighs what it has taken and
/// `best` of where it stands, which the walk along the better branches reaches. At each node of
/// that walk the other branch is another way, put off into a heap. The lightest way of the heap is
/// next.
#include <algorithm>
#include <limits>
#include <vector>

#include <kinjo/diagram_members.hpp>

#include "paths/diagram/column.hpp"
#include "paths/diagram/room.hpp"
#include "paths/diagram/weights.hpp"

namespace kinjo::paths {

using detail::Column;
using detail::DiagramData;

namespace {

/// What was taken before, and one item more: a list that ways share.
struct Taken {
  std::size_t before;
  Item item;
};
constexpr std::size_t kNothing = ~std::size_t{0};

struct Way {
  double weight;       ///< of its lightest set
  std::size_t number;  ///< of two of a weight the one found first is first
  double taken_weight;
  std::size_t taken;  ///< the last item taken
  NodeRef at;
};

/// For heaps, whose first element is the greatest.
bool is_later(const Way& a, const Way& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.number > b.number;
}

}  // namespace

struct ByWeight::Impl {
  Impl(std::shared_ptr<const DiagramData> data, std::span<const double> given,
       const detail::Room& taken_room)
      : room(taken_room),
        diagram(std::move(data)),
        weights(given.begin(), given.end()),
        best(*diagram) {
    best[kBottom] = std::numeric_limits<double>::infinity();
    best[kTop] = 0;
    detail::visit_upward(*diagram,
                         [&](std::size_t item, NodeRef ref, const detail::PackedNode& node) {
                           best[ref] = std::min(best[node.lo()], best[node.hi()] + weights[item]);
                         });
    make_room(ways);
    put_off({0, 0, 0, kNothing, diagram->root});
  }

  /// For what one set may add, so that nothing is lost where there is none.
  template <class T>
  void make_room(std::vector<T>& entries) {
    const std::size_t most = entries.size() + diagram->items() + 1, before = entries.capacity();
    if (most <= before) return;
    const std::size_t count = std::max(most, 2 * before);
    room.take(count * sizeof(T));
    entries.reserve(count);
    room.give_back(before * sizeof(T));
  }

  void put_off(Way way) {
    if (way.at == kBottom) return;
    way.weight = way.taken_weight + best[way.at];
    way.number = ways_had++;
    ways.push_back(way);
    std::ranges::push_heap(ways, is_later);
  }

  Way with(Way way, Item item) {
    taken.push_back({way.taken, item});
    way.taken = taken.size() - 1;
    way.taken_weight += weights[item];
    way.at = (*diagram)[way.at].hi();
    return way;
  }
  Way without(Way way) const {
    way.at = (*diagram)[way.at].lo();
    return way;
  }

  /// Walks to ⊤ and puts off what is left at the wayside.
  Way finish(Way way) {
    for (std::size_t item = 0; way.at >= kFirstNode;) {
      item = diagram->item_of(way.at);
      const detail::PackedNode& node = (*diagram)[way.at];
      const bool takes = best[node.hi()] + weights[item] <= best[node.lo()];
      if (node.lo() == kBottom) {
        way = with(way, static_cast<Item>(item));
        continue;
      }
      const Way other = with(way, static_cast<Item>(item)), same = without(way);
      put_off(takes ? same : other);
      way = takes ? other : same;
    }
    return way;
  }

  detail::Room room;
  std::shared_ptr<const DiagramData> diagram;
  std::vector<double> weights;
  Column<double> best;
  std::vector<Way> ways;
  std::vector<Taken> taken;
  std::size_t ways_had = 0;
};

ByWeight::ByWeight(const Diagram& diagram, std::span<const double> weights,
                   std::uint64_t memory_limit) {
  detail::check_weights(*diagram.data(), weights);
  detail::Room room(*diagram.data(), memory_limit, "listing sets by weight");
  room.take(diagram.nodes() * sizeof(double));
  impl_ = std::make_unique<Impl>(diagram.data(), weights, room);
}
ByWeight::~ByWeight() = default;
ByWeight::ByWeight(ByWeight&&) noexcept = default;
ByWeight& ByWeight::operator=(ByWeight&&) noexcept = default;

std::optional<WeightedSet> ByWeight::next() {
  std::vector<Way>& ways = impl_->ways;
  if (ways.empty()) return std::nullopt;
  impl_->make_room(ways);
  impl_->make_room(impl_->taken);
  std::ranges::pop_heap(ways, is_later);
  const Way first = ways.back();
  ways.pop_back();
  const Way way = impl_->finish(first);
  WeightedSet found;
  for (std::size_t t = way.taken; t != kNothing; t = impl_->taken[t].before) {
    found.set.push_back(impl_->taken[t].item);
  }
  std::ranges::reverse(found.set);
  found.weight = detail::weight_of(found.set, impl_->weights);
  return found;
}

}  // namespace kinjo::paths
