/// Counting by size: the polynomials Σ x^|S| of both branches, the second one shifted by one, added
/// from the last item up. All of a level have the same range of sizes and the same width of
/// numbers, and are given back when no branch leads to them any more.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include <kinjo/diagram.hpp>

#include "paths/diagram/data.hpp"
#include "paths/diagram/room.hpp"
#include "paths/diagram/zeros.hpp"

namespace kinjo::paths {

namespace {

using detail::DiagramData;

/// The sizes that sets below a level's nodes have.
struct Range {
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max(), greatest = 0;
  std::size_t size() const { return std::size_t{greatest} - least + 1; }
  void extend(const Range& other, std::uint32_t shift) {
    least = std::min(least, other.least + shift);
    greatest = std::max(greatest, other.greatest + shift);
  }
};

/// A level's polynomials: `limbs` words for each coefficient, the lowest first.
struct Level {
  Range range;
  std::size_t limbs = 1;
  std::size_t bits = 1;  ///< of the greatest coefficient
  detail::Zeros memory;
  std::size_t words() const { return range.size() * limbs; }
  std::uint64_t* of(std::uint64_t node) {
    return static_cast<std::uint64_t*>(memory.data()) + node * words();
  }
  const std::uint64_t* of(std::uint64_t node) const {
    return static_cast<const std::uint64_t*>(memory.data()) + node * words();
  }
};

/// `to` and `from` being numbers of `to_limbs` ≥ `from_limbs` words: to[i] += from[i].
void add(std::uint64_t* to, std::size_t to_limbs, const std::uint64_t* from, std::size_t from_limbs,
         std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, to += to_limbs, from += from_limbs) {
    std::uint64_t carry = 0;
    for (std::size_t l = 0; l < to_limbs; ++l) {
      if (l >= from_limbs && carry == 0) break;
      const auto sum =
          static_cast<unsigned __int128>(to[l]) + (l < from_limbs ? from[l] : 0) + carry;
      to[l] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
  }
}

/// By which item each item's nodes are led to last, in a pass from the last item up.
class LastUses {
 public:
  explicit LastUses(const DiagramData& diagram)
      : begins_(diagram.items() + 2), done_(diagram.items()) {
    std::vector<std::uint32_t> last(diagram.items());
    std::iota(last.begin(), last.end(), 0U);
    for (std::size_t item = diagram.items(); item-- > 0;) note(diagram, item, last);
    for (const std::uint32_t user : last) ++begins_[user + std::size_t{2}];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    for (std::uint32_t item = 0; item < last.size(); ++item) {
      done_[begins_[last[item] + std::size_t{1}]++] = item;
    }
  }

  /// Calls `forget(other)` for each other item that nothing leads to after `item`.
  template <class Forget>
  void end_item(std::size_t item, Forget&& forget) const {
    for (std::size_t i = begins_[item]; i < begins_[item + 1]; ++i) {
      if (done_[i] != item) forget(done_[i]);
    }
  }

 private:
  static void note(const DiagramData& diagram, std::size_t item, std::vector<std::uint32_t>& last) {
    std::size_t found = item;  // last: the next one is nearly always of the same item
    for (NodeRef ref = diagram.first[item]; ref < diagram.end(item); ++ref) {
      for (const NodeRef child : {diagram[ref].lo(), diagram[ref].hi()}) {
        if (child < kFirstNode) continue;
        if (child < diagram.first[found] || child >= diagram.end(found)) {
          found = child >= diagram.first[item + 1] ? item + 1 : diagram.item_of(child);
        }
        last[found] = static_cast<std::uint32_t>(item);
      }
    }
  }

  std::vector<std::size_t> begins_;  ///< by item, in `done_`
  std::vector<std::uint32_t> done_;  ///< items, by who leads to them last
};

class SizeCounts {
 public:
  SizeCounts(const DiagramData& diagram, std::uint64_t memory_limit,
             const std::function<bool()>& go_on)
      : diagram_(diagram),
        go_on_(go_on),
        last_uses_(diagram),
        levels_(diagram.items() + 1),
        room_(diagram, memory_limit, "counting the sets of a diagram by size") {
    Level& end = levels_.back();
    end.range = {0, 0};
    end.memory = detail::Zeros(2 * sizeof(std::uint64_t));
    *end.of(kTop) = 1;
  }

