/// What a product is refused for.
#pragma once

#include <kinjo/gemm.hpp>

namespace kinjo::gemm {

/// Whether A and B are read. Those that are not need no memory, and may lie where C does.
enum class Factors { read, not_read };
template <class T>
Factors factors_for(T alpha) {
  return alpha == 0 ? Factors::not_read : Factors::read;
}

/// Throws `Error` (`invalid_argument`) as `multiply` says.
template <class T>
void check_arguments(const View<const T>& a, const View<const T>& b, const View<T>& c,
                     Factors factors);
/// Throws unless `before`, C's old content, has memory and C's shape.
template <class T>
void check_same_shape(View<const T> before, View<const T> c);

}  // namespace kinjo::gemm
