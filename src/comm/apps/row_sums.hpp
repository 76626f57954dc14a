/// Inner products over all cells, in an order that does not depend on how many there are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <kinjo/comm.hpp>

#include "comm/apps/blocks.hpp"

namespace kinjo::comm::detail {

/// Every row has a summand, and every cell gets the whole list and adds it up in the order of the
/// rows. Few cells put the summands of their rows into all others' lists. With more than
/// `kTellAllCells` they double what they have (Bruck and others 1997): in round r a cell has those
/// of 2^r cells, itself the first, and puts them to the one 2^r before it. The list is there twice:
/// another cell may be a sum ahead, never two, since it needs this cell's part of the next one.
class RowSums {
 public:
  /// Collective.
  RowSums(World& world, std::size_t rows);

  /// The summands of this cell's rows, to be written before the next `total`.
  std::span<double> mine() { return {list() + mine_.begin, mine_.size()}; }
  /// The sum of all rows. Collective.
  double total();
  /// That of this cell's rows. Not collective.
  double own_total();

 private:
  void tell_all();
  void gather_by_doubling();
  /// The rows of `count` cells from `first` on, which go on with cell 0 behind the last: those
  /// before (`part` 0) and behind that turn, if there are any.
  std::optional<Block> rows_of(int first, int count, int part) const;
  double* list() const { return static_cast<double*>(world_.local(at(0))); }
  Offset at(std::size_t row) const { return lists_.at((sums_ % 2) * rows_ + row); }
  /// Of a sender, or of a part of a round: there are more cells than those.
  Offset flag(int index) const { return flags_.at(static_cast<std::size_t>(index) * 8); }

  World& world_;
  std::size_t rows_;
  Block mine_;
  std::uint64_t sums_ = 0;
  Symmetric<double> lists_;
  Symmetric<std::uint64_t> flags_;  ///< one in a line for each cell
};

}  // namespace kinjo::comm::detail
