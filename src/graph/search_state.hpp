/// What the steps of a search work on.
///
/// Sets of vertices are bitmaps by internal numbers. `visited` holds who needs no parent any more,
/// from the beginning vertices that nobody can reach for want of edges (`isolated`). A frontier is
/// either a set
/// (`frontier`) or lies in queues: the caller's for few vertices, else each thread's for those it
/// owns (`Ownership`). All arrays are one piece each, whose pages lie with the threads that own
/// them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <kinjo/bfs.hpp>

#include "graph/bitmap.hpp"
#include "graph/ownership.hpp"
#include "graph/search_kernels.hpp"
#include "graph/vertex_queue.hpp"

namespace kinjo::graph::detail {

/// Calls `f(place)` in every thread of the team. One that nobody has placed is the calling one, so
/// that many may search at once over the same team.
template <class F>
void run_over(Team& team, const F& f) {
  if (team.size() == 1 && !team.mapping().binds()) {
    f(team.mapping()[0]);
  } else {
    team.run(f);
  }
}

/// A piece of work of a top-down step: neighbours of consecutive vertices of a queue, or some of
/// the neighbours of one.
struct Chunk {
  const Vertex* begin = nullptr;
  const Vertex* end = nullptr;
  EdgeCount from = 0;            ///< neighbours of the first that are left out
  EdgeCount to = ~EdgeCount{0};  ///< and where those of the last end
};

/// Finds for one thread by another.
class Bin {
 public:
  /// Makes room for so many more.
  void reserve(std::size_t more) {
    if (finds_.size() < count_ + more) finds_.resize(std::max(2 * finds_.size(), count_ + more));
  }
  /// Writes one, and keeps it or does not. There must be room.
  void put(const Find& find, bool keep) {
    finds_[count_] = find;
    count_ += keep;
  }
  /// Room for so many, and that the first of them are kept.
  Find* room(std::size_t more) {
    reserve(more);
    return finds_.data() + count_;
  }
  void keep(std::size_t more) { count_ += more; }
  /// Behind the room that there is.
  const Find* limit() const { return finds_.data() + finds_.size(); }
  /// The same, by where room was given and what behind the last one that is kept.
  void keep_to(const Find* end) { count_ = static_cast<std::size_t>(end - finds_.data()); }
  void clear() { count_ = 0; }
  std::span<const Find> all() const { return {finds_.data(), count_}; }

 private:
  std::vector<Find> finds_;
  std::size_t count_ = 0;
};

/// Words of vertices that ask together.
inline constexpr std::size_t kBlockWords = 64;

/// Rows whose lines are on their way together, those of them that are looked at together, and room
/// for all: who looks at some has others on their way meanwhile.
inline constexpr std::size_t kRowsTogether = 64;
inline constexpr std::size_t kRowsAtOnce = 16;
inline constexpr std::size_t kRowsRing = 2 * kRowsTogether;

/// Rows of at most so many neighbours are copied whole, whatever they have.
inline constexpr std::size_t kShort = 8;
/// Edges that are looked at together.
inline constexpr std::size_t kTogether = 1024;

/// What a thread needs for a block of a step, apart from its stack, whose first pages lie with
/// whoever started the thread.
struct BlockMemory {
  // bottom-up
  std::array<Word, kBlockWords> asking, found;
  std::array<WaitingRow, kRowsRing> rows;
  std::array<Find, kRowsAtOnce> row_finds;
  // top-down: neighbours, and from where they were seen
  std::array<Vertex, 2 * kTogether + kShort> children, parents;
  // top-down, by a walk of its own
  std::array<Vertex, 4 * kTogether> finds;
};

/// One thread's own.
struct alignas(128) Worker {
  // Made by the thread itself, so that they lie near it.
  std::unique_ptr<const Ownership> owners;
  std::unique_ptr<BlockMemory> block;

  std::size_t home = 0;  ///< the part whose chunks it scans
  VertexQueue queue;
  std::vector<Chunk> chunks;          ///< of its frontier
  std::atomic<std::size_t> taken{0};  ///< of the chunks, by whoever works on them
  std::vector<Bin> bins;              ///< by the thread that owns the child
  bool full = false;                  ///< whether the bins were when its scan ended
  std::vector<Word> reached;          ///< in a walk of its own: its copy of `visited`
  EdgeCount frontier_edges = 0;
  EdgeCount looked_at = 0;
  std::uint64_t found = 0;
};

/// Words of a share of a part's bitmap. Who owns them takes them in blocks, and so does who is done
/// with his own: what a core has written of bitmaps and parents is then mostly written by it again,
/// and does not come from another core's cache.
struct alignas(128) WordDealer {
  Range words;
  std::atomic<std::size_t> next{0};
};

struct SearchState {
  SearchState(const Graph& graph, Team& team);

  std::size_t vertices() const { return graph.vertices(); }
  const Part& part(std::size_t index) const { return parts[index]; }
  /// Whether begins of rows are the numbers in `starts.low`.
  bool plain() const {
    const RowStarts& starts = parts[0].starts;
    return parts.size() == 1 && vertices() >> starts.shift == 0 && starts.base[0] == 0;
  }
  const Part& home(Vertex v) const { return part(owners.part_of(v)); }
  EdgeCount degree(Vertex v) const {
    const Part& p = home(v);
    const std::size_t row = v - p.vertices.begin;
    return p.starts[row + 1] - p.starts[row];
  }
  /// Where it is written where a row begins.
  const std::uint32_t* start_of(Vertex v) const {
    const Part& p = home(v);
    return p.starts.low + (v - p.vertices.begin);
  }
  const Word* frontier_for(std::size_t part) const {
    return copies.empty() ? frontier : copies[part];
  }
  Worker& worker(const Place& me) { return *workers[static_cast<std::size_t>(me.thread)]; }
  const std::vector<Share>& shares(const Place& me) const {
    return owners.shares(static_cast<std::size_t>(me.thread));
  }

  /// Memory for so many bits a vertex, each part's on its node as far as whole pages go and the
  /// kernel allows: it is only a matter of speed.
  Buffer array(std::size_t bits_each) const;

  /// Makes `visited` ready for a search.
  void forget_visits();

  const Graph& graph;
  const std::span<const Part> parts;
  Team& team;
  const Ownership owners;
  std::uint64_t connected = 0;    ///< vertices that are not isolated
  std::uint64_t most_degree = 0;  ///< of any vertex

  Word* visited = nullptr;
  Word* isolated = nullptr;
  Word* frontier = nullptr;
  Word* next = nullptr;
  std::vector<Word*> copies;  ///< of the frontier, for each of several parts
  Vertex* parents = nullptr;  ///< by internal numbers

  /// Edges that the threads have counted of the frontier that they measure.
  alignas(128) std::atomic<EdgeCount> measured{0};

  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::vector<WordDealer>> dealers;  ///< by part and rank of its threads

 private:
  Word* bitmap();
  Word* copy_for(const Part& p);
  void look_at_rows();
  void prepare_words(const Range& words);

  std::vector<Buffer> memory_;
};

}  // namespace kinjo::graph::detail
