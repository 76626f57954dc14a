/// How border rows of p reach the neighbours, in each form.
///
/// `begin` hands this cell's border rows on, `end` returns where the neighbours' are. A halo row is
/// there twice, for even and odd iterations: a neighbour may be an iteration ahead, and writes into
/// the one that nobody reads now. (It cannot be two ahead: between lie sums over all cells.) A
/// border row itself changes after such a sum, before which its readers have done with it; a PUT of
/// it has completed by then, which `end` waits for.
#pragma once

#include <cstdint>

#include <kinjo/comm_apps.hpp>

namespace kinjo::comm::detail {

class Halo {
 public:
  /// `p` is where the rows of p begin, `rows` of `n`, on each cell; collective.
  Halo(World& world, Offset p, std::size_t n, std::size_t rows, std::size_t rows_above);

  /// The neighbours' rows; zeros beyond the border of the square.
  struct Rows {
    const double* above;
    const double* below;
  };
  void begin(Form form);
  Rows end();
  /// Zeros for both, when nobody is asked.
  Rows none() const { return {zeros(), zeros()}; }

 private:
  enum Side : std::size_t { kAbove, kBelow };
  bool has(Side side) const { return side == kAbove ? me_ > 0 : me_ + 1 < cells_; }
  int neighbour(Side side) const { return side == kAbove ? me_ - 1 : me_ + 1; }
  /// The halo row on a side, of this iteration.
  Offset halo(Side side) const;
  Offset flag(Side side) const { return flags_.at(side * 8); }
  /// This cell's own row at a side, and the neighbour's that touches it.
  Offset own_row(Side side) const;
  Offset their_row(Side side) const;
  const double* zeros() const { return static_cast<const double*>(world_.local(zeros_.offset)); }
  void begin(Side side);
  const double* end(Side side);

  World& world_;
  Form form_ = Form::put;  ///< of this iteration
  Offset p_;
  std::size_t n_, rows_, rows_above_;
  int me_, cells_;
  std::uint64_t iteration_ = 0;
  Completion copied_;
  Symmetric<double> halos_, zeros_;
  Symmetric<std::uint64_t> flags_;  ///< of either side, one in a line: a sender of its own each
};

}  // namespace kinjo::comm::detail
