/// Whether data is too large for the caches.
#pragma once

#include <cstddef>

namespace kinjo::detail {

/// Whether `bytes`, which are many, exceed all last-level caches of this machine together; the
/// machine is asked once.
bool many_exceed_caches(std::size_t bytes);

/// The same for any number: no machine of today has less than a MiB of them.
inline bool exceeds_caches(std::size_t bytes) {
  return bytes > (std::size_t{1} << 20) && many_exceed_caches(bytes);
}

}  // namespace kinjo::detail
