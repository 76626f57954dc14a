/// The ladder of S0 section 5: the same computation from the plain loop up, to show what keeps a
/// core busy. Each rung of a sum has more running sums than the one below, and nothing else:
///
///     plain        one running sum of doubles, as C has it
///     1 vector     one running sum, a vector wide (S0: one XMM register)
///     n vectors    n of them (S0: 4 registers; 2, 3, 4, 5, 6 and 8 here)
///     library      blas1::sum and its kin
///
/// An update has no running sum, and so only: plain, one vector at a time (S0's), four, library.
#pragma once

#include <cstddef>
#include <vector>

namespace kinjo::detail {

enum class LadderKernel { sum, sum_of_squares, dot, axpy };
inline constexpr LadderKernel kLadderKernels[] = {LadderKernel::sum, LadderKernel::sum_of_squares,
                                                  LadderKernel::dot, LadderKernel::axpy};
const char* to_string(LadderKernel kernel) noexcept;

/// Computes with n elements of x, and of y where the kernel has two; returns the sum, or 0 for
/// axpy, which adds 2⁻⁴⁰·x to y. No alignment is needed.
using LadderCall = double (*)(const double* x, double* y, std::size_t n);

struct LadderRung {
  const char* name;
  std::size_t sums;  ///< running sums, vectors or doubles; 0: it has none, or that is not the point
  std::size_t lanes;  ///< doubles in each
  LadderCall call;
};

/// From the plain loop up, at the level of vector instructions in use; without the vectors' rungs
/// at the level `scalar`. Throws as `simd_level` does.
std::vector<LadderRung> ladder_rungs(LadderKernel kernel);

}  // namespace kinjo::detail
