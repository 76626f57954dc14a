/// For results that nobody wants but the compiler must believe in.
#pragma once

namespace kinjo {

/// Uses `value`, at the cost of no instruction, so that what computes it cannot be left out.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace kinjo
