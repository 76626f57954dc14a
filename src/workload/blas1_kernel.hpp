/// The functions of kinjo/blas1.hpp by name, and what each costs.
#pragma once

#include <span>
#include <string>

#include <kinjo/blas1.hpp>

#include "measure/kernel_limit.hpp"

namespace kinjo {

enum class Blas1Kernel {
  sum,
  sum_of_squares,
  norm2,
  dot,
  axpy,
  asum,
  scale,
  copy,
  max_abs_index,
};
const char* to_string(Blas1Kernel kernel) noexcept;

std::span<const Blas1Kernel> all_blas1_kernels();
/// Throws `Error` (`invalid_argument`) that lists them.
Blas1Kernel find_blas1_kernel(const std::string& name);

/// S0's four (sum, sum of squares, dot, axpy), and the norm for which S0 sums squares.
std::span<const Blas1Kernel> default_blas1_kernels();

/// A reproducible kernel rounds each product before it is added: two operations instead of a fused
/// one.
KernelCost cost_of(Blas1Kernel kernel, blas1::Mode mode);
/// Vectors that it works on, 1 or 2.
int vectors_of(Blas1Kernel kernel);
/// Elements that are loaded and stored for each index.
double moves_of(Blas1Kernel kernel);

}  // namespace kinjo
