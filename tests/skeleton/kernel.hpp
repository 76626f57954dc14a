/// The least vector kernel, which docs/extending.md shows.
#pragma once

#include <cstddef>

namespace kinjo::detail {

/// z ← (x + y) / 2, n elements; z may be x or y. Throws as `simd_level` does.
void mean_of(const double* x, const double* y, double* z, std::size_t n);

}  // namespace kinjo::detail
