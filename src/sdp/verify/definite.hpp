/// How far symmetric matrices are from being positive semidefinite, with proof.
#pragma once

#include <cstddef>
#include <span>

#include <kinjo/sdp.hpp>

namespace kinjo::sdp::detail {

/// A bound of max(0, −λmin) of a matrix of order n by columns, both triangles the same, that is not
/// below it: kinjo/sdp_verify.hpp says what is proved and how. What is at most `enough` need not be
/// known better.
double proved_deficiency(std::span<const double> matrix, std::size_t n, double enough);

/// The greatest of the blocks'.
double proved_deficiency(const BlockMatrix& matrix, double enough);

}  // namespace kinjo::sdp::detail
