/// What the rows of sums need, group by group.
#pragma once

#include "paths/groups.hpp"
#include "paths/sums.hpp"

namespace kinjo::paths::detail {

/// Of a level. All its numbers together have at most so many bits: one more after each item that is
/// not forced.
struct RowBound {
  RowShape shape;
  std::size_t bits = 1;

  /// Of the level after a group. `level_bits()` says how many bits the present level's numbers
  /// have in truth, and is asked when the bound takes another limb.
  template <Specification S, class LevelBits>
  void advance(const S& specification, const Group& group, LevelBits&& level_bits) {
    if (shape.measure == Measure::by_size) shape.coefficients = group.last + 2;
    if (shape.measure != Measure::sets && shape.measure != Measure::by_size) return;
    const std::size_t more = open_items(specification, group);
    if ((bits += more) > 64 * shape.limbs) bits = level_bits() + more;
    shape.limbs = (bits + 63) / 64;
  }
  /// Likewise, where nobody knows that: some of the level's numbers are elsewhere.
  template <Specification S>
  void advance(const S& specification, const Group& group) {
    advance(specification, group, [known = bits] { return known; });
  }
};

}  // namespace kinjo::paths::detail
