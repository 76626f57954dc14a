#include "paths_need.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"
#include "command.hpp"
#include "workload/paths_estimate.hpp"

namespace kinjo::cli {

namespace {

/// Where nodes go, and how many bytes there are for them.
struct Room {
  bool on_disk;
  std::uint64_t memory, nodes;
};

Room room_of(const PathsOptions& options, const PathsSettings& settings) {
  const bool spills = !options.spill.empty();
  const std::uint64_t memory = memory_under(settings.memory_limit);
  return {spills, memory, spills ? paths::spill_room(options.spill) : memory};
}

/// What a diagram with these states takes.
struct Need {
  std::uint64_t nodes, bytes, reducing;
};

Need need_of(const paths::Family& family, const paths::CountResult& found, std::size_t threads,
             const Room& room) {
  const std::uint64_t bytes = paths::build_bytes(family, found, threads);
  const std::uint64_t reducing = paths::reduction_bytes(
      family, found, threads, room.on_disk ? paths::NodesIn::file : paths::NodesIn::memory);
  return {found.all_states(), bytes, room.on_disk ? reducing : std::max(bytes, reducing)};
}

/// `sure` and `at_most`: how sure the numbers are.
std::string nodes_said(const Need& need, const Room& room, const char* sure, const char* at_most) {
  return fmt::format("the diagram has {}{} nodes before it is reduced, which take {}{}{}", sure,
                     need.nodes, at_most, detail::format_bytes(need.bytes),
                     room.on_disk ? " of the disk" : "");
}

std::string room_said(std::uint64_t bytes) {
  return fmt::format("{} may be taken", detail::format_bytes(bytes));
}

void say(const Need& need, const Room& room, const char* sure, const char* at_most) {
  const std::string nodes = nodes_said(need, room, sure, at_most);
  const std::string reducing = detail::format_bytes(need.reducing);
  if (room.on_disk) {
    note(fmt::format("{}; {}; up to {} of memory while they are reduced; {}", nodes,
                     room_said(room.nodes), reducing, room_said(room.memory)));
  } else {
    note(fmt::format("{}, up to {} while they are reduced; {}{}", nodes, reducing,
                     room_said(room.memory),
                     need.reducing > room.memory ? ", which may not be enough" : ""));
  }
}

/// Throws `Error` (`out_of_memory`) if the nodes find no room.
void check_need(const Need& need, const Room& room, const char* at_most) {
  if (need.bytes <= room.nodes) return;
  throw Error(Errc::out_of_memory,
              fmt::format("{}: {}; {}", nodes_said(need, room, "", at_most), room_said(room.nodes),
                          room.on_disk ? "expected a directory with more room"
                                       : "--spill keeps them on a disk, --count needs far less"));
}

/// What so many states take when they become nodes, at most.
double bytes_of(const std::vector<double>& states) {
  constexpr double kNodeBytes = 8;
  return kNodeBytes * std::accumulate(states.begin(), states.end(), 0.0);
}

/// What a survey finds where there are so many states, and each goes both ways.
paths::CountResult found_of(const std::vector<double>& states) {
  paths::CountResult found;
  for (const double some : states) found.states.push_back(static_cast<std::uint64_t>(some));
  found.takes = found.states;
  return found;
}

}  // namespace

bool announce_need(const PathsOptions& options, const PathsSettings& settings, Team& team,
                   PathsWatch& watch, const PathsResult& result) {
  if (!result.family) return true;
  const paths::Family& family = *result.family;
  watch.expect(expected_states(family));
  if (result.input.method != PathsMethod::diagram) return true;
  const std::vector<double> most =
      most_states(result.input.problem, family, result.input.along_rows);
  constexpr double kNothing = 1 << 20, kTold = 16 << 20, kLittle = 1.0 / 16;
  if (bytes_of(most) < kNothing) return true;
  const Room room = room_of(options, settings);
  // It is not worth a sweep to know exactly how little there will be.
  if (bytes_of(most) < kLittle * static_cast<double>(room.nodes)) {
    if (bytes_of(most) < kTold) return true;
    say(need_of(family, found_of(most), team.size(), room), room, "at most about ", "");
    return true;
  }
  const auto found =
      paths::survey(team, family, {settings.memory_limit, watch.go_on("counting states")});
  if (found.interrupted) return false;
  watch.wipe();
  const char* at_most = team.size() > 1 ? "at most " : "";
  const Need need = need_of(family, found, team.size(), room);
  check_need(need, room, at_most);
  say(need, room, "", at_most);
  watch.expect({found.states.begin(), found.states.end()});
  return true;
}

}  // namespace kinjo::cli
