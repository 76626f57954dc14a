/// Reducing a diagram (Bryant, 1986; zero-suppressed: Minato, 1993), level by level from the last
/// item up, by sorting.
///
/// A node whose hi leads to no set is its lo; nodes with the same (lo, hi) are one. Instead of
/// references, which have 40 bits, a level's nodes are told by ranks: dense numbers of 32 bits, in
/// the order of the references they stand for. Ranks 0 and 1 are ⊥ and ⊤, then come those that are
/// only passed on from below, then the level's own nodes.
///
/// Ranks being dense, a level is sorted by (lo, hi) by dealing it twice, to the ranks of hi and
/// then to those of lo, and whatever differs from what is before it is a new node. So nodes rise by
/// (lo, hi) within a level, which makes the diagram of a family the same to the last bit, whatever
/// it was made of. What is read and written at random has the size of one level, and no loop has a
/// branch that depends on the nodes.
#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "memory/growing_array.hpp"
#include "paths/diagram/data.hpp"
#include "paths/levels.hpp"

namespace kinjo::paths::detail {

using kinjo::detail::GrowingArray;

namespace {

using Rank = std::uint32_t;

/// What a level's nodes have become.
struct Ranks {
  GrowingArray<Rank> of_child;  ///< by `Child`
  GrowingArray<NodeRef> refs;   ///< by rank, rising

  void begin(std::size_t nodes) {
    of_child.resize(nodes + kFirstChild);
    refs.clear();
    for (const Child decided : {kDead, kMember}) {
      of_child[decided] = decided;
      refs.push_back(decided);
    }
  }
};

/// A node by the ranks of its children.
struct Ranked {
  Rank lo, hi;
  std::uint32_t node;
};

/// How many there are of each rank, then where they begin, then where they end.
class Deal {
 public:
  void begin(std::size_t ranks) {
    places_.resize(ranks);
    std::ranges::fill(places_.all(), 0);
  }
  void count(Rank rank, std::uint32_t times = 1) { places_[rank] += times; }
  void end_count() {
    std::exclusive_scan(places_.data(), places_.data() + places_.size(), places_.data(), 0U);
  }
  std::uint32_t next(Rank rank) { return places_[rank]++; }

 private:
  GrowingArray<std::uint32_t> places_;
};

class Reducer {
 public:
  Diagram run(Levels&& levels) {
    auto data = std::make_shared<DiagramData>();
    data->first.assign(levels.nodes.size() + 1, kFirstNode);
    below_.begin(0);
    for (std::size_t item = levels.nodes.size(); item-- > 0;) {
      data->first[item] = nodes_.size() + kFirstNode;
      reduce(levels.nodes[item]);
      levels.nodes[item] = RawLevel();
      std::swap(below_, here_);
    }
    data->root = below_.refs[below_.of_child[levels.root]];
    keep(*data);
    return Diagram(std::move(data));
  }

 private:
  void reduce(RawLevel& raw) {
    here_.begin(raw.size());
    const std::uint32_t passed_on = rank_children(raw);
    pass_on();
    by_hi_.resize(raw.size());
    deal_by_hi(raw);
    const std::span<const Ranked> dealt = by_hi_.all();
    for (const Ranked& node : dealt.first(passed_on)) {
      here_.of_child[node.node + kFirstChild] = passed_rank_[node.lo];
    }
    by_lo_.resize(raw.size() - passed_on);
    deal_by_lo(dealt.subspan(passed_on));
    make_nodes(by_lo_.all());
  }

  /// Replaces children by ranks and counts them; returns how many nodes are passed on.
  std::uint32_t rank_children(RawLevel& raw) {
    const std::size_t size = below_.refs.size();
    hi_.begin(size);
    lo_.begin(size);
    is_passed_on_.resize(size);
    std::ranges::fill(is_passed_on_.all(), 0);
    const Rank* const ranks = below_.of_child.data();
    std::uint8_t* const is_passed_on = is_passed_on_.data();
    std::uint32_t passed_on = 0;
    for (std::size_t piece = 0; piece < raw.pieces(); ++piece) {
      for (RawNode& node : raw.piece(piece)) {
        node = {ranks[node.lo], ranks[node.hi]};
        const bool empty = node.hi == kDead;
        passed_on += empty;
        is_passed_on[empty ? node.lo : kDead] = 1;
        hi_.count(node.hi);
        lo_.count(node.lo, !empty);
      }
    }
    return passed_on;
  }

  /// Gives ranks to what is passed on.
  void pass_on() {
    const std::size_t size = below_.refs.size();
    passed_rank_.resize(size);
    here_.refs.resize(size + 1);
    Rank next = kFirstChild;
    for (Rank rank = kFirstChild; rank < size; ++rank) {
      passed_rank_[rank] = next;
      here_.refs[next] = below_.refs[rank];
      next += is_passed_on_[rank];
    }
    for (const Rank decided : {kDead, kMember}) passed_rank_[decided] = decided;
    here_.refs.resize(next);
  }

  /// Those without hi come first.
  void deal_by_hi(RawLevel& raw) {
    hi_.end_count();
    std::uint32_t k = 0;
    for (std::size_t piece = 0; piece < raw.pieces(); ++piece) {
      for (const RawNode& node : raw.piece(piece)) {
        by_hi_[hi_.next(node.hi)] = {node.lo, node.hi, k++};
      }
    }
  }

  void deal_by_lo(std::span<const Ranked> dealt) {
    lo_.end_count();
    for (const Ranked& node : dealt) by_lo_[lo_.next(node.lo)] = node;
  }

  void make_nodes(std::span<const Ranked> sorted) {
    const std::size_t before = nodes_.size(), passed_on = here_.refs.size();
    nodes_.resize(before + sorted.size());
    std::size_t count = before;
    Rank rank = static_cast<Rank>(passed_on) - 1;
    Rank lo = kDead, hi = kDead;  // no node's
    for (const Ranked& next : sorted) {
      const bool differs = (next.lo != lo) | (next.hi != hi);
      count += differs;
      rank += differs;
      lo = next.lo;
      hi = next.hi;
      nodes_[count - 1] = pack(below_.refs[lo], below_.refs[hi]);
      here_.of_child[next.node + kFirstChild] = rank;
    }
    nodes_.resize(count);
    here_.refs.resize(rank + std::size_t{1});
    std::iota(here_.refs.data() + passed_on, here_.refs.data() + here_.refs.size(),
              before + kFirstNode);
  }

  void keep(DiagramData& data) {
    nodes_.fit();
    auto kept = std::make_shared<GrowingArray<PackedNode>>(std::move(nodes_));
    data.nodes = kept->size();
    data.packed = kept->data();
    data.keeper = std::move(kept);
  }

  GrowingArray<PackedNode> nodes_;
  Ranks below_, here_;
  Deal hi_, lo_;
  /// By rank below.
  GrowingArray<std::uint8_t> is_passed_on_;
  GrowingArray<Rank> passed_rank_;
  /// The level, dealt once, and what remains of it, dealt twice.
  GrowingArray<Ranked> by_hi_, by_lo_;
};

}  // namespace

Diagram reduce(Levels&& levels) { return Reducer().run(std::move(levels)); }

}  // namespace kinjo::paths::detail
