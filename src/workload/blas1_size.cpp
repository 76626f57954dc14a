#include "workload/blas1_size.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "workload/cache_levels.hpp"
#include "workload/memory_use.hpp"

namespace kinjo {

std::size_t memory_blas1_size(const Topology& machine, std::size_t element_bytes) {
  constexpr std::size_t kLeast = 1 << 20;
  const std::uint64_t caches = machine.last_level_cache_bytes();
  return std::max(kLeast, std::bit_ceil(4 * caches / element_bytes));
}

std::vector<std::size_t> default_blas1_sizes(const Topology& machine, const Mapping& mapping,
                                             std::size_t element_bytes) {
  std::vector<std::size_t> sizes;
  std::uint64_t inner = 0;
  for (const SharedCache& level : caches_of(machine, mapping)) {
    const std::uint64_t share = level.bytes / std::max(level.cores, level.threads);
    const std::uint64_t bytes = std::max(std::bit_floor(share / 4), std::bit_ceil(2 * inner));
    inner = level.bytes / std::max<std::size_t>(level.threads, 1);
    if (bytes < element_bytes || bytes > share / 4 * 2) continue;
    sizes.push_back(mapping.size() * bytes / element_bytes);
  }
  const std::size_t large = memory_blas1_size(machine, element_bytes);
  while (!sizes.empty() && sizes.back() >= large) sizes.pop_back();
  sizes.push_back(large);
  return sizes;
}

std::size_t parse_blas1_size(const std::string& text) {
  if (const auto count = detail::parse_count(text)) return *count;
  throw Error(
      Errc::invalid_argument,
      fmt::format("'{}' elements: expected a number from 1 to 2^62, such as 1000, 48K or 2^20",
                  text));
}

void check_blas1_size(std::size_t elements, std::size_t element_bytes) {
  const auto [most, available] = room_for(2 * element_bytes);
  if (elements <= most) return;
  throw Error(Errc::out_of_memory,
              fmt::format("two vectors of {} {}s do not fit: expected at most {} elements, 60 % of "
                          "the {} that are available",
                          elements, element_bytes == sizeof(double) ? "double" : "float", most,
                          detail::format_bytes(available)));
}

std::size_t fitting_blas1_size(std::size_t elements, std::size_t element_bytes) {
  const std::size_t most = room_for(2 * element_bytes).elements;
  while (elements > most && elements > 1) elements /= 2;
  return elements;
}

}  // namespace kinjo
