/// The steps of a product by shifted blocks, in each form (S4, List 1).
///
/// Step d multiplies block (c+d) mod P on cell c. Step 0 needs no other cell's block. In `put` and
/// `send` the block for step d+1 leaves its owner during step d; in `get` it is fetched then.
///
/// Nothing in use is overwritten: the data for step d goes to buffer d mod (k+1), where k is to how
/// many cells `put` puts at a time (the other forms take two of the buffers). In step d it fills
/// the buffers of steps d+1 … d+k, all but that of step d; they were read in steps before, and a
/// barrier lies between. Each sender has a flag of its own at its target, since in a slow network a
/// later sender may come before an earlier one; a flag holds the number of the product, so it need
/// not be reset.
#pragma once

#include <cstdint>

#include <kinjo/comm_apps.hpp>

#include "comm/apps/collect.hpp"
#include "comm/apps/shift_matrices.hpp"

namespace kinjo::comm::detail {

class ShiftSteps {
 public:
  /// Collective: allocates the flags.
  ShiftSteps(World& world, ShiftMatrices& matrices, int ahead);

  /// One product; `times` grows by what this cell did. Collective.
  void run(Form form, ShiftGemmTimes& times);
  /// The same multiplies of what lies in this cell's own memory. Not collective.
  void run_alone(ShiftGemmTimes& times);

 private:
  void put_step(int d, Lap& lap, ShiftGemmTimes& times);
  void get_step(int d, Lap& lap, ShiftGemmTimes& times);
  void send_step(int d, Lap& lap, ShiftGemmTimes& times);
  void direct_step(int d, Lap& lap, ShiftGemmTimes& times);

  void put_blocks(int d);
  void send_block(int d);
  void multiply(int d, const double* a, Lap& lap, ShiftGemmTimes& times);
  void synchronise(Lap& lap, ShiftGemmTimes& times);

  int owner(int d) const { return (me_ + d) % cells_; }
  /// Who multiplies this cell's block in the step after d.
  int next(int d) const { return (me_ + 2 * cells_ - d - 1) % cells_; }
  Offset flag(int sender) const { return flags_.at(static_cast<std::size_t>(sender) * 8); }
  /// The buffer of step d, one of `count` that take turns.
  Offset buffer(int d, int count) const {
    return matrices_.buffer(static_cast<std::size_t>(d % count));
  }
  /// Where the block of step d lies here once it has come.
  const double* arrived(int d, int count = 2) const;

  World& world_;
  ShiftMatrices& matrices_;
  int me_, cells_, ahead_;
  std::uint64_t product_ = 0;
  Symmetric<std::uint64_t> flags_;  ///< one in a line for each sender
};

}  // namespace kinjo::comm::detail
