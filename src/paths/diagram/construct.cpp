/// Families that are listed. Sets are sorted as bit strings, so those that begin alike stand
/// together; a node is such a range, and an item cuts it in two.
#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <kinjo/diagram.hpp>
#include <kinjo/error.hpp>

#include "paths/levels.hpp"

namespace kinjo::paths {

using detail::Child;
using detail::kDead;
using detail::kFirstChild;
using detail::kMember;
using detail::Levels;
using detail::RawLevel;

namespace {

Levels levels_of(std::size_t items, Child root) {
  if (items > kMostItems) {
    throw Error(Errc::invalid_argument,
                fmt::format("{} items: expected at most {}", items, kMostItems));
  }
  return {std::vector<RawLevel>(items), root};
}

/// Each once, those with an item before those without.
std::vector<Set> sorted_sets(std::size_t items, std::span<const Set> sets) {
  std::vector<Set> sorted(sets.begin(), sets.end());
  for (std::size_t s = 0; s < sorted.size(); ++s) {
    Set& set = sorted[s];
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
    if (set.empty() || set.back() < items) continue;
    throw Error(Errc::invalid_argument,
                fmt::format("set {} has item {}: expected less than {}", s, set.back(), items));
  }
  // The end of a set stands after all items.
  std::ranges::sort(sorted, [](const Set& a, const Set& b) {
    const auto [x, y] = std::ranges::mismatch(a, b);
    return x != a.end() && (y == b.end() || *x < *y);
  });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

/// Sets that have the same items so far, of which each has `taken`.
struct Group {
  std::size_t begin, end, taken;
};

class Grouping {
 public:
  Grouping(std::size_t items, const std::vector<Set>& sets)
      : sets_(sets), levels_(levels_of(items, kDead)) {}

  Levels run() {
    levels_.root = child({0, sets_.size(), 0});
    for (std::size_t item = 0; item < levels_.nodes.size(); ++item) {
      const std::vector<Group> groups = std::exchange(next_, {});
      for (const Group& group : groups) {
        std::size_t cut = group.begin;
        while (cut < group.end && has(sets_[cut], group.taken, item)) ++cut;
        const Child lo = child({cut, group.end, group.taken});
        const Child hi = child({group.begin, cut, group.taken + 1});
        levels_.nodes[item].push_back({lo, hi}, pool_);
      }
    }
    return std::move(levels_);
  }

 private:
  static bool has(const Set& set, std::size_t taken, std::size_t item) {
    return taken < set.size() && set[taken] == item;
  }
  Child child(const Group& group) {
    if (group.begin == group.end) return kDead;
    // The set that ends here is the last of its group.
    if (group.end - group.begin == 1 && sets_[group.begin].size() == group.taken) return kMember;
    next_.push_back(group);
    return static_cast<Child>(next_.size() - 1) + kFirstChild;
  }

  const std::vector<Set>& sets_;
  Levels levels_;
  detail::NodePool pool_;
  std::vector<Group> next_;
};

}  // namespace

Diagram Diagram::none(std::size_t items) { return reduce(levels_of(items, kDead)); }
Diagram Diagram::unit(std::size_t items) { return reduce(levels_of(items, kMember)); }

Diagram Diagram::power_set(std::size_t items) {
  Levels levels = levels_of(items, items == 0 ? kMember : kFirstChild);
  detail::NodePool pool;
  for (std::size_t item = 0; item < items; ++item) {
    const Child next = item + 1 == items ? kMember : kFirstChild;
    levels.nodes[item].push_back({next, next}, pool);
  }
  return reduce(std::move(levels));
}

Diagram Diagram::of(std::size_t items, std::span<const Set> sets) {
  return reduce(Grouping(items, sorted_sets(items, sets)).run());
}

}  // namespace kinjo::paths
