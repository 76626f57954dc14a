#include <kinjo/memory.hpp>

#include "base/text.hpp"

namespace kinjo {

std::uint64_t available_memory_bytes() {
  constexpr std::string_view kLabel = "MemAvailable:";
  const auto text = detail::read_small_file("/proc/meminfo");
  if (!text) return 0;
  for (std::string_view line : detail::split(*text, '\n')) {
    if (!line.starts_with(kLabel)) continue;
    const auto value = detail::trim(line.substr(kLabel.size()));
    const auto kib = detail::parse_number<std::uint64_t>(value.substr(0, value.find(' ')));
    return kib.value_or(0) * 1024;
  }
  return 0;
}

}  // namespace kinjo
