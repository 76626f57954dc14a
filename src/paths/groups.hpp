/// Items that are decided together: what a block of states becomes after all of them is looked up,
/// and nothing between.
///
/// To look a state up takes far longer than to decide about it, and a level that is looked up pays
/// only if many of its states are the same. So items go together while they at most quadruple a
/// block: two at which states stay and the forced ones between and behind them, which for a grid
/// are the edges of two vertices. More would repeat what they decide for equal states, and look
/// these up again: in grids three make for more look-ups than two, and in king's graphs and
/// complete graphs for hardly fewer.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "memory/growing_array.hpp"
#include "paths/bands.hpp"
#include "paths/expansion.hpp"
#include "paths/repeats.hpp"

namespace kinjo::paths::detail {

struct Group {
  std::size_t first = 0, last = 0;  ///< items
};

/// Items of a group that are not forced, at most.
inline constexpr std::size_t kMostOpen = 2;

/// Items of a group before its last band, at most: where few are left states that have become equal
/// die one by one, as in the last row of a grid, if nothing makes one of them. To decide about
/// larger states takes twice as long, to look them up hardly longer.
template <Specification S>
inline constexpr std::size_t kMostBefore = std::tuple_size_v<typename S::State> == 1 ? 5 : 3;

/// Whether a group is an item at which states stay.
template <Specification S>
bool stays(const S& specification, const Group& group) {
  return group.first == group.last && specification.stays(group.first);
}

/// Items of a group that may be both skipped and taken: each may double the number of sets.
template <Specification S>
std::size_t open_items(const S& specification, const Group& group) {
  std::size_t open = 0;
  for (std::size_t i = group.first; i <= group.last; ++i)
    open += is_forced(specification, i) ? 0 : 1;
  return open;
}

/// Each item by itself.
inline std::vector<Group> single_items(std::size_t items) {
  std::vector<Group> groups;
  for (std::size_t item = 0; item < items; ++item) groups.push_back({item, item});
  return groups;
}

/// All items behind some groups in groups, too, which end where bands do; what is too much for one
/// is first, item by item. Groups begin where bands repeat (repeats.hpp), so that they do, too:
/// `classes` are the items', or none, where it makes no difference whether anything repeats.
template <Specification S>
std::vector<Group> groups_of(const S& specification, const std::vector<std::uint32_t>& classes,
                             std::vector<Group> groups = {}) {
  const std::size_t begin = groups.empty() ? 0 : groups.back().last + 1;
  const std::vector<BandItems> bands = bands_of(specification, begin);
  const Repeats repeats = repeats_of(classes, bands);
  groups.reserve(groups.size() + bands.size());
  std::size_t open = kMostOpen;  // items of the last group
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const BandItems& band = bands[b];
    std::size_t first = band.first;
    std::size_t more = band.last - first + (is_forced(specification, band.last) ? 0 : 1);
    if (!groups.empty() && open + more <= kMostOpen && !repeats.begins_at(b) &&
        band.first - groups.back().first < kMostBefore<S> &&
        !merges(specification, groups.back().last)) {
      open += more;
      groups.back().last = band.last;
      continue;
    }
    for (; more > kMostOpen; --more, ++first) groups.push_back({first, first});
    groups.push_back({first, band.last});
    open = more;
  }
  return groups;
}

/// Expands blocks over a group of items.
template <Specification S>
class GroupExpansion {
  static constexpr std::size_t kWords = std::tuple_size_v<typename S::State>;

 public:
  using States = std::span<const State<kWords>>;

  explicit GroupExpansion(const S& specification) : specification_(specification) {}

  /// The items that blocks are expanded over from now on.
  void begin(const Group& group) {
    group_ = group;
    at_.clear();
    for (std::size_t i = group.first; i <= group.last; ++i) at_.push_back(specification_.at(i));
    if (states_.size() != 0) return;
    states_.resize(kMost);
    after_.resize(kMost);
    from_.resize(kMost);
    from_after_.resize(kMost);
  }

  /// Sets what up to `kBlock` states become; `accepted(i)` is called for each member that the i-th
  /// leads to.
  template <class Accepted>
  void expand(States block, Accepted&& accepted) {
    std::copy(block.begin(), block.end(), states_.data());
    std::copy_n(kInOrder.begin(), block.size(), from_.data());
    count_ = block.size();
    for (std::size_t i = 0; i < at_.size(); ++i) decide(group_.first + i, at_[i], accepted);
    merge();
  }

  /// Likewise, for one decision about the only item.
  template <class Accepted>
  void decide(Decision decision, States block, Accepted&& accepted) {
    count_ = decide_all(at_.front(), decision, Block<kWords>{block, kInOrder.data()},
                        states_.data(), from_.data(), accepted);
    merge();
  }

  States states() const { return {states_.data(), count_}; }
  /// By state, the number in the block of where it came from.
  std::span<const std::uint16_t> from() const { return {from_.data(), count_}; }

 private:
  using At = decltype(std::declval<const S&>().at(0));
  static constexpr std::size_t kMost = (kBlock << kMostOpen) + kSlack;

  /// Makes one state of those that count as one.
  void merge() {
    if constexpr (requires {
                    specification_.merge(group_.last, std::span(states_.data(), count_));
                  }) {
      if (!specification_.merges(group_.last)) return;
      specification_.merge(group_.last, std::span(states_.data(), count_));
    }
  }

  template <class Accepted>
  void decide(std::size_t item, const At& at, Accepted& accepted) {
    const Block<kWords> block{states(), from_.data()};
    if (specification_.stays(item)) {
      count_ += decide_all(at, Decision::take, block, states_.data() + count_,
                           from_.data() + count_, accepted);
      return;
    }
    State<kWords>* const after = after_.data();
    std::uint16_t* const from = from_after_.data();
    if constexpr (requires { at.either(block, after, from, accepted); }) {
      if (is_forced(specification_, item)) {
        return move_on(at.either(block, after, from, accepted));
      }
    }
    const std::size_t count = decide_all(at, Decision::skip, block, after, from, accepted);
    move_on(count + decide_all(at, Decision::take, block, after + count, from + count, accepted));
  }

  void move_on(std::size_t count) {
    std::swap(states_, after_);
    std::swap(from_, from_after_);
    count_ = count;
  }

  const S& specification_;
  Group group_;
  std::vector<At> at_;
  // On pages of the thread that expands.
  kinjo::detail::GrowingArray<State<kWords>> states_, after_;
  kinjo::detail::GrowingArray<std::uint16_t> from_, from_after_;
  std::size_t count_ = 0;
};

}  // namespace kinjo::paths::detail
