#include "workload/cache_levels.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

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

}  // namespace

std::vector<SharedCache> caches_of(const Topology& machine, const Mapping& mapping) {
  const std::vector<int> cpus = cpus_of(machine, mapping);
  std::vector<SharedCache> levels;
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
  std::ranges::sort(levels, {}, &SharedCache::level);
  return levels;
}

std::string level_of(const Topology& machine, const Mapping& mapping, std::size_t bytes) {
  for (const SharedCache& level : caches_of(machine, mapping)) {
    const double there = static_cast<double>(bytes) * static_cast<double>(level.threads) /
                         static_cast<double>(mapping.size());
    if (there <= static_cast<double>(level.bytes)) return fmt::format("L{}", level.level);
  }
  return "memory";
}

}  // namespace kinjo
