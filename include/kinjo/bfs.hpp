/// Breadth-first search that changes its direction (Beamer, Asanović, Patterson, SC 2012), each
/// node's threads on their own part of the graph (S1 section 4.1 and its reference [9]).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <kinjo/graph.hpp>
#include <kinjo/team.hpp>

namespace kinjo::graph {

enum class Direction {
  top_down,   ///< the frontier's vertices look for unreached neighbours
  bottom_up,  ///< unreached vertices look for a neighbour in the frontier
};
const char* to_string(Direction direction) noexcept;

/// Who does the work of one step.
enum class Crew {
  caller,  ///< the calling thread: there is too little to wake others for
  team,
};

/// One step of a search: from the vertices at one depth to those at the next.
struct Level {
  Direction direction = Direction::top_down;
  Crew crew = Crew::caller;
  std::uint64_t frontier = 0;  ///< vertices at this depth
  EdgeCount looked_at = 0;     ///< neighbours that the step looked at
};

/// When a search turns round, and when it is worth its team.
struct SearchOptions {
  /// A step is bottom-up if top-down is estimated to take more than this times as long: with 0
  /// every step is, with infinity none. A directed graph is always searched top-down.
  double alpha = 1;
  /// Edges and vertices of a frontier from which on the team works on it.
  EdgeCount team_edges = 8192;
};

/// What a search found beside the parents.
struct SearchResult {
  std::uint64_t reached = 0;  ///< vertices, the root with them
  std::vector<Level> levels;  ///< as many as the root's eccentricity, and one that found nothing
};

/// Working memory of searches of one graph over one team, to be used for one search at a time.
///
/// Bytes beside the graph: 4 n for queues, n / 2 for bitmaps and n / 8 for every part, and 4 n for
/// parents where the graph numbers its vertices otherwise than the caller, has several parts, or
/// the caller wants 64 bits; where there are several threads, about 4 MiB for each; n from the
/// first search on that meets many narrow levels, and n / 8 for each thread from the first one on
/// that meets a level of many edges.
class Search {
 public:
  /// The graph and the team must outlive it. A part is worked on by the threads of its node; where
  /// the team has none there, parts are dealt to threads in turn. Throws `Error` (`out_of_memory`).
  Search(const Graph& graph, Team& team, const SearchOptions& options = {});
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  /// Writes for every vertex (the caller's number) its parent in a tree of shortest paths from
  /// `root`, the root for the root, −1 where it is not reached. Of a graph with ids the root is
  /// one, and element v is the id of the parent of the vertex `ids()[v]`. Which of several possible
  /// parents is not defined, and may differ from run to run with several threads. Throws `Error`
  /// (`invalid_argument` for a root that is no vertex, for another size than the graph's, and for
  /// 32 bits where numbers exceed 2³¹ − 1, or are ids).
  SearchResult run(std::uint64_t root, std::span<std::int32_t> parents);
  SearchResult run(std::uint64_t root, std::span<std::int64_t> parents);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The depth of each vertex in a tree of parents as `Search::run` writes it: 0 for the root, −1
/// where it is not reached. `depths` has as many elements. Throws `Error` (`invalid_argument`) if
/// sizes differ, a parent is no vertex, or parents go round in a circle, named by a vertex of it.
void depths_of(std::span<const std::int32_t> parents, std::span<std::int32_t> depths);
void depths_of(std::span<const std::int64_t> parents, std::span<std::int32_t> depths);
/// The same of a graph with ids, which are in rising order. A parent must be one of them.
void depths_of(std::span<const VertexId> ids, std::span<const std::int64_t> parents,
               std::span<std::int32_t> depths);

}  // namespace kinjo::graph
