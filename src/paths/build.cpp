#include <kinjo/error.hpp>
#include <kinjo/lab.hpp>
#include <kinjo/paths.hpp>

#include <fmt/format.h>

#include "base/text.hpp"
#include "paths/chain.hpp"
#include "paths/family.hpp"

namespace kinjo::paths {

namespace detail {

void refuse_nodes(std::size_t item, std::size_t items, std::uint64_t bytes, std::uint64_t limit) {
  throw Error(
      Errc::out_of_memory,
      fmt::format("the diagram takes more memory than the limit of {}: its nodes up to edge "
                  "{} of {} take {}",
                  kinjo::detail::format_bytes(limit), item + 1, items,
                  kinjo::detail::format_bytes(bytes)));
}

}  // namespace detail

std::uint64_t build_bytes(const Family& family, const CountResult& surveyed) {
  if (family.edges().empty() || family.impl().empty) return 0;
  return std::visit(
      [&](const auto& steps) {
        return detail::with_specification(steps, [&](const auto& specification) {
          std::uint64_t bytes = 0;
          for (const detail::BandItems& band : detail::bands_of(specification)) {
            bytes += (band.last + 1 - band.first) *
                     detail::RawLevel::bytes_of(surveyed.states.at(band.last));
          }
          return bytes;
        });
      },
      family.impl().steps);
}

std::optional<Diagram> build(Team& team, const Family& family, const BuildOptions& options) {
  const std::size_t items = family.edges().size();
  if (items == 0 || family.impl().empty) {
    detail::Levels none{.nodes = std::vector<detail::RawLevel>(items)};
    none.root = family.impl().empty ? detail::kDead : detail::kMember;
    return detail::reduce(std::move(none));
  }
  detail::ChainOptions chain{.memory_limit = options.memory_limit};
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
  return detail::reduce(std::move(*levels), &team);
}

}  // namespace kinjo::paths
