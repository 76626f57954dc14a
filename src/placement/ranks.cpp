#include "placement/ranks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::detail {

namespace {

using Rows = std::vector<std::size_t>;  ///< of the policy's table over all CPUs

/// Where a CPU lies: neighbours in this order share the most.
std::array<int, 4> position(const Topology& machine, int number) {
  const Cpu& cpu = *machine.find_cpu(number);
  const bool spans = machine.nodes_span_packages();
  return {spans ? cpu.node_rank : cpu.package_rank, spans ? cpu.package_rank : cpu.node_rank,
          cpu.cache_rank, cpu.core_rank};
}

/// The `index`-th of `pieces` equal pieces of some rows, in the order of the table.
Rows cut(const Topology& machine, const Mapping& table, Rows rows, std::size_t index,
         std::size_t pieces) {
  if (table.policy().kind() != Policy::Kind::cpu_list) {
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return position(machine, table[a].cpu) < position(machine, table[b].cpu);
    });
  }
  const auto length = static_cast<std::ptrdiff_t>(rows.size() / pieces);
  const auto first = rows.begin() + length * static_cast<std::ptrdiff_t>(index);
  Rows piece(first, first + length);
  std::sort(piece.begin(), piece.end());
  return piece;
}

/// The node of each rank, dealt in turn over those that have room for one more; nothing if some
/// rank finds no room.
std::optional<std::vector<int>> deal_ranks(const Mapping& table, std::size_t ranks,
                                           std::size_t threads) {
  std::map<int, std::size_t> room;
  for (const Place& place : table) ++room[place.node];
  const std::span<const int> nodes = table.nodes();
  std::vector<int> homes;
  std::size_t turn = 0;
  while (homes.size() < ranks) {
    std::size_t tried = 0;
    while (tried < nodes.size() && room[nodes[turn % nodes.size()]] < threads) {
      ++tried;
      ++turn;
    }
    if (tried == nodes.size()) return std::nullopt;
    const int node = nodes[turn++ % nodes.size()];
    room[node] -= threads;
    homes.push_back(node);
  }
  return homes;
}

/// The rows of a rank that lies in one node, beside those that were dealt there too.
Rows rows_in_node(const Topology& machine, const Mapping& table, const std::vector<int>& homes,
                  std::size_t rank, std::size_t threads) {
  const auto own = homes.begin() + static_cast<std::ptrdiff_t>(rank);
  const auto pieces = static_cast<std::size_t>(std::count(homes.begin(), homes.end(), *own));
  const auto index = static_cast<std::size_t>(std::count(homes.begin(), own, *own));
  Rows rows;
  for (const int row : table.threads_on(*own)) {
    if (rows.size() < pieces * threads) rows.push_back(static_cast<std::size_t>(row));
  }
  return cut(machine, table, rows, index, pieces);
}

Rows rank_rows(const Topology& machine, const Mapping& table, Rank rank, std::size_t threads) {
  if (table.policy().kind() == Policy::Kind::scatter && rank.size > 1) {
    if (const auto homes = deal_ranks(table, rank.size, threads)) {
      return rows_in_node(machine, table, *homes, rank.rank, threads);
    }
  }
  Rows rows;
  for (std::size_t row = 0; row < rank.size * threads; ++row) rows.push_back(row);
  return cut(machine, table, rows, rank.rank, rank.size);
}

void check_room(std::size_t cpus, const Policy& policy, std::size_t ranks, std::size_t threads) {
  if (threads <= cpus / ranks && threads > 0) return;
  const std::string expected = cpus < ranks
                                   ? fmt::format("at most {} rank{}", cpus, cpus == 1 ? "" : "s")
                                   : fmt::format("1 to {} threads for each", cpus / ranks);
  throw Error(Errc::invalid_argument,
              fmt::format("{} ranks of {} thread{} exceed the {} CPU{} that policy {} may use: "
                          "expected {}, or ask to oversubscribe",
                          ranks, threads, threads == 1 ? "" : "s", cpus, cpus == 1 ? "" : "s",
                          shortened(policy.name()), expected));
}

}  // namespace

std::size_t default_rank_threads(const Topology& machine, const Policy& policy, std::size_t ranks) {
  return std::max<std::size_t>(default_threads(machine, policy) / ranks, 1);
}

std::vector<int> rank_cpus(const Topology& machine, const Policy& policy, Rank rank,
                           std::size_t threads, Oversubscribe oversubscribe) {
  const Mapping table(machine, policy, default_threads(machine, policy));
  if (oversubscribe == Oversubscribe::refuse) check_room(table.size(), policy, rank.size, threads);
  // More ranks than CPUs share those: rank and size are then those of a CPU.
  const Rank share{rank.rank % table.size(), std::min(rank.size, table.size())};
  const std::size_t most = table.size() / share.size;
  std::vector<int> cpus;
  for (const std::size_t row : rank_rows(machine, table, share, std::min(threads, most))) {
    cpus.push_back(table[row].cpu);
  }
  return cpus;
}

bool has_own_part(const CpuSet& mask, const CpuSet& usable, std::size_t ranks) {
  return mask.count() < usable.count() && mask.count() * ranks <= usable.count();
}

}  // namespace kinjo::detail
