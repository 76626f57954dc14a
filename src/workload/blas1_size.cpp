#include "workload/blas1_size.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "workload/memory_use.hpp"

namespace kinjo {

namespace {

/// The CPU of each thread.
std::vector<int> cpus_of(const Topology& machine, const Mapping& mapping) {
  std::vector<int> cpus;
  if (mapping.binds()) {
    for (const Place& place : mapping) cpus.push_back(place.cpu);
    return cpus;
  }
  const std::vector<int> allowed(machine.allowed_cpus().begin(), machine.allowed_cpus().end());
  for (std::size_t t = 0; t < mapping.size(); ++t) cpus.push_back(allowed[t % allowed.size()]);
  return cpus;
}

/// One of the caches of thread 0's CPU.
struct CacheLevel {
  int level = 0;
  std::uint64_t bytes = 0;
  std::size_t cores = 0;    ///< that share it
  std::size_t threads = 0;  ///< of the mapping that do
};

std::vector<CacheLevel> levels_of(const Topology& machine, const Mapping& mapping) {
  const std::vector<int> cpus = cpus_of(machine, mapping);
  std::vector<CacheLevel> levels;
  for (const Cache& cache : machine.caches()) {
    const bool holds_data = cache.type != Cache::Type::instruction && cache.size_bytes > 0;
    if (!holds_data || !cache.cpus.contains(cpus.front())) continue;
    std::set<std::pair<int, int>> cores;
    for (int cpu : cache.cpus) {
      if (const Cpu* known = machine.find_cpu(cpu)) cores.insert({known->package, known->core});
    }
    const auto threads = std::ranges::count_if(cpus, [&](int c) { return cache.cpus.contains(c); });
    levels.push_back({cache.level, cache.size_bytes, std::max<std::size_t>(cores.size(), 1),
                      static_cast<std::size_t>(threads)});
  }
  std::ranges::sort(levels, {}, &CacheLevel::level);
  return levels;
}

}  // namespace

std::string level_of(const Topology& machine, const Mapping& mapping, std::size_t bytes) {
  for (const CacheLevel& level : levels_of(machine, mapping)) {
    const double there = static_cast<double>(bytes) * static_cast<double>(level.threads) /
                         static_cast<double>(mapping.size());
    if (there <= static_cast<double>(level.bytes)) return fmt::format("L{}", level.level);
  }
  return "memory";
}

std::size_t memory_blas1_size(const Topology& machine, std::size_t element_bytes) {
  constexpr std::size_t kLeast = 1 << 20;
  const std::uint64_t caches = machine.last_level_cache_bytes();
  return std::max(kLeast, std::bit_ceil(4 * caches / element_bytes));
}

std::vector<std::size_t> default_blas1_sizes(const Topology& machine, const Mapping& mapping,
                                             std::size_t element_bytes) {
  std::vector<std::size_t> sizes;
  std::uint64_t inner = 0;
  for (const CacheLevel& level : levels_of(machine, mapping)) {
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
  throw Error(Errc::invalid_argument,
              fmt::format("'{}' elements: expected a number such as 1000, 48K, 1M or 2^20", text));
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
