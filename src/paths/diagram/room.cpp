#include "paths/diagram/room.hpp"

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"
#include "paths/memory_bound.hpp"

namespace kinjo::paths::detail {

void Room::take(std::uint64_t bytes) {
  using kinjo::detail::format_bytes;
  const std::uint64_t taken = taken_ + bytes;
  if (limit_ != 0 && diagram_ + taken > limit_) {
    throw Error(
        Errc::out_of_memory,
        fmt::format("{} takes more memory than the limit of {}: {} besides the diagram's "
                    "{}; expected a larger limit",
                    what_, format_bytes(limit_), format_bytes(taken), format_bytes(diagram_)));
  }
  const std::uint64_t available =
      limit_ != 0 || bytes <= kLittleMemory ? 0 : available_memory_bytes();
  if (available != 0 && bytes > available) {
    throw Error(Errc::out_of_memory,
                fmt::format("{} takes {} more of memory: the system has {}", what_,
                            format_bytes(bytes), format_bytes(available)));
  }
  taken_ = taken;
}

}  // namespace kinjo::paths::detail
