/// What a plan of real numbers is for: two arrays, and the axis that is halved.
#pragma once

#include "fft/cutting.hpp"
#include "fft/problem.hpp"

namespace kinjo::fft::detail {

/// What is in two arrays: real numbers and their spectrum.
struct RealProblem {
  Problem real, spectrum;
  std::size_t axis;  ///< the one that is halved

  /// Whether lines of real numbers are lines of half as many complex ones as they lie.
  bool pairs() const;
  /// Complex numbers as which a real line is transformed.
  std::size_t line_numbers() const;
  /// The real array in pairs.
  Problem halves() const;
};

/// Lines of n real numbers that are copied and transformed at a time, of so many side by side: a
/// divisor of these, so that each time is alike; no more than share a cache line, nor than fit half
/// of L2 or of a thread's share of the last cache.
std::size_t lanes_together(std::size_t n, std::size_t side_by_side, const Conditions& conditions);
/// Complex numbers from one of them to the next: room for a spectrum, or for n if that is odd, in
/// an odd number of cache lines. `part_bytes` is sizeof(T).
std::size_t copied_line(std::size_t n, std::size_t part_bytes);

/// Throws `Error` (`invalid_argument`) as the constructors of plans do.
RealProblem check_real_problem(const std::vector<std::size_t>& shape, const Options& options,
                               std::size_t element_bytes);

}  // namespace kinjo::fft::detail
