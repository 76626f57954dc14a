/// Rows of at most four neighbours in four slots each.
///
/// Who visits rows in an order of his own pays for every line of memory, and where the rows are of
/// one size he need not ask where they begin: a row is one line and not two or three. So it is for
/// the search for a locality order.
#pragma once

#include <algorithm>
#include <optional>

#include "graph/fetch.hpp"
#include "graph/row_sort.hpp"

namespace kinjo::graph::detail {

struct SlotRows {
  Buffer memory;
  /// kVeryFew for each row: its neighbours in rising order, and the row's own number behind them,
  /// which in a graph without loops is none.
  std::span<Vertex> slots;
  std::optional<Spread> spread;
  EdgeCount entries = 0;
  unsigned shift = 0;  ///< of the buckets that they are out of

  std::size_t size() const { return slots.size() / kVeryFew; }
  std::span<const Vertex> row(std::size_t v) const { return {begin(v), length(v)}; }
  std::uint32_t length(std::size_t v) const {
    std::uint32_t length = 0;
    for (const Vertex u : whole_row(v)) length += u != v;
    return length;
  }

  // As rows are visited, see LooseRows.
  EdgeCount neighbour_count() const { return entries; }
  std::span<const Vertex, kVeryFew> whole_row(std::size_t v) const {
    return std::span<const Vertex, kVeryFew>(begin(v), kVeryFew);
  }
  [[gnu::always_inline]] void ask_for_place(std::size_t) const {}
  [[gnu::always_inline]] void ask_for_row(std::size_t v) const { fetch(begin(v)); }

 private:
  const Vertex* begin(std::size_t v) const { return slots.data() + kVeryFew * v; }
};

/// Whether rows of so many entries in all take no more memory in slots than otherwise, and may have
/// room there.
constexpr bool suits_slots(std::uint64_t rows, EdgeCount entries) {
  return entries >= 2 * rows && entries <= kVeryFew * rows;
}

/// The entries of all buckets in slots, unless a row has too many, or one of them twice, or itself.
std::optional<SlotRows> fill_slots(Team& team, const Buckets& buckets, const Dealt& entries,
                                   Pages pages);

}  // namespace kinjo::graph::detail
