/// The entries of one bucket into its rows.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/few.hpp"
#include "graph/row_sort.hpp"

namespace kinjo::graph::detail {

/// Sorts a row by insertion and leaves repetitions out; returns how many are left.
inline std::uint32_t sort_row(Vertex* row, std::uint32_t length) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < length; ++i) {
    const Vertex u = row[i];
    std::uint32_t at = kept;
    while (at > 0 && row[at - 1] > u) --at;
    if (at > 0 && row[at - 1] == u) continue;
    for (std::uint32_t j = kept++; j > at; --j) row[j] = row[j - 1];
    row[at] = u;
  }
  return kept;
}

/// As `sort_row` does with a row of at most kVeryFew, behind which so many can be read and written.
inline std::uint32_t sort_short_row(Vertex* row, std::uint32_t length) {
  const auto at = [&](std::uint32_t i) { return i < length ? row[i] : kNoVertex; };
  Few few{at(0), at(1), at(2), at(3)};
  few.sort();
  const auto put = [&](std::uint32_t i, Vertex u) { row[i] = i < length ? u : row[i]; };
  put(0, few.a);
  put(1, few.b);
  put(2, few.c);
  put(3, few.d);
  return few.repeat() ? sort_row(row, length) : length;
}

/// Leaves out what repeats the one before it; returns how many are left.
inline std::uint32_t squeeze(Vertex* row, std::uint32_t length) {
  std::uint32_t repetitions = 0;
  for (std::uint32_t i = 1; i < length; ++i) repetitions += row[i] == row[i - 1];
  if (repetitions == 0) return length;
  std::uint32_t kept = 1;
  Vertex last = row[0];
  for (std::uint32_t i = 1; i < length; ++i) {
    const Vertex u = row[i];
    row[kept] = u;
    kept += u != last;
    last = u;
  }
  return kept;
}

/// One thread's tables for the rows of a bucket, whose entries `Source` has.
template <class Source>
class BucketFiller {
 public:
  BucketFiller(const Buckets& buckets, const Source& source, const LooseRows& rows)
      : buckets_(buckets), source_(source), rows_(rows) {}

  /// Counts the entries of each row and places the rows one behind the other.
  void place(std::size_t bucket) {
    enter(bucket);
    count([](Vertex, Vertex) {});
    line_up();
  }

  /// The same without loops, which `degrees` still have.
  void place_without_loops(std::size_t bucket, std::span<std::uint32_t> degrees) {
    enter(bucket);
    count([&](Vertex row, Vertex u) {
      if (row == u) loops_.push_back(row);
    });
    if (!degrees.empty()) std::ranges::copy(next_, degrees.subspan(mine_.begin).begin());
    for (const Vertex v : loops_) --next_[v - mine_.begin];
    line_up();
  }

  /// Places the rows by the lengths that are known.
  void place_as_before(std::size_t bucket) {
    enter(bucket);
    for (std::size_t r = 0; r < mine_.size(); ++r) next_[r] = rows_.places[mine_.begin + r].length;
    line_up();
  }

  /// How many entries each row has.
  void count_degrees(std::size_t bucket, std::span<std::uint32_t> degrees) {
    enter(bucket);
    count([](Vertex, Vertex) {});
    std::ranges::copy(next_, degrees.subspan(mine_.begin).begin());
  }

  /// After `place_without_loops`: every neighbour into its row.
  void scatter() {
    if (loops_.empty()) {
      scatter([](Vertex, Vertex) { return true; });
    } else {
      scatter([](Vertex row, Vertex u) { return row != u; });
    }
  }

  /// The same where a row's repetitions come one after the other: lengths say what is left.
  void scatter_once() {
    scatter();
    for (RowPlace& place : rows_.places.subspan(mine_.begin, mine_.size())) {
      place.length = squeeze(out() + place.begin, place.length);
    }
  }

  /// After `scatter`: sorts the rows and leaves repetitions out, if all of them are short.
  bool sort_if_short() {
    std::uint32_t longest = 0;
    const auto places = rows_.places.subspan(mine_.begin, mine_.size());
    for (const RowPlace& place : places) longest = std::max(longest, place.length);
    if (longest > kFewNeighbours) return false;
    spread_ = {};
    for (RowPlace& place : places) {
      Vertex* const row = out() + place.begin;
      const bool is_short = place.length <= kVeryFew && place.begin + kVeryFew <= size();
      place.length = (is_short ? sort_short_row : sort_row)(row, place.length);
      meet(place.length);
    }
    return true;
  }

