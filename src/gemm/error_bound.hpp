/// What the bound of a product's error says beside its rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace kinjo::gemm {

/// By how much an element of α·A·B may be off since numbers below the smallest normal one of T keep
/// fewer digits: α is applied to sums of k terms, each of which may have lost that much, here as in
/// the product.
template <class T, class Wide>
Wide underflow_bound(std::size_t k, Wide alpha) {
  const Wide loss = std::numeric_limits<T>::denorm_min();
  return 2 * (static_cast<Wide>(k) + 2) * loss * std::max(std::fabs(alpha), Wide{1});
}

}  // namespace kinjo::gemm