  std::vector<Count> run() {
    if (diagram_.root == kBottom) return {};
    for (std::size_t item = diagram_.items(); item-- > 0;) {
      begin(item);
      for (NodeRef ref = diagram_.first[item]; ref < diagram_.end(item); ++ref) {
        if (go_on_ && ref % kNodesBetweenLooks == 0 && !go_on_()) return {};
        std::uint64_t* const sums = levels_[item].of(ref - diagram_.first[item]);
        add_child(item, sums, diagram_[ref].lo(), 0);
        add_child(item, sums, diagram_[ref].hi(), 1);
      }
      end(item);
    }
    return result();
  }

 private:
  /// Each takes up to some microseconds.
  static constexpr NodeRef kNodesBetweenLooks = 1 << 10;

  std::size_t level_of(std::size_t item, NodeRef child) const {
    if (child < kFirstNode) return diagram_.items();
    return child >= diagram_.first[item + 1] ? item + 1 : diagram_.item_of(child);
  }
  NodeRef begin_of(std::size_t level) const {
    return level == diagram_.items() ? kBottom : diagram_.first[level];
  }

  void begin(std::size_t item) {
    Level& level = levels_[item];
    const std::uint64_t nodes = diagram_.end(item) - diagram_.first[item];
    if (nodes == 0) return;
    for (NodeRef ref = diagram_.first[item]; ref < diagram_.end(item); ++ref) {
      const NodeRef lo = diagram_[ref].lo();
      if (lo != kBottom) extend(level, item, lo, 0);
      extend(level, item, diagram_[ref].hi(), 1);
    }
    level.limbs = (level.bits + 1 + 63) / 64;
    const std::uint64_t bytes = nodes * level.words() * sizeof(std::uint64_t);
    room_.take(bytes);
    level.memory = detail::Zeros(bytes);
  }

  void extend(Level& level, std::size_t item, NodeRef child, std::uint32_t shift) const {
    const Level& from = levels_[level_of(item, child)];
    level.range.extend(from.range, shift);
    level.bits = std::max(level.bits, from.bits);
  }

  void add_child(std::size_t item, std::uint64_t* sums, NodeRef child, std::uint32_t shift) {
    if (child == kBottom) return;
    const std::size_t below = level_of(item, child);
    const Level &to = levels_[item], &from = levels_[below];
    const std::size_t skipped = from.range.least + shift - to.range.least;
    add(sums + skipped * to.limbs, to.limbs, from.of(child - begin_of(below)), from.limbs,
        from.range.size());
  }

  void end(std::size_t item) {
    Level& level = levels_[item];
    if (level.memory.bytes() != 0) {
      level.bits = greatest_bits(level, diagram_.end(item) - diagram_.first[item]);
    }
    last_uses_.end_item(item, [&](std::size_t other) {
      room_.give_back(levels_[other].memory.bytes());
      levels_[other].memory = {};
    });
  }

  static std::size_t greatest_bits(const Level& level, std::uint64_t nodes) {
    std::uint64_t high = 0;
    for (const std::uint64_t* word = level.of(0) + level.limbs - 1; word < level.of(nodes);
         word += level.limbs) {
      high |= *word;
    }
    return 64 * (level.limbs - 1) + static_cast<std::size_t>(std::bit_width(high));
  }

  std::vector<Count> result() const {
    const std::size_t level = diagram_.item_of(diagram_.root);
    const Level& root = levels_[level];
    std::vector<Count> counts(root.range.least);
    const std::uint64_t* word = root.of(diagram_.root - begin_of(level));
    for (std::size_t i = 0; i < root.range.size(); ++i, word += root.limbs) {
      counts.emplace_back(std::span(word, root.limbs));
    }
    while (counts.back() == Count()) counts.pop_back();
    return counts;
  }

  const DiagramData& diagram_;
  const std::function<bool()>& go_on_;
  const LastUses last_uses_;
  std::vector<Level> levels_;  ///< by item, then that of ⊥ and ⊤
  detail::Room room_;
};

}  // namespace

std::vector<Count> Diagram::count_by_size(std::uint64_t memory_limit,
                                          const std::function<bool()>& go_on) const {
  return SizeCounts(*data_, memory_limit, go_on).run();
}

}  // namespace kinjo::paths
