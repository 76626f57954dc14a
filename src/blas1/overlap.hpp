/// Whether two strided vectors share an element.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinjo::detail {

/// Elements of `element_bytes` at the addresses address, address + step, … `count` of them.
struct Progression {
  std::uintptr_t address;
  std::ptrdiff_t step;  ///< bytes
  std::size_t count;
};

/// Exact for elements that are aligned to their size, a matter of the greatest common divisor; for
/// others it tells whether the ranges of memory overlap.
bool overlap(const Progression& x, const Progression& y, std::size_t element_bytes);

}  // namespace kinjo::detail
