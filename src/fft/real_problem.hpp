/// What a plan of real numbers is for: two arrays, and the axis that is halved.
#pragma once

#include "fft/problem.hpp"

namespace kinjo::fft::detail {

/// What is in two arrays: real numbers and their spectrum.
struct RealProblem {
  Problem real, spectrum;
  std::size_t axis;  ///< the one that is halved

  /// Whether lines of real numbers are lines of half as many complex ones.
  bool pairs() const;
  /// The real array in pairs.
  Problem halves() const;
};

/// Throws `Error` (`invalid_argument`) as the constructors of plans do.
RealProblem check_real_problem(const std::vector<std::size_t>& shape, const Options& options,
                               std::size_t element_bytes);

}  // namespace kinjo::fft::detail
