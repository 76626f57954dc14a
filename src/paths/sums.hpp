/// What is added up over all ways to a state: how many there are, how many by their number of
/// items, or the sum of their weights.
///
/// A row of words for each state. Numbers are exact: as many 64-bit limbs as the level's total may
/// need (level_sweep.hpp), lowest first; by number of items, a polynomial of such numbers.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <kinjo/count.hpp>

#include "memory/growing_array.hpp"
#include "paths/expansion.hpp"

namespace kinjo::paths::detail {

enum class Measure : std::uint8_t {
  states,   ///< nothing: which states there are is all that is asked
  sets,     ///< how many sets lead there
  by_size,  ///< how many by their number of items
  weight,   ///< Σ over sets of Π over their items of an item's weight, a double
};

/// What a row holds.
struct RowShape {
  Measure measure = Measure::sets;
  std::size_t limbs = 1;         ///< of a number
  std::size_t coefficients = 1;  ///< numbers of a row: by size, as many as sizes

  std::size_t words() const {
    return measure == Measure::states ? 0 : measure == Measure::weight ? 1 : limbs * coefficients;
  }
};

/// A decision's effect on what is added up.
struct Effect {
  Decision decision = Decision::skip;
  double weight = 1;  ///< of the item, if it is taken
};

/// A row for each state of a level. There may be room before the first one, where rows of the level
/// after it can be written while these are read from the first to the last.
class Sums {
 public:
  /// Forgets all rows.
  void begin(const RowShape& shape) {
    shape_ = shape;
    words_.clear();
    room_ = rows_ = 0;
  }
  /// Moves all rows to where so many have room before them.
  void leave_room(std::size_t rows);
  /// Begins anew, so many rows before the present ones, which stay until others are in their place.
  void begin_before(std::size_t rows) {
    room_ -= rows;
    rows_ = 0;
  }
  /// Begins anew behind the present rows, which stay.
  void begin_behind() { room_ += std::exchange(rows_, 0); }
  /// Rows that come new are zeros.
  void resize(std::size_t rows);
  /// Makes these its rows: so many of another's, from `first` on.
  void copy(const Sums& other, std::size_t first, std::size_t rows);
  /// The same numbers with as many limbs and coefficients as another shape has: no fewer than they
  /// need.
  void widen(const RowShape& shape);

  const RowShape& shape() const { return shape_; }
  const std::uint64_t* row(std::size_t number) const {
    return words_.data() + (room_ + number) * shape_.words();
  }
  std::size_t rows() const { return rows_; }
  std::uint64_t bytes() const { return words_.bytes(); }
  /// Of `bytes`, those that hold something now.
  std::uint64_t used_bytes() const { return words_.all().size_bytes(); }
  void fit() { words_.fit(); }
  /// Gives back the room before all rows.
  void discard_room() { words_.discard(0, room_ * shape_.words()); }
  /// Up to so many rows stay where they are from now on.
  void reserve(std::size_t rows) { words_.reserve((room_ + rows) * shape_.words()); }

  /// Adds to row least + numbers[i], for each i, row from[i] of those that begin at `rows`.
  template <class Index>
  void add(std::size_t least, std::span<const std::uint32_t> numbers, const std::uint64_t* rows,
           const RowShape& rows_shape, const Index* from, const Effect& effect);

  /// Appends row from[i] of those that begin at `rows`, which have this shape, for each i.
  void append(const std::uint64_t* rows, std::span<const std::uint16_t> from);

  /// The sum of all numbers, for a bound on what they may become.
  Count total() const;

 private:
  std::uint64_t* row_data(std::size_t number) {
    return words_.data() + (room_ + number) * shape_.words();
  }
  void resize_words(std::size_t rows) { words_.resize((room_ + rows) * shape_.words()); }

  RowShape shape_;
  kinjo::detail::GrowingArray<std::uint64_t> words_;
  std::size_t room_ = 0;  ///< before the first row, in rows
  std::size_t rows_ = 0;
};

/// Adds one row to another of a shape that has room for the result.
void add_row(std::uint64_t* to, const RowShape& to_shape, const std::uint64_t* row,
             const RowShape& row_shape, const Effect& effect);

/// The sums over all members of a family, from where they are accepted.
class Total {
 public:
  void add(const std::uint64_t* row, const RowShape& shape, const Effect& effect);
  /// By size: as many numbers as the largest member's, plus one; else one.
  std::vector<Count> counts() const;
  double weight() const;
  void add(const Total& other);

 private:
  void widen(const RowShape& shape);

  RowShape shape_{.coefficients = 0};
  std::vector<std::uint64_t> words_;
};

}  // namespace kinjo::paths::detail
