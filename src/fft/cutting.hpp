/// How a line is cut where nobody says.
#pragma once

#include <cstddef>
#include <vector>

#include <kinjo/fft_plan.hpp>

namespace kinjo::fft::detail {

/// What the choice depends on.
struct Conditions {
  std::size_t element_bytes = 16;  ///< of a complex number
  std::size_t threads = 1;         ///< that share the last cache
  std::size_t lanes = 1;           ///< lines that can be transformed side by side
  std::size_t l1 = 0, l2 = 0, l3 = 0;
};
/// For this machine's caches.
Conditions conditions_here(std::size_t element_bytes, std::size_t threads, std::size_t lanes);

/// Whether sweeps can make a line of n: no prime factor above `kLargestPrime`.
bool is_smooth(std::size_t n);

/// The cut of a smooth n.
Cut choose_cut(std::size_t n, const Conditions& conditions);
/// Lines at a time for a sweep of `length` where `lanes` of them lie side by side.
std::size_t choose_width(std::size_t length, std::size_t lanes, const Conditions& conditions);

/// The smooth length of at least `least` whose transform is predicted to take the least time.
std::size_t padded_length(std::size_t least);

}  // namespace kinjo::fft::detail
