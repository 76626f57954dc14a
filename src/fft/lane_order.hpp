/// The order in which vectors hold neighbouring numbers.
///
/// Real and imaginary parts that alternate are taken apart, and put together again, by interleaving
/// within blocks of 16 bytes, which costs one operation a vector and nothing across blocks. So
/// lanes are not in the order of the numbers, but for four doubles in that of 0 2 1 3; all that is
/// needed for it is to transpose vectors in another order and to have the factors of a first pass
/// in this one.
#pragma once

#include <algorithm>
#include <cstddef>

namespace kinjo::fft::detail {

/// Which of `lanes` neighbouring numbers with parts T is in a lane.
template <class T>
constexpr std::size_t number_of_lane(std::size_t lanes, std::size_t lane) {
  const std::size_t block = std::min(lanes, 16 / sizeof(T));
  const std::size_t half = std::max<std::size_t>(block / 2, 1);
  const std::size_t at = lane % block;
  return at / half * (lanes / 2) + lane / block * half + at % half;
}

}  // namespace kinjo::fft::detail
