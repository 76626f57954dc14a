/// Families of sets as zero-suppressed decision diagrams (Minato, 1993; Knuth, The Art of Computer
/// Programming 7.1.4; S1 section 4.2).
///
/// A node asks for an item: its lo branch leads to the sets without it, its hi branch to those with
/// it. Items are asked for in their order, 0 first; a node whose hi branch leads to no set, and a
/// second node with the same branches, are left out. So there is one diagram for each family, and
/// equal families are equal arrays of bytes. docs/diagrams.md tells more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <kinjo/count.hpp>
#include <kinjo/team.hpp>

namespace kinjo::paths {

/// An item of the sets: 0 … items − 1.
using Item = std::uint32_t;
/// A set: its items, rising.
using Set = std::vector<Item>;

/// What a branch leads to: no set, the empty set alone, or the node of that number. A branch leads
/// to numbers below its node's.
using NodeRef = std::uint64_t;
constexpr NodeRef kBottom = 0, kTop = 1, kFirstNode = 2;
/// Nodes that a diagram can have.
constexpr std::uint64_t kMostNodes = (std::uint64_t{1} << 40) - kFirstNode;
/// Items that a diagram can have.
constexpr std::size_t kMostItems = std::size_t{1} << 22;

/// The two branches of a node: without its item, and with it.
struct Node {
  NodeRef lo = kBottom, hi = kBottom;
};

/// A set and the sum of its items' weights.
struct WeightedSet {
  Set set;
  double weight = 0;
};

namespace detail {
struct DiagramData;
}

/// The sets of a family one after the other, as a range that can be walked again and again:
/// `for (const Set& set : diagram.members())`. They come in the order of dictionaries, but the end
/// of a set stands after all items: {0, 1}, {0}, {1, 2}, {1}, {}. A step takes time for as many
/// nodes as there are items, and no memory but the set's.
class Members {
 public:
  class Iterator {
   public:
    using value_type = Set;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    const Set& operator*() const { return set_; }
    const Set* operator->() const { return &set_; }
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return at_end_; }

   private:
    friend class Members;
    explicit Iterator(std::shared_ptr<const detail::DiagramData> data);
    void descend(std::size_t item, NodeRef ref);

    std::shared_ptr<const detail::DiagramData> data_;
    std::vector<NodeRef> taken_;  ///< the nodes whose hi branch was taken
    Set set_;                     ///< their items
    bool at_end_ = true;
  };

  Iterator begin() const { return Iterator(data_); }
  std::default_sentinel_t end() const { return {}; }

 private:
  friend class Diagram;
  explicit Members(std::shared_ptr<const detail::DiagramData> data) : data_(std::move(data)) {}
  std::shared_ptr<const detail::DiagramData> data_;
};

/// A family of sets. A value that is never changed; copies share its nodes.
class Diagram {
 public:
  /// The family of no set, over no items.
  Diagram();

  /// The family of no set.
  static Diagram none(std::size_t items);
  /// The family of the empty set alone.
  static Diagram unit(std::size_t items);
  /// The family of all sets.
  static Diagram power_set(std::size_t items);
  /// The family of the given sets, whose items may come in any order. Throws `Error`
  /// (`invalid_argument`) for an item that there is not.
  static Diagram of(std::size_t items, std::span<const Set> sets);

  std::size_t items() const;
  /// Without ⊥ and ⊤.
  std::uint64_t nodes() const;
  /// Nodes that ask for an item.
  std::uint64_t width(Item item) const;
  /// Of memory, or of the file that it is mapped from: 10 for each node.
  std::uint64_t bytes() const;
  bool empty() const { return root() == kBottom; }

  /// What the items are called, or nothing.
  const std::vector<std::string>& names() const;
  /// The same family with other names. Throws `Error` (`invalid_argument`) unless there is one for
  /// each item, or none at all.
  Diagram with_names(std::vector<std::string> names) const;

  /// Where a walk begins; then nodes by their numbers, and what item each asks for.
  NodeRef root() const;
  Node node(NodeRef ref) const;
  Item item(NodeRef ref) const;

  /// Whether a set, whose items may come in any order, is a member.
  bool contains(std::span<const Item> set) const;
  /// How many sets there are. Takes up to 16 bytes for each limb of a node's count, for as many
  /// levels as branches reach over. Throws `Error` (`out_of_memory`) where the diagram and that
  /// take more than `memory_limit` bytes; 0: than what the system has available.
  Count count(std::uint64_t memory_limit = 0) const;
  /// The same by a team.
  Count count(Team& team, std::uint64_t memory_limit = 0) const;
  /// How many sets there are of each size, up to the greatest. Takes for each node as many numbers
  /// as its level has sizes, and as many levels as `count`; throws `Error` (`out_of_memory`) where
  /// the diagram and that take more than `memory_limit` bytes; 0: than what the system has
  /// available. `go_on` is asked every few milliseconds; once it says no, nothing is returned.
  std::vector<Count> count_by_size(std::uint64_t memory_limit = 0,
                                   const std::function<bool()>& go_on = {}) const;

  /// Σ over sets of Π over their items of `weights`, in double precision: the number of sets where
  /// all weights are 1; where they are p / (1 − p), times Π over all items of (1 − p), the
  /// probability that items which are there with probability p each make a member. Throws `Error`
  /// (`invalid_argument`), as all that takes weights does, unless there is one finite weight for
  /// each item.
  double weighted_sum(std::span<const double> weights) const;
  /// The set with the smallest (greatest) sum of weights; of several the first that `members()`
  /// lists. Nothing if there is no set. Sums are rounded from the last item to the first.
  std::optional<WeightedSet> lightest(std::span<const double> weights) const;
  std::optional<WeightedSet> heaviest(std::span<const double> weights) const;

  Members members() const { return Members(data_); }

  /// The sets that have all of these items, which stay in them. Throws `Error` (`invalid_argument`)
  /// for an item that there is not.
  Diagram including(std::span<const Item> items) const;
  /// The sets that have none of them.
  Diagram excluding(std::span<const Item> items) const;

  /// Sets of either family, of both, of the first and not the second, of one of them only. Names
  /// are the first one's. Time and memory are at most as the product of the numbers of nodes,
  /// mostly as their sum. Throw `Error` (`invalid_argument`) if the numbers of items differ.
  friend Diagram operator|(const Diagram& a, const Diagram& b);
  friend Diagram operator&(const Diagram& a, const Diagram& b);
  friend Diagram operator-(const Diagram& a, const Diagram& b);
  friend Diagram operator^(const Diagram& a, const Diagram& b);

  /// The same sets of as many items; names do not matter. Compares arrays.
  friend bool operator==(const Diagram& a, const Diagram& b);

  /// For kinjo's own code.
  explicit Diagram(std::shared_ptr<const detail::DiagramData> data) : data_(std::move(data)) {}
  const std::shared_ptr<const detail::DiagramData>& data() const { return data_; }

 private:
  std::shared_ptr<const detail::DiagramData> data_;
};

}  // namespace kinjo::paths
