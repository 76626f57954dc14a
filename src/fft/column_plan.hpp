/// What a transform in columns does, as data: the passes, where rows lie, and all tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fft/lines.hpp"
#include "fft/radices.hpp"

namespace kinjo::fft::detail {

/// How a transform in cache is computed.
enum class InCache { in_place, stockham };

/// A pass makes transforms of radix·length elements from `radix` ones of `length` elements.
template <class T>
struct ColumnPass {
  std::size_t radix;
  std::size_t length;
  std::size_t inner;        ///< length / below, of its group
  std::size_t count;        ///< butterflies with the same twiddles in a block
  std::vector<T> twiddles;  ///< as PassJob has them, in the order of use; none if length is 1
  std::vector<T> roots;     ///< root(radix, k), complex; of odd radices only

  /// Those of a group of butterflies.
  const T* twiddles_at(std::size_t group) const {
    return length == 1 ? nullptr : twiddles.data() + 2 * (radix - 1) * group;
  }
};

/// Passes that follow each other over blocks of rows small enough for the L1 cache.
///
/// With `below` the product of the radices of all passes before these and `rows` that of these,
/// block b·below + j has the rows b·rows·below + j + s·below, s < rows.
struct RowGroup {
  std::size_t first_pass, passes;
  std::size_t rows, below;
  std::size_t step;                     ///< between neighbouring rows of a block, in T
  std::vector<std::uint32_t> elements;  ///< s·below for s < rows
  std::vector<std::uint32_t> offsets;   ///< s·step
  std::vector<std::uint32_t> blocks;    ///< where each block begins, in T
};

template <class T>
struct ColumnPlan {
  std::size_t size;
  std::vector<ColumnPass<T>> passes;
  std::vector<RowGroup> groups;
  std::size_t buffer_size;  ///< in T
  /// By row, in natural order, where it is in the buffer; in T.
  std::vector<std::uint32_t> offset_of_row;
  /// Which element LOAD puts in each row, and the reverse: where it puts each element.
  std::vector<std::uint32_t> element_of_row;
  std::vector<std::uint32_t> offset_of_element;
  /// In which row LOAD puts each element.
  std::vector<std::uint32_t> row_of_element;

  ColumnPlan(std::size_t n, std::size_t width, InCache method);
  /// In place, with the radices of each group.
  ColumnPlan(std::size_t n, std::size_t width, const std::vector<Radices>& radices);

 private:
  void add_groups(std::size_t width, const std::vector<Radices>& radices);
  void place_rows();
  void place_elements(std::vector<std::uint32_t> elements);
};

extern template struct ColumnPlan<float>;
extern template struct ColumnPlan<double>;

}  // namespace kinjo::fft::detail
