/// Block sizes from caches and from the kernels' tile.
#pragma once

#include <kinjo/gemm_plan.hpp>

#include "gemm/strips.hpp"

namespace kinjo::gemm {

/// An L2 below this size has hardly room for what passes through beside a section.
constexpr std::size_t kSmallL2 = std::size_t{1} << 20;

/// The strips that the kernels cut a dimension into: of the vector side for C's contiguous
/// dimension, of the broadcast side for the other; single elements for the inner one.
detail::Strips strips_of(const Problem& problem, Dimension dimension);

/// The inner dimension's block where strips of `resident` stay in L1: a strip takes half of it.
std::size_t cache_block(const Problem& problem, Dimension resident);
/// Elements of `dimension` in a block of `inner` that takes three quarters of L2 (at most 1 MiB; of
/// one below 1 MiB half), or half of the last level.
std::size_t section_block(const Problem& problem, Dimension dimension, std::size_t inner);
std::size_t panel_block(const Problem& problem, Dimension dimension, std::size_t inner);

/// Share `index` of `count` of a range, cut only between units; they differ by one unit at most.
Range even_share(Range range, std::size_t unit, std::size_t count, std::size_t index);

/// `range` in even parts of whole strips, at most `block` each (at least one strip).
std::size_t even_parts(std::size_t size, std::size_t block, std::size_t strip);
Range even_part(Range range, std::size_t block, std::size_t strip, std::size_t index);

/// The matrix that a loop over `dimension` copies: A for m, B for n.
enum class Operand { a, b };
inline Operand operand_of(Dimension dimension) {
  return dimension == Dimension::m ? Operand::a : Operand::b;
}
/// Whether a matrix can be used where it lies: always on the broadcast side; on the vector side if
/// it is contiguous along C's contiguous dimension.
bool usable_in_place(const Problem& problem, Operand operand);

}  // namespace kinjo::gemm
