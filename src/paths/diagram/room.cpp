#include "paths/diagram/room.hpp"

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/memory.hpp>

#include "base/text.hpp"

namespace kinjo::paths::detail {

void Room::take(std::uint64_t bytes) {
  using kinjo::detail::format_bytes;
  taken_ += bytes;
  if (limit_ != 0) {
    if (diagram_ + taken_ <= limit_) return;
    throw Error(
        Errc::out_of_memory,
        fmt::format("{} takes more memory than the limit of {}: {} besides the diagram's "
                    "{}; expected a larger limit",
                    what_, format_bytes(limit_), format_bytes(taken_), format_bytes(diagram_)));
  }
  if (bytes <= kLittle) return;
  const std::uint64_t available = available_memory_bytes();
  if (available == 0 || bytes <= available) return;
  throw Error(Errc::out_of_memory,
              fmt::format("{} takes {} more of memory: the system has {}", what_,
                          format_bytes(bytes), format_bytes(available)));
}

}  // namespace kinjo::paths::detail
