/// Items in runs: those at which states stay, up to and with the next one at which they move on.
#pragma once

#include <cstddef>
#include <vector>

#include "paths/specification.hpp"

namespace kinjo::paths::detail {

struct BandItems {
  std::size_t first = 0, last = 0;  ///< states stay at all but the last
};

/// Items at which states stay in one run, at most: they are numbered in 16 bits (band.hpp). Only
/// parallel edges are so many.
inline constexpr std::size_t kMostStays = 0xFFFF;

/// The runs of a specification from an item on, in order. The last item of all ends one, whether
/// states stay or not, and so does one behind `kMostStays`.
template <Specification S>
std::vector<BandItems> bands_of(const S& specification, std::size_t first = 0) {
  std::vector<BandItems> bands;
  bands.reserve(specification.items() - first);
  for (std::size_t item = first; item < specification.items(); ++item) {
    const bool may_go_on = item + 1 < specification.items() && item - first < kMostStays;
    if (specification.stays(item) && may_go_on) continue;
    bands.push_back({first, item});
    first = item + 1;
  }
  return bands;
}

}  // namespace kinjo::paths::detail
