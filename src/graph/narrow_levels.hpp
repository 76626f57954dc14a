/// Levels of few vertices, one behind the other: a grid or a road network has thousands of them.
///
/// What a level of some thousand vertices costs is what is done around it. So all of them are one
/// `Team::run`, with one barrier a level, and nobody owns anything: the frontier is what the
/// threads found, one thread's behind the other's, and each takes a run of it, as long as its speed
/// says (`SharesBySpeed`). Who was visited is who has a parent: those who have none get `kNoVertex`
/// beforehand, so that a neighbour is one line of memory and not two. There is no atomic
/// read-modify-write: two threads may find a vertex in the same level; then both keep it with the
/// parent that they saw, and it is the find of the one whose parent lasted: the other is dropped
/// when it is looked at. In a level both parents are right. One thread needs neither that nor a
/// queue of each level: it goes on in its own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/search_state.hpp"
#include "graph/shares_by_speed.hpp"

namespace kinjo::graph::detail {

class NarrowLevels {
 public:
  explicit NarrowLevels(SearchState& state);

  /// When to stop: behind a level that looked at more than `most_edges`, or whose edges are more
  /// work than `fixed_work` and that of the vertices that are left: then a step in the other
  /// direction is worth a thought.
  struct Limits {
    EdgeCount most_edges;
    double work_of_edge;
    double fixed_work, work_of_vertex;
  };

  /// Levels from the queue's frontier on, until one finds nothing or a limit is met; the queue then
  /// has the last frontier. `reached` vertices are, the frontier with them; those found are added.
  /// Levels are appended.
  void run(VertexQueue& queue, const Limits& limits, std::uint64_t& reached,
           std::vector<Level>& levels);

 private:
  struct alignas(128) Tally {
    std::size_t finds = 0;        ///< for the next level
    std::uint64_t vertices = 0;   ///< looked at in this one
    std::uint64_t looked_at = 0;  ///< neighbours
    std::uint64_t ticks = 0;      ///< that it took
  };
  struct alignas(128) Thread {
    Bin finds[2];  ///< of the level before and of this one
    Tally tally[2];
  };
  struct Sums {
    std::size_t finds = 0;
    std::uint64_t vertices = 0, looked_at = 0;
  };
  class Scan;

  Range words_of(std::size_t thread) const;
  void forget_unreached(const Range& words);
  void collect_visits(const Range& words);
  void begin(const VertexQueue& queue);
  void end(VertexQueue& queue, unsigned side) const;
  Sums sums(unsigned side) const;
  void adapt(SharesBySpeed& shares, unsigned side) const;
  bool goes_on(const Limits& limits, const Sums& last, std::uint64_t reached) const;
  void scan_share(std::size_t thread, unsigned side, const Range& share);
  /// Where the walk of a thread ended: the same for all.
  struct End {
    std::uint64_t reached = 0;  ///< without the last frontier
    unsigned side = 0;          ///< where that is
  };
  End walk(const Place& me, const Limits& limits, std::uint64_t reached,
           std::vector<Level>* levels);
  /// All levels by one thread. Returns how many are reached, without the last frontier.
  std::uint64_t walk_alone(VertexQueue& queue, const Limits& limits, std::uint64_t reached,
                           std::vector<Level>& levels);

  SearchState& state_;
  std::vector<Thread> threads_;
};

}  // namespace kinjo::graph::detail