  /// Instead of all of these: sorted rows without loops and repetitions, if none has more than
  /// kVeryFew entries without loops.
  bool fill_very_short(std::size_t bucket) {
    if (!has_slots(buckets_.rows, buckets_.entries())) return false;
    enter(bucket);
    slots_.assign(kVeryFew * mine_.size(), kNoVertex);
    Vertex* const slots = slots_.data();
    std::uint32_t* const next = next_.data();
    source_.for_each(bucket, mine_, [slots, next, first = mine_.begin](Vertex row, Vertex u) {
      const std::size_t r = row - first;
      if (row != u) slots[kVeryFew * r + next[r]++ % kVeryFew] = u;
    });
    if (std::ranges::max(next_) > kVeryFew) return false;
    take_slots();
    return true;
  }

  /// Of the rows that were sorted last.
  const Spread& spread() const { return spread_; }
  /// Whether they have fewer entries than were there.
  bool left_out() const { return spread_.sum < size(); }

 private:
  void enter(std::size_t bucket) {
    bucket_ = bucket;
    mine_ = buckets_.rows_of(bucket);
    next_.assign(mine_.size(), 0);
    loops_.clear();
  }

  void meet(std::uint32_t length) {
    spread_.sum += length;
    spread_.most = std::max(spread_.most, length);
  }

  Vertex* out() const { return rows_.neighbours.data() + buckets_.begins[bucket_]; }
  EdgeCount size() const { return buckets_.begins[bucket_ + 1] - buckets_.begins[bucket_]; }

  template <class Also>
  [[gnu::always_inline]] void count(const Also& also) {
    std::uint32_t* const lengths = next_.data() - mine_.begin;
    source_.for_each(bucket_, mine_, [&](Vertex row, Vertex u) {
      ++lengths[row];
      also(row, u);
    });
  }

  template <class IsWanted>
  [[gnu::always_inline]] void scatter(const IsWanted& is_wanted) {
    Vertex* const to = out();
    std::uint32_t* const next = next_.data() - mine_.begin;
    source_.for_each(bucket_, mine_, [&](Vertex row, Vertex u) {
      if (is_wanted(row, u)) to[next[row]++] = u;
    });
  }

  /// From the rows' lengths in `next_`.
  void line_up() {
    std::uint32_t at = 0;
    for (std::size_t r = 0; r < mine_.size(); ++r) {
      const std::uint32_t length = std::exchange(next_[r], at);
      rows_.places[mine_.begin + r] = {at, length};
      at += length;
    }
  }

  /// Rows of the lengths in `next_` out of their slots.
  void take_slots() {
    Vertex* const to = out();
    const EdgeCount all = size();
    std::uint32_t at = 0, most = 0;
    for (std::size_t r = 0; r < mine_.size(); ++r) {
      const Vertex* const slot = &slots_[kVeryFew * r];
      Few few{slot[0], slot[1], slot[2], slot[3]};
      few.sort();
      std::uint32_t length = next_[r];
      if (at + kVeryFew <= all) {  // what follows is written after it
        few.put(to + at);
        if (few.repeat()) length = squeeze(to + at, length);
      } else {
        Vertex row[kVeryFew];
        few.put(row);
        if (few.repeat()) length = squeeze(row, length);
        std::copy(row, row + length, to + at);
      }
      rows_.places[mine_.begin + r] = {at, length};
      at += length;
      most = std::max(most, length);
    }
    spread_ = {at, most};
  }

  const Buckets& buckets_;
  const Source& source_;
  const LooseRows& rows_;
  std::size_t bucket_ = 0;
  Range mine_;                       ///< rows
  std::vector<std::uint32_t> next_;  ///< where each row goes on in the bucket; first its length
  std::vector<Vertex> loops_;        ///< which `place_without_loops` left out
  std::vector<Vertex> slots_;        ///< kVeryFew of each row
  Spread spread_;                    ///< of sorted rows
};

}  // namespace kinjo::graph::detail
