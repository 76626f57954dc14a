/// What a product is refused for.
#pragma once

#include <kinjo/gemm.hpp>

namespace kinjo::gemm {

/// Throws `Error` (`invalid_argument`) as `multiply` says.
template <class T>
void check_arguments(View<const T> a, View<const T> b, View<T> c);
/// Throws unless `before`, C's old content, has memory and C's shape.
template <class T>
void check_same_shape(View<const T> before, View<const T> c);

}  // namespace kinjo::gemm
