/// Rows out of buckets, and rows whose neighbours are in a wanted order.
///
/// A counting sort puts the entries of each bucket into rows; bucket and rows are in cache. Such
/// rows have their neighbours in the order of the list. To have them in another order of all
/// vertices (by falling degree, say), the rows are *transposed*: visited in that order, each vertex
/// u is sent to the rows of its neighbours, through buckets again; so every row receives its
/// neighbours in the order of the visit, and repetitions one after the other. Nothing is compared
/// and nothing is looked up by neighbour. In a symmetric graph the transposed rows are the rows; in
/// a directed one the first rows are those of edges that end in a vertex, and the second those that
/// begin.
#pragma once

#include <optional>
#include <variant>

#include <kinjo/graph.hpp>

#include "graph/buckets.hpp"
#include "graph/fetch.hpp"
#include "graph/stretches.hpp"

namespace kinjo::graph::detail {

template <class T>
std::span<T> span_of(const Buffer& buffer, std::size_t size) {
  return {static_cast<T*>(buffer.data()), size};
}

/// Where a row is; the two together, since who visits rows in an order of his own pays for a line
/// of memory each time.
struct RowPlace {
  std::uint32_t begin;  ///< from the base of its block on
  std::uint32_t length;
};

/// How rows differ.
struct Spread {
  EdgeCount sum = 0;       ///< of their lengths
  std::uint32_t most = 0;  ///< the greatest
};

/// Rows somewhere in an array.
struct LooseRows {
  Buffer neighbours_memory, places_memory;
  std::span<Vertex> neighbours;
  std::span<RowPlace> places;
  /// Where each block of 2^shift rows begins.
  unsigned shift = 0;
  std::vector<EdgeCount> bases;
  /// Whether those of a block lie one behind the other.
  bool is_packed = false;
  std::optional<Spread> spread;  ///< if it is known

  std::size_t size() const { return places.size(); }
  std::uint32_t length(std::size_t v) const { return places[v].length; }
  const Vertex* begin(std::size_t v) const {
    return neighbours.data() + bases[v >> shift] + places[v].begin;
  }
  std::span<const Vertex> row(std::size_t v) const { return {begin(v), length(v)}; }

  // As rows are visited: what is asked for first, and what when the first has come. The whole row
  // may have its own number behind its neighbours.
  EdgeCount neighbour_count() const { return neighbours.size(); }
  std::span<const Vertex> whole_row(std::size_t v) const { return row(v); }
  [[gnu::always_inline]] void ask_for_place(std::size_t v) const { fetch(&places[v]); }
  [[gnu::always_inline]] void ask_for_row(std::size_t v) const { fetch_ends(row(v)); }
};

/// Room for rows of as many entries as the buckets have.
LooseRows make_rows(const Buckets& buckets, const Mapping& mapping, Pages pages);

/// Neighbours, with repetitions, of which a row may have as many as that and still be sorted by
/// comparing.
inline constexpr std::uint32_t kFewNeighbours = 16;

/// Neighbours that are sorted without a branch, and whether rows of a graph may get as many slots
/// each on their way to there: not where most would stay empty.
inline constexpr std::uint32_t kVeryFew = 4;
constexpr bool has_slots(std::uint64_t rows, EdgeCount entries) { return rows <= 2 * entries; }

/// How rows are.
enum class Rows {
  as_listed,  ///< neighbours are in the order of the list, with repetitions
  sorted,     ///< in rising order, without repetitions
};

/// Entries {row, neighbour} that were dealt to the buckets.
class Dealt {
 public:
  Dealt(const Buckets& buckets, const Edge* entries) : begins_(buckets.begins), entries_(entries) {}

  /// As in `Stretches`.
  template <class F>
  [[gnu::always_inline]] void for_each(std::size_t bucket, Range, const F& f) const {
    for (const Edge *e = entries_ + begins_[bucket], *end = entries_ + begins_[bucket + 1];
         e != end; ++e) {
      f(e->from, e->to);
    }
  }

 private:
  std::span<const EdgeCount> begins_;
  const Edge* entries_;
};

/// Where the entries of buckets are.
using Entries = std::variant<Dealt, const Stretches*>;

/// Entries of the buckets into rows, without loops. Sorts them if that is wanted and all of them
/// are short; returns whether it did. `degrees`, if it is not empty, gets how many entries each row
/// had with loops and repetitions; it stays as it is if rows are sorted and there were none.
Rows fill_rows(Team& team, const Buckets& buckets, const Entries& entries, LooseRows& rows,
               Rows wanted, std::span<std::uint32_t> degrees);

/// What one thread would send to each bucket if it visited all rows of a symmetric graph: as much
/// as they have.
Counts count_rows(const LooseRows& rows, unsigned shift);

/// How many entries each thread will send to each bucket when it visits its share of `visit`, which
/// `shares` has, one more than threads.
Counts count_visits(Team& team, const LooseRows& rows, std::span<const Vertex> visit,
                    const std::vector<std::size_t>& shares, unsigned shift);

/// Cuts a visit into shares of about as many entries, one for each thread.
std::vector<std::size_t> share_visit(Team& team, const LooseRows& rows,
                                     std::span<const Vertex> visit);

/// Visits the rows in order and sends {neighbour, names[k]} for the k-th; `visit[k]` itself where
/// `names` is empty.
void send_visits(Team& team, const LooseRows& rows, std::span<const Vertex> visit,
                 std::span<const Vertex> names, const std::vector<std::size_t>& shares,
                 unsigned shift, const Counts& begins, Edge* out);

/// The entries that were sent into rows, repetitions left out. Where the rows' lengths are what
/// they had before, which suffices in a symmetric graph, `sense` saves counting them.
void fill_sorted_rows(Team& team, const Buckets& buckets, const Edge* entries, Sense sense,
                      LooseRows& rows);

}  // namespace kinjo::graph::detail
