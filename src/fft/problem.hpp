/// What a plan is for: a shape and its options, checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <kinjo/fft_plan.hpp>

namespace kinjo::fft::detail {

/// An array's axes in memory, row-major, and which of them are transformed.
struct Problem {
  std::vector<std::size_t> shape;
  std::vector<std::size_t> axes;  ///< in the order of their numbers
  std::size_t size = 0;           ///< elements of one transform's array
  std::size_t transformed = 0;    ///< product of the transformed axes' lengths
  std::size_t batch = 0;
  std::size_t distance = 0;

  /// Elements from one index of an axis to the next.
  std::size_t stride(std::size_t axis) const;
  /// Elements from the first to the last one of the batch.
  std::size_t extent() const { return (batch - 1) * distance + size; }
};

/// Throws `Error` (`invalid_argument`) as the constructors of plans do.
Problem check_problem(const std::vector<std::size_t>& shape, const Options& options,
                      std::size_t element_bytes);

/// Whether two pieces of memory have a byte in common.
inline bool meet(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(a),
             second = reinterpret_cast<std::uintptr_t>(b);
  return first < second + b_bytes && second < first + a_bytes;
}

/// 1, 1/n or 1/√n.
double factor_of(Scale scale, std::size_t n);

}  // namespace kinjo::fft::detail
