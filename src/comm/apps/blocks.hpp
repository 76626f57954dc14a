/// Rows dealt to cells in blocks that differ by at most one row.
#pragma once

#include <cstddef>

namespace kinjo::comm::detail {

struct Block {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

inline Block block_of(std::size_t rows, int cells, int cell) {
  const auto parts = static_cast<std::size_t>(cells), part = static_cast<std::size_t>(cell);
  const std::size_t each = rows / parts, more = rows % parts;
  const std::size_t begin = part * each + (part < more ? part : more);
  return {begin, begin + each + (part < more ? 1 : 0)};
}

/// The size of the largest one.
inline std::size_t largest_block(std::size_t rows, int cells) {
  return block_of(rows, cells, 0).size();
}

}  // namespace kinjo::comm::detail
