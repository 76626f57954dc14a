/// Programs of cells in every kind of world, with their result at hand.
#pragma once

#include <string>
#include <utility>

#include <kinjo/comm_apps.hpp>

#include "comm/apps/wire.hpp"
#include "comm/cells.hpp"

namespace kinjo::comm::test {

/// Cell 0's result of `program` in so many cells; throws what a cell threw.
template <class Result, class Program>
Result result_of(Kind kind, int cells, const WorldOptions& options, const Program& program) {
  const Mapping mapping = cells_anywhere(cells);
  if (kind == Kind::threads) {
    Result result{};
    Team team(mapping);
    run_threads(team, options, [&](World& world, const Place&) {
      Result own = program(world);
      if (world.cell() == 0) result = std::move(own);
    });
    return result;
  }
  const auto ends = run_processes(mapping, options, [&](World& world, const Place&) {
    return detail::pack<Result>(program(world));
  });
  for (const CellEnd& end : ends) {
    if (!end.error.empty() && !end.because_of_another) throw Error(end.code, end.error);
  }
  return detail::unpack<Result>(ends.front().output);
}

}  // namespace kinjo::comm::test
