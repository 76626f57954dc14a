#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/paths.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "paths/chain.hpp"
#include "paths/family.hpp"
#include "paths/spill_file.hpp"

namespace kinjo::paths {

namespace detail {

void refuse_nodes(const ChainProgress& reached, std::uint64_t limit, const NodeStore& store) {
  const bool spills = store.is_file();
  throw Error(
      Errc::out_of_memory,
      fmt::format("the diagram takes more memory than the limit of {}: its {} up to edge {} "
                  "of {} take {}; expected a larger limit, or {}",
                  kinjo::detail::format_bytes(limit), spills ? "states" : "nodes", reached.item + 1,
                  reached.items, kinjo::detail::format_bytes(reached.bytes),
                  spills ? "fewer threads" : "a directory to spill to"));
}

}  // namespace detail

namespace {

/// Nodes of an item before they are reduced, at most, and how many may remain.
struct Unreduced {
  std::uint64_t nodes, bytes, most;
};

/// By item. States of one thread come in the order of the items at which they come, so that behind
/// them no nodes are written; of several an item may have as many as there are states at the end of
/// its run of items.
std::vector<Unreduced> unreduced(const Family& family, const CountResult& surveyed,
                                 std::size_t threads) {
  std::vector<Unreduced> items;
  if (family.edges().empty() || family.impl().empty) return items;
  const auto add = [&](const auto& specification) {
    for (const detail::BandItems& band : detail::bands_of(specification)) {
      for (std::size_t item = band.first; item <= band.last; ++item) {
        const detail::Lo lo = item == band.last ? detail::Lo::anywhere : detail::Lo::same;
        const std::uint64_t nodes = surveyed.states.at(threads == 1 ? item : band.last);
        items.push_back({nodes, detail::RawLevel::bytes_of(nodes, lo), surveyed.takes.at(item)});
      }
    }
  };
  std::visit([&](const auto& steps) { detail::with_specification(steps, add); },
             family.impl().steps);
  return items;
}

}  // namespace

std::uint64_t build_bytes(const Family& family, const CountResult& surveyed, std::size_t threads) {
  std::uint64_t bytes = 0;
  for (const Unreduced& item : unreduced(family, surveyed, threads)) bytes += item.bytes;
  return bytes;
}

std::uint64_t reduction_bytes(const Family& family, const CountResult& surveyed,
                              std::size_t threads, NodesIn nodes_in) {
  detail::ReductionNeed need(build_bytes(family, surveyed, threads), threads, nodes_in);
  const std::vector<Unreduced> items = unreduced(family, surveyed, threads);
  std::uint64_t bytes = 0, reduced = 0;
  for (std::size_t i = items.size(); i-- > 0;) {
    bytes = std::max(bytes, need.next(reduced, items[i].nodes, items[i].bytes));
    reduced += items[i].most;
  }
  return bytes;
}

std::uint64_t spill_room(const std::string& directory) { return detail::free_bytes(directory); }

std::optional<Diagram> build(Team& team, const Family& family, const BuildOptions& options) {
  const std::size_t items = family.edges().size();
  if (items == 0 || family.impl().empty) {
    detail::Levels none{.nodes = std::vector<detail::RawLevel>(items)};
    none.root = family.impl().empty ? detail::kDead : detail::kMember;
    return detail::reduce(std::move(none));
  }
  detail::ChainOptions chain{.memory_limit = options.memory_limit};
  if (!options.spill.empty()) chain.store = detail::NodeStore(options.spill);
  if (options.go_on) {
    chain.go_on = [&options](const detail::ChainProgress& p) {
      return options.go_on({p.item, p.items, p.states, p.bytes});
    };
  }
  std::optional<detail::Levels> levels = std::visit(
      [&](const auto& steps) {
        return detail::with_specification(
            steps, [&](const auto& s) { return detail::Chain(s, chain).run(team); });
      },
      family.impl().steps);
  if (!levels) return std::nullopt;
  KINJO_PHASE("reduce");
  return detail::reduce(std::move(*levels), team,
                        {.memory_limit = options.memory_limit,
                         .go_on = options.go_on,
                         .nodes_in = options.spill.empty() ? NodesIn::memory : NodesIn::file});
}

}  // namespace kinjo::paths
