/// Whether data is too large for the caches.
#pragma once

#include <cstddef>

namespace kinjo::detail {

/// Whether `bytes` are so few that they fit the caches of any machine of today, asking none.
inline bool fits_any_cache(std::size_t bytes) { return bytes <= std::size_t{1} << 20; }

/// Whether `bytes` exceed all last-level caches of this machine together; it is asked once.
bool exceeds_caches(std::size_t bytes);

}  // namespace kinjo::detail
