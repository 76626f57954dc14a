/// Items in runs: those at which states stay, up to and with the next one at which they move on.
#pragma once

#include <vector>

#include "paths/specification.hpp"

namespace kinjo::paths::detail {

struct BandItems {
  std::size_t first = 0, last = 0;  ///< states stay at all but the last
};

/// The runs of a specification from an item on, in order. The last item of all ends one, whether
/// states stay or not.
template <Specification S>
std::vector<BandItems> bands_of(const S& specification, std::size_t first = 0) {
  std::vector<BandItems> bands;
  bands.reserve(specification.items() - first);
  for (std::size_t item = first; item < specification.items(); ++item) {
    if (specification.stays(item) && item + 1 < specification.items()) continue;
    bands.push_back({first, item});
    first = item + 1;
  }
  return bands;
}

}  // namespace kinjo::paths::detail
