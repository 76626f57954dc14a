/// Inner products over all cells, in an order that does not depend on how many there are.
#pragma once

#include <cstdint>
#include <span>

#include <kinjo/comm.hpp>

#include "comm/apps/blocks.hpp"

namespace kinjo::comm::detail {

/// Every row has a summand. Each cell puts those of its rows into all others' lists, with a flag of
/// its own, and adds up the whole list in the order of the rows. The list is there twice: another
/// cell may be a sum ahead, never two, since it needs this cell's part of the next one.
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
  double* list() const { return static_cast<double*>(world_.local(at(0))); }
  Offset at(std::size_t row) const { return lists_.at((sums_ % 2) * rows_ + row); }
  Offset flag(int sender) const { return flags_.at(static_cast<std::size_t>(sender) * 8); }

  World& world_;
  std::size_t rows_;
  Block mine_;
  std::uint64_t sums_ = 0;
  Symmetric<double> lists_;
  Symmetric<std::uint64_t> flags_;  ///< one in a line for each sender
};

}  // namespace kinjo::comm::detail
