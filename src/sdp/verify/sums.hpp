/// The sums that say how far a solution is from being feasible, in twice the precision of double.
#pragma once

#include <vector>

#include <kinjo/sdp.hpp>

#include "base/double_double.hpp"

namespace kinjo::sdp::detail {

using kinjo::detail::DoubleDouble;

/// F_i • Y
DoubleDouble inner_product(const Problem& problem, std::size_t i, const BlockMatrix& Y);
/// ‖F_i‖_F, also where squares would leave the range of double.
double norm(std::span<const Entry> matrix);
/// X • Y
DoubleDouble inner_product(const BlockMatrix& X, const BlockMatrix& Y);
/// cᵀx
DoubleDouble inner_product(std::span<const double> c, std::span<const double> x);

/// Whether F_0 is taken off Σ F_i x_i.
enum class Constant { left_out, subtracted };

/// Σ F_i x_i (− F_0) − X, each entry rounded once.
BlockMatrix combination(const Problem& problem, std::span<const double> x, Constant constant,
                        const BlockMatrix& X);

/// ‖·‖_F
double norm(const BlockMatrix& matrix);

}  // namespace kinjo::sdp::detail
