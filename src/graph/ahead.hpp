/// Rows that are visited in an order of their own.
#pragma once

#include <algorithm>

#include "graph/fetch.hpp"
#include "graph/row_sort.hpp"
#include "graph/slot_rows.hpp"

namespace kinjo::graph::detail {

/// Rows that will be visited soon are on their way meanwhile: their places first, then themselves.
class Ahead {
 public:
  Ahead(const LooseRows& rows, std::span<const Vertex> visit) : rows_(rows), visit_(visit) {}
  [[gnu::always_inline]] void operator()(std::size_t k) const {
    if (k + kPlaces < visit_.size()) {
      fetch(&rows_.places[visit_[k + kPlaces]]);
    }
    if (k + kRows < visit_.size()) {
      const std::span<const Vertex> row = rows_.row(visit_[k + kRows]);
      const Vertex* const end = row.data() + std::min(row.size(), kFetched);
      for (const Vertex* u = row.data(); u < end; u += 16) fetch(u);
      fetch(end);
    }
  }

 private:
  static constexpr std::size_t kPlaces = 32, kRows = 16;
  static constexpr std::size_t kFetched = 64;  ///< neighbours; the others are met in line
  const LooseRows& rows_;
  std::span<const Vertex> visit_;
};

/// The same where a row is where its number says.
class SlotsAhead {
 public:
  SlotsAhead(const SlotRows& rows, std::span<const Vertex> visit) : rows_(rows), visit_(visit) {}
  [[gnu::always_inline]] void operator()(std::size_t k) const {
    if (k + kRows < visit_.size()) rows_.ask_for_row(visit_[k + kRows]);
  }

 private:
  static constexpr std::size_t kRows = 24;
  const SlotRows& rows_;
  std::span<const Vertex> visit_;
};

inline Ahead ahead_of(const LooseRows& rows, std::span<const Vertex> visit) {
  return {rows, visit};
}
inline SlotsAhead ahead_of(const SlotRows& rows, std::span<const Vertex> visit) {
  return {rows, visit};
}

}  // namespace kinjo::graph::detail
