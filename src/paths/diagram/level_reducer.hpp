/// Reducing one level with one thread or several (reduce.cpp says what that is).
///
/// A level is sorted by (lo, hi) in two steps, neither of which leaves the caches: its nodes are
/// dealt to bins, ranges of lo that a few hundred nodes each ask for, and bin after bin is dealt to
/// every lo; what then has the same lo is little. Nodes without lo are many in some diagrams, so
/// they have bins of their own, by hi. Between meetings of the threads:
///
/// 1. Each *splits* its share of the level: it finds the ranks of children and deals the nodes to
///    bins of its own.
/// 2. Each *sorts* a range of bins, with what all threads have in them. What is new gets numbers by
///    itself: nobody knows yet how many others have before it.
/// 3. Each *places* its new nodes, now that all are counted, and tells what the nodes of its share
///    have become.
///
/// So nodes with the same (lo, hi) are one thread's, and all that is written at random is a
/// thread's own: few nodes of a level have the same ranks, and if threads dealt nodes as they
/// stand, nearly every line that is written would go back and forth. What a thread reads that
/// another one has written for it, it claims (memory/claim.hpp), since it is written again for the
/// next level.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include <kinjo/partition.hpp>

#include "memory/own_pages.hpp"
#include "paths/diagram/ranked_set.hpp"
#include "paths/diagram/reduction.hpp"

namespace kinjo::paths::detail {

/// What the threads share. They call `join` first, then `reduce` for the same levels; between
/// levels, which begin and end with all threads having met, one of them may do as it likes.
class LevelReducer {
  template <class T>
  using GrowingArray = kinjo::detail::GrowingArray<T>;

 public:
  /// Threads that can have a share, at most.
  static constexpr std::size_t kMost = 16;

  LevelReducer(Reduction& reduction, std::size_t threads)
      : all_(reduction), threads_(threads), parts_(threads) {}

  /// Makes what the thread needs; others may use it when all have met.
  void join(std::size_t thread) { parts_[thread] = kinjo::detail::OwnPages<Part>(1); }

  /// One thread's part of the level of `item`; frees the level. Threads from `threads` on only
  /// meet. `meet` waits for all.
  template <class Meet>
  void reduce(std::size_t item, RawLevel& raw, std::size_t thread, const Meet& meet) {
    const bool has_share = thread < threads_;
    if (has_share) split(item, raw, thread);
    meet();
    // Nobody looks at any of these now. One thread frees them, another one gets memory.
    if (thread + 1 == threads_) raw = RawLevel();
    if (thread == 0) make_room(item);
    if (has_share) sort(thread);
    meet();
    if (has_share) place(item, thread);
    meet();
  }

 private:
  /// Bins of each kind, at most, and nodes of one if they are alike. A core's first cache should
  /// have both a bin and what it is dealt to.
  static constexpr std::size_t kBins = 128, kOfBin = 512;
  /// Nodes with the same lo are sorted by looking at neighbours, unless there are more.
  static constexpr std::uint32_t kFew = 16;

  /// By which ranks a bin has. Bins rise as (lo, hi) rises.
  struct Bins {
    std::size_t ranks = 0;  ///< below
    unsigned shift = 0;     ///< each bin has so many, as a power of two
    std::size_t of_kind = 1;
    std::uint64_t first_by_lo = 0;  ///< as if those by hi came before all ranks

    /// Bins for so many nodes.
    static Bins of(std::size_t ranks, std::size_t nodes);
    std::size_t count() const { return 2 * of_kind; }
    std::size_t of(Rank lo, Rank hi) const {
      // Nothing that a compiler could make a branch of.
      const std::uint64_t dead = 0 - std::uint64_t{lo == kDead};
      return ((lo | (hi & dead)) + (first_by_lo & ~dead)) >> shift;
    }
    bool is_by_hi(std::size_t bin) const { return bin < of_kind; }
    /// What the bin's nodes have as lo, or as hi.
    Range range(std::size_t bin) const {
      const std::size_t begin = bin % of_kind << shift;
      return {std::min(begin, ranks), std::min(begin + (std::size_t{1} << shift), ranks)};
    }
  };

  /// A node, and which of a bin's it is. Keys rise as (lo, hi) rises.
  struct Keyed {
    std::uint64_t key;
    std::uint32_t index;
  };
  static std::uint64_t key_of(const RawNode& node) {
    return std::rotl(std::bit_cast<std::uint64_t>(node), 32);
  }
  static RawNode node_of(std::uint64_t key) { return std::bit_cast<RawNode>(std::rotl(key, 32)); }
  static void sort_by_hi(std::span<Keyed> nodes, bool few);

  struct alignas(128) Part {
    std::size_t size = 0;   ///< nodes of the level
    std::size_t known = 0;  ///< of the levels below
    Bins bins;
    // What it makes of its share of the level.
    /// Where bins begin, what is passed on, and the end.
    std::array<std::uint32_t, 2 * kBins + 2> begins;
    GrowingArray<RawLevel::Run> runs;        ///< its share of the level
    GrowingArray<RawNode> ranked;            ///< their nodes' children, by ranks
    GrowingArray<std::uint16_t> bin_of;      ///< each node's bin, or that it is passed on
    GrowingArray<RawNode> nodes;             ///< the same by bin
    GrowingArray<std::uint32_t> numbers;     ///< these nodes' in the level
    GrowingArray<std::uint8_t> flags;        ///< by rank below: is passed on
    GrowingArray<std::uint64_t> flag_words;  ///< the same
    // What it makes of its bins.
    Range own;                                      ///< which these are
    GrowingArray<std::uint32_t> places;             ///< of one bin's nodes, by lo or hi
    GrowingArray<Keyed> sorted;                     ///< one bin's nodes
    GrowingArray<Rank> ranks;                       ///< of one bin's nodes, by index
    GrowingArray<RawNode> made;                     ///< new nodes, rising
    std::array<GrowingArray<Rank>, kMost> answers;  ///< the same of all bins, by thread
    GrowingArray<std::uint64_t> united;             ///< what all pass on, of its share of the ranks
    RankedSet passed_on;                            ///< the same of all ranks
  };

  void split(std::size_t item, const RawLevel& raw, std::size_t thread);
  void rank_children(const RawLevel& raw, const Rank* ranks, Part& part) const;
  static void deal(Part& part);
  void make_room(std::size_t item);
  void unite(std::size_t thread);
  void sort(std::size_t thread);
  void choose_bins(std::size_t thread);
  void deal_bin(std::size_t bin, Part& part) const;
  static void find_new(Part& part);
  void answer(std::size_t bin, Part& part) const;
  void place(std::size_t item, std::size_t thread);
  void place_own(std::size_t item, std::size_t thread, std::size_t first);
  void tell_ranks(std::size_t item, std::size_t thread, const std::array<Rank, kMost>& made);

  /// A thread's nodes in a bin.
  static std::span<RawNode> nodes_of(Part& part, std::size_t bin) {
    return part.nodes.all().subspan(part.begins[bin], part.begins[bin + 1] - part.begins[bin]);
  }

  Reduction& all_;
  std::size_t threads_;
  std::vector<kinjo::detail::OwnPages<Part>> parts_;
};

}  // namespace kinjo::paths::detail
