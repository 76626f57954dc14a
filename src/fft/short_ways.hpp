/// Which passes make a short transform.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "fft/short_kernels.hpp"

namespace kinjo::fft::detail {

struct ShortWay {
  std::size_t width = 0;  ///< of `kShortWidths`
  std::vector<std::size_t> radices;
};

/// The way from 1 to a smooth n from 2 over n's divisors, and the vectors for it, that are expected
/// to take the fewest instructions; vectors have so many lanes, of so many bytes.
ShortWay best_short_way(std::size_t n, const std::array<std::size_t, kShortWidths>& lanes,
                        std::size_t lane_bytes);

}  // namespace kinjo::fft::detail
