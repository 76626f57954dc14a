/// Whether data is too large for the caches.
#pragma once

#include <cstddef>

namespace kinjo::detail {

/// Whether `bytes` exceed all last-level caches of this machine together. Asks for the machine only
/// if they are many.
bool exceeds_caches(std::size_t bytes);

}  // namespace kinjo::detail
