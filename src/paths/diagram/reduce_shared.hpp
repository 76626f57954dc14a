/// Reducing a large level with several threads (reduce.cpp says what that is).
///
/// Few nodes have the same ranks. If threads dealt nodes as they stand, nearly every line that is
/// written would have nodes of two threads, and go back and forth. So nodes with the same (lo, hi)
/// are one thread's, and all that is written at random is a thread's own. Between meetings:
///
/// 1. Each thread *splits* a part of the level, as it stands, into a stream for each thread, by
///    ranges of lo (of hi, where lo is dead) that a sample of the level suggests.
/// 2. Each *sorts* what all have split for it. Its new nodes are consecutive in the level, but
///    nobody knows yet how many others have before them. It keeps which of its own each node has
///    become, in the order of the streams.
/// 3. Each *places* its new nodes, now that all are counted, and reads its own streams once more,
///    to tell what the nodes of its part have become.
///
/// What is passed on goes in a stream of its own, since its ranks are counted by themselves: those
/// of a range of ranks below by each thread, which need not be the range of its new nodes.
#pragma once

#include <array>
#include <vector>

#include <kinjo/partition.hpp>

#include "memory/own_pages.hpp"
#include "paths/diagram/reduction.hpp"

namespace kinjo::paths::detail {

/// What its threads share. They call `join` first, then `reduce` for the same levels; between
/// levels, which begin and end with all threads having met, one of them may do as it likes.
class SharedReducer {
  template <class T>
  using GrowingArray = kinjo::detail::GrowingArray<T>;

 public:
  /// Threads that can have a share, at most.
  static constexpr std::size_t kMost = 16;

  SharedReducer(Reduction& reduction, std::size_t threads)
      : all_(reduction), threads_(threads), parts_(threads) {}

  /// Makes what the thread needs; others may use it when all have met.
  void join(std::size_t thread) { parts_[thread] = kinjo::detail::OwnPages<Part>(1); }

  /// One thread's part of the level of `item`, which has `size` nodes; frees the level. Threads
  /// from `threads` on only meet. `meet` waits for all.
  template <class Meet>
  void reduce(std::size_t item, RawLevel& raw, std::size_t thread, const Meet& meet) {
    const bool has_share = thread < threads_;
    if (has_share) split(item, raw, thread);
    meet();
    // Nobody looks at any of these now.
    if (thread == item % threads_) raw = RawLevel();
    if (thread == 0) make_room(item);
    if (has_share) sort(thread);
    meet();
    if (has_share) place(item, thread);
    meet();
  }

 private:
  /// Ranges of lo, or of hi, are unions of so many, at most.
  static constexpr std::size_t kBins = 256;
  /// Of nodes, for each thread: few, as another has just written what they lead to.
  static constexpr std::size_t kSample = 128;

  struct alignas(128) Part {
    std::size_t size = 0;         ///< nodes of the level
    std::size_t known = 0;        ///< of the levels below
    std::size_t ranks_below = 0;  ///< of one level
    // Who has what, and what this thread has.
    unsigned shift = 0;
    std::array<std::uint8_t, 2 * kBins> owners;  ///< of new nodes
    Range lo_range;
    std::array<std::uint8_t, kBins> holders;  ///< of ranks that may be passed on
    Range range;
    // What it makes of its part of the level: a stream for each thread, and what is passed on.
    std::array<GrowingArray<Ranked>, kMost + 1> streams;
    GrowingArray<std::uint8_t> is_passed_on;  ///< by rank below
    // What it makes of its range.
    GrowingArray<std::uint8_t> is_passed_on_by_any;
    GrowingArray<Rank> passed_rank;  ///< by lo
    GrowingArray<Rank> passed_on;    ///< what is passed on, rising
    Deal hi, lo;
    GrowingArray<Ranked> by_hi, by_lo;
    GrowingArray<RawNode> nodes;  ///< new ones, rising
    GrowingArray<Rank> ranks;     ///< in the order of the streams
  };

  /// Bins rise as (lo, hi) rises. Where each set needs the item, or leads nowhere with it, all lo
  /// are dead; so those that are have bins by hi.
  static std::size_t bin_of(Rank lo, Rank hi, unsigned shift) {
    const Rank dead = lo == kDead ? 1 : 0;  // nothing that a compiler could make a branch of
    return (1 - dead) * kBins + ((lo | (hi & (0 - dead))) >> shift);
  }
  void choose_ranges(std::size_t item, RawLevel& raw, std::size_t thread) const;
  void split(std::size_t item, RawLevel& raw, std::size_t thread);
  void make_room(std::size_t item);
  void sort(std::size_t thread) {
    pass_on(thread);
    deal(thread);
    find_new(thread);
  }
  void pass_on(std::size_t thread);
  void deal(std::size_t thread);
  void find_new(std::size_t thread);
  void place(std::size_t item, std::size_t thread);
  void place_own(const Part& part, const Refs& below, NodeRef* passed_on, std::size_t first) const;

  Reduction& all_;
  std::size_t threads_;
  std::vector<kinjo::detail::OwnPages<Part>> parts_;
};

}  // namespace kinjo::paths::detail
