/// Any bytes as numa_maps and maps: an `Error`, or mappings that are what the text has lines.
#include <algorithm>
#include <cstdlib>

#include <kinjo/index_set.hpp>

#include "fuzz/target.hpp"
#include "observe/memory_maps.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kinjo::detail;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto lines = 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  attempt([&] {
    const auto mappings = parse_numa_maps(text, 4096);
    if (mappings.size() > lines) std::abort();
    for (const NumaMapping& mapping : mappings) {
      if (mapping.page_bytes == 0 || mapping.policy.empty()) std::abort();
      for (const auto& [node, bytes] : mapping.bytes) {
        if (node < 0 || node > kMaxIndex || bytes % mapping.page_bytes != 0) std::abort();
      }
    }
  });
  attempt([&] {
    const auto ranges = parse_maps(text);
    if (ranges.size() > lines) std::abort();
    for (const AddressRange& range : ranges) {
      if (range.end < range.begin) std::abort();
    }
  });
  return 0;
}
