/// Radices: what a length is factorised into.
#pragma once

#include <cstddef>
#include <vector>

#include <kinjo/fft_plan.hpp>

namespace kinjo::fft::detail {

/// The radices that have butterflies of their own; all other odd ones share one.
inline constexpr std::size_t kRadices[] = {2, 3, 4, 5, 7, 8, 16};
/// Those that have first passes from memory and last passes to memory.
inline constexpr std::size_t kEdgeRadices[] = {4, 8};

using Radices = std::vector<std::size_t>;

/// The radices whose product is n > 0, in groups whose products are at most `most` if possible,
/// and about equal. Powers of two are radices 4 or, with `usual` 8, radices 8 alone if they can be.
std::vector<Radices> radix_groups(std::size_t n, std::size_t most, std::size_t usual);

/// The same with as few groups as possible, and then radices. The very last one is `last`, 4 or 8,
/// or else 4. The others are up to `largest`: 16 or 8, but at most twice the last; or 4, and one 8
/// where a two is left over. The first group is as large as it may be.
std::vector<Radices> wide_radix_groups(std::size_t n, std::size_t most, std::size_t last,
                                       std::size_t largest);

std::size_t product(const Radices& radices);

}  // namespace kinjo::fft::detail
