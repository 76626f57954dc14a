#include "paths_members.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <kinjo/diagram_members.hpp>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::cli {

namespace {

/// How many members there will be: no more than there are, where each comes once.
std::uint64_t members_wanted(const PathsOptions& options, const Count& count) {
  if (count == Count()) return 0;
  if (options.sample) return *options.sample;
  const double all = count.to_double();
  return all < static_cast<double>(*options.enumerate) ? static_cast<std::uint64_t>(all)
                                                       : *options.enumerate;
}

/// Throws `Error` (`out_of_memory`) where so many members may not be kept beside the diagram.
void check_members(std::uint64_t memory_limit, std::uint64_t members,
                   const paths::Diagram& diagram) {
  // Each as a list of items, at most half of which are there mostly, and as a line of words.
  const double bytes =
      static_cast<double>(diagram.bytes()) +
      static_cast<double>(members) * (64 + 6 * static_cast<double>(diagram.items()));
  const std::uint64_t limit = memory_under(memory_limit);
  if (bytes <= static_cast<double>(limit)) return;
  constexpr double kMost = 1e18;
  throw Error(Errc::out_of_memory,
              fmt::format("{} members take about {}: {} may be taken", members,
                          detail::format_bytes(static_cast<std::uint64_t>(std::min(bytes, kMost))),
                          detail::format_bytes(limit)));
}

}  // namespace

std::vector<paths::Set> take_members(const PathsOptions& options, const Count& count,
                                     const paths::Diagram& diagram, detail::Signals& signals) {
  constexpr std::size_t kBetween = 1 << 10;
  const std::uint64_t wanted = members_wanted(options, count);
  const std::uint64_t memory_limit = memory_limit_of(options);
  check_members(memory_limit, wanted, diagram);
  std::vector<paths::Set> members;
  const auto add = [&](paths::Set set) {
    members.push_back(std::move(set));
    const bool looks = members.size() % kBetween == 0;
    return members.size() < wanted && !(looks && signals.interrupted() != 0);
  };
  if (wanted == 0) return members;
  if (options.sample) {
    paths::Sampler sampler(diagram, options.seed, memory_limit);
    while (add(sampler.next())) continue;
  } else {
    for (const paths::Set& set : diagram.members()) {
      if (!add(set)) break;
    }
  }
  return members;
}

}  // namespace kinjo::cli
