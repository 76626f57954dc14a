/// The matrices of a product by shifted blocks, as one cell has them, and the multiply of a step.
///
/// Of A a cell has the rows of its block, row-major; of B and C the columns of its block,
/// column-major. Lines lie `ld` elements apart (`gemm::placed_line`), so a block of A is
/// contiguous.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <kinjo/comm.hpp>
#include <kinjo/gemm.hpp>

#include "base/random.hpp"
#include "comm/apps/blocks.hpp"

namespace kinjo::comm::detail {

/// Element `index` of matrix 0 (A) or 1 (B), index = row·N + column: a multiple of 1/64 of
/// magnitude 1/64 to 1. Products of two are multiples of 2⁻¹², and sums of fewer than 2⁴¹ of them
/// exact.
inline double matrix_number(std::uint64_t index, std::uint64_t matrix) {
  const std::uint64_t x = kinjo::detail::mix(2 * index + matrix + kinjo::detail::kMixStep);
  const auto magnitude = static_cast<double>(x % 64 + 1) / 64;
  return (x >> 32 & 1) != 0 ? -magnitude : magnitude;
}

class ShiftMatrices {
 public:
  /// Allocates and fills this cell's part, with so many receive buffers. Collective.
  ShiftMatrices(World& world, std::size_t n, int buffers);

  std::size_t n() const { return n_; }
  std::size_t ld() const { return ld_; }
  Block block(int cell) const { return block_of(n_, cells_, cell); }
  /// Bytes of a cell's block of A.
  std::size_t block_bytes(int cell) const { return block(cell).size() * ld_ * sizeof(double); }

  Offset own_a() const { return a_.offset; }
  Offset buffer(std::size_t which) const { return buffers_[which].offset; }
  Offset c() const { return c_.offset; }

  /// C's rows of `owner`'s block ← `a` (that block of A) · this cell's columns of B.
  void multiply(int owner, const double* a);
  /// Overwrites C with NaN, so that what is not computed is found.
  void forget_c();

 private:
  void fill();

  World* world_;
  std::size_t n_, ld_;
  int cells_;
  Block mine_;
  Symmetric<double> a_, b_, c_;
  std::vector<Symmetric<double>> buffers_;
  std::map<std::size_t, gemm::Plan> plans_;  ///< by the rows of a block
};

}  // namespace kinjo::comm::detail
