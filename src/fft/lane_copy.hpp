/// Between lines that lie side by side in an array and the same lines one behind the other.
///
/// Element r of lane l is number r·element + l·lane of the array. Row by row, neighbouring lanes
/// share cache lines, so that all of them are copied before the next rows are.
#pragma once

#include <memory>

#include "fft/stage.hpp"

namespace kinjo::fft::detail {

enum class LaneCopy {
  pack,    ///< real numbers to lines, where pairs of them are complex numbers
  widen,   ///< real numbers to lines of complex ones
  take,    ///< complex numbers to lines
  unpack,  ///< the reverse of pack
  narrow,  ///< real parts of lines of complex numbers
  give     ///< the reverse of take
};

/// How lanes lie in the array, and lines in the work array: `line` complex numbers apart.
struct Lanes {
  std::size_t count = 1, rows = 1;
  std::size_t lane = 1, element = 1;
  std::size_t line = 1;
  Where array, work;
};

/// A stage of one item. Real numbers are the array's real parts.
template <class T>
std::unique_ptr<Stage<T>> lane_copy(LaneCopy kind, const Lanes& lanes);

}  // namespace kinjo::fft::detail
