/// The states of a band (bands.hpp), and the nodes of its items.
///
/// A state has one number in all levels of its band. It comes in at the band's first item, from the
/// band before, or at a later one, where taking an item made it; from there on it stays. So nothing
/// is looked up when an item is skipped. A state may turn up again further in front, and then only
/// the items between are decided for it. In the levels in front of where a state came in the node
/// of its number is dead, and nothing leads to it: where that is so of many numbers, nobody writes
/// their nodes.
#pragma once

#include <limits>
#include <vector>

#include "paths/bands.hpp"
#include "paths/expansion.hpp"
#include "paths/levels.hpp"

namespace kinjo::paths::detail {

/// Which blocks of states are wanted.
enum class Fill {
  full,  ///< those that no more can be added to
  any,
};

template <Specification S>
class Band {
 public:
  static constexpr std::size_t kWords = std::tuple_size_v<typename S::State>;
  using States = std::span<const State<kWords>>;

  /// `pool` is where nodes get their memory.
  Band(const S& specification, NodePool& pool) : specification_(specification), pool_(pool) {}

  /// Begins with the states of so many items, about `expected` of them; memory that it has from
  /// another band is used again.
  void begin(const BandItems& items, std::size_t expected) {
    items_ = items;
    moved_ = 0;
    decide_.clear();
    for (std::size_t item = items.first; item < items.last; ++item) {
      decide_.push_back(specification_.at(item));
    }
    table_.begin(expected);
    entries_.clear();
    if (queues_.size() < stays()) queues_.resize(stays());
    while (nodes_.size() < stays()) nodes_.emplace_back(Lo::same);
  }

  const BandItems& items() const { return items_; }
  std::size_t size() const { return table_.size(); }
  /// Of its states, and what is known of them.
  std::uint64_t bytes() const {
    std::uint64_t bytes = table_.bytes() + entries_.bytes();
    for (const Queue& queue : queues_) bytes += queue.states.bytes();
    return bytes;
  }
  /// Of nodes that were not handed over.
  std::uint64_t node_bytes() const {
    std::uint64_t bytes = 0;
    for (const RawLevel& nodes : nodes_) bytes += nodes.bytes();
    return bytes;
  }

  /// States that come in at the first item; sets their numbers.
  void arrive(States states, std::uint32_t* numbers) { add(states, numbers, 0); }

  /// Decides a block of what waits at an item where states stay; whether there was any.
  bool stay(Fill fill) {
    for (std::size_t at = 0; at < stays(); ++at) {
      if (queues_[at].waiting() < (fill == Fill::full ? kBlock : 1)) continue;
      decide(at);
      return true;
    }
    return false;
  }

  /// The states that are next to move on; none if there are none, or no full block.
  States next_block(Fill fill) const {
    const std::size_t count = std::min(kBlock, table_.size() - moved_);
    if (fill == Fill::full && count < kBlock) return {};
    return table_.states().subspan(moved_, count);
  }
  /// How many have moved on.
  std::size_t moved() const { return moved_; }
  void move_on(std::size_t count) { moved_ += count; }

  /// Hands over the nodes of all items but the last one, by item: also of numbers that came after
  /// an item's last one.
  void close(std::vector<RawLevel>& levels) {
    for (std::size_t at = 0; at < stays(); ++at) {
      nodes_[at].grow(table_.size());
      levels[items_.first + at] = std::move(nodes_[at]);
    }
  }

 private:
  /// Of numbers for which an item is to be decided.
  struct Queue {
    kinjo::detail::GrowingArray<std::uint32_t> states;
    std::size_t done = 0;

    std::size_t waiting() const { return states.size() - done; }
  };
  using Entry = std::uint16_t;
  /// What the laboratory counts the states and what is known of them as.
  static constexpr const char* kRegion = "tables";

  /// Items at which states stay.
  std::size_t stays() const { return items_.last - items_.first; }

  /// Looks states up that come in at the item `entry`, counted from the first.
  void add(States states, std::uint32_t* numbers, std::size_t entry) {
    const std::size_t known = table_.size();
    table_.find_or_add(states, numbers);
    entries_.resize(table_.size());
    std::fill(entries_.data() + known, entries_.data() + table_.size(),
              static_cast<Entry>(stays()));
    for (std::size_t i = 0; i < states.size(); ++i) {
      Entry& first = entries_[numbers[i]];
      for (std::size_t at = entry; at < first; ++at) queues_[at].states.push_back(numbers[i]);
      first = std::min(first, static_cast<Entry>(entry));
    }
  }

  void decide(std::size_t at) {
    Queue& queue = queues_[at];
    const std::size_t count = std::min(kBlock, queue.waiting());
    RawLevel& nodes = nodes_[at];
    nodes.grow(table_.size());
    std::array<std::uint32_t, kBlock> block;
    std::copy_n(queue.states.data() + queue.done, count, block.begin());
    queue.done += count;
    if (queue.waiting() == 0) {
      queue.states.clear();
      queue.done = 0;
    }
    for (std::size_t i = 0; i < count; ++i) states_[i] = table_.states()[block[i]];
    std::array<Child, kBlock> hi;
    hi.fill(kDead);
    expand<Decision::take>(decide_[at], States(states_.data(), count), arrivals_,
                           [&](std::size_t i) { hi[i] = kMember; });
    std::array<std::uint32_t, kBlock> numbers;
    add({arrivals_.states.data(), arrivals_.count}, numbers.data(), at + 1);
    for (std::size_t i = 0; i < arrivals_.count; ++i) {
      hi[arrivals_.from[i]] = numbers[i] + kFirstChild;
    }
    for (std::size_t i = 0; i < count; ++i) nodes.set(block[i], hi[i], pool_);
  }

  const S& specification_;
  BandItems items_;
  std::vector<decltype(specification_.at(0))> decide_;  ///< by item, but the last
  NodePool& pool_;
  std::vector<RawLevel> nodes_;  ///< by item, but the last; some more may be left, and empty
  StateTable<kWords> table_{kRegion};
  /// By number: the item that it came in at.
  kinjo::detail::GrowingArray<Entry> entries_{kRegion};
  std::vector<Queue> queues_;  ///< by item, but the last; some more may be left
  std::size_t moved_ = 0;
  std::array<State<kWords>, kBlock> states_;
  Arrivals<kWords> arrivals_;
};

}  // namespace kinjo::paths::detail
