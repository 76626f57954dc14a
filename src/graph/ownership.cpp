#include "graph/ownership.hpp"

#include <algorithm>
#include <bit>

#include "base/contract.hpp"
#include "graph/bitmap.hpp"

namespace kinjo::graph::detail {

namespace {

/// A unit of ownership is at least a word, and a part has at most so many.
constexpr std::size_t kMostUnits = 4096;

/// The threads of each part.
std::vector<std::vector<std::size_t>> threads_of(const Graph& graph, const Mapping& mapping) {
  const auto parts = graph.parts();
  std::vector<std::vector<std::size_t>> threads(parts.size());
  std::size_t placed = 0;
  for (std::size_t t = 0; t < mapping.size(); ++t) {
    const auto home = std::ranges::find_if(
        parts, [&](const Part& part) { return part.node >= 0 && part.node == mapping[t].node; });
    if (home == parts.end()) continue;
    threads[static_cast<std::size_t>(home - parts.begin())].push_back(t);
    ++placed;
  }
  if (placed == mapping.size() &&
      std::ranges::none_of(threads, [](const auto& list) { return list.empty(); })) {
    return threads;
  }
  for (auto& list : threads) list.clear();
  for (std::size_t i = 0; i < std::max(parts.size(), mapping.size()); ++i) {
    threads[i % parts.size()].push_back(i % mapping.size());
  }
  return threads;
}

}  // namespace

Ownership::Ownership(const Graph& graph, const Mapping& mapping) : shares_(mapping.size()) {
  const auto threads = threads_of(graph, mapping);
  for (std::size_t p = 0; p < threads.size(); ++p) deal(graph.parts()[p], p, threads[p]);
}

void Ownership::deal(const Part& part, std::size_t index, const std::vector<std::size_t>& threads) {
  const Range all = part.vertices;
  KINJO_ASSERT(all.begin % kWordBits == 0);
  const std::size_t size = std::max<std::size_t>(all.size(), 1);
  const auto shift =
      static_cast<unsigned>(std::max<std::size_t>(6, std::bit_width((size - 1) / kMostUnits)));
  const std::size_t units = ((size - 1) >> shift) + 1;
  PartOwners owners{all.begin, shift, std::vector<std::uint16_t>(units)};
  for (std::size_t k = 0; k < threads.size(); ++k) {
    const Range mine{units * k / threads.size(), units * (k + 1) / threads.size()};
    std::fill(owners.by_unit.begin() + static_cast<std::ptrdiff_t>(mine.begin),
              owners.by_unit.begin() + static_cast<std::ptrdiff_t>(mine.end),
              static_cast<std::uint16_t>(threads[k]));
    const Range vertices{std::min(all.begin + (mine.begin << shift), all.end),
                         std::min(all.begin + (mine.end << shift), all.end)};
    shares_[threads[k]].push_back({index, vertices, k, threads.size()});
  }
  begins_.push_back(all.begin);
  owners_.push_back(std::move(owners));
}

std::size_t Ownership::owned(std::size_t thread) const {
  std::size_t count = 0;
  for (const Share& share : shares_[thread]) count += share.vertices.size();
  return count;
}

}  // namespace kinjo::graph::detail
