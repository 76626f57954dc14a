/// Cells as the threads of a team: their worlds share memory of one process. When cells fail, the
/// fault is rethrown that is nobody else's consequence.
#include <exception>
#include <numeric>

#include <kinjo/comm_start.hpp>

#include "comm/world_impl.hpp"

namespace kinjo::comm {
namespace {

/// What ended a run: the fault that another cell's `CellLost` only reports, if there is one.
void rethrow_cause(const std::vector<std::exception_ptr>& faults) {
  std::exception_ptr consequence;
  for (const std::exception_ptr& fault : faults) {
    if (!fault) continue;
    try {
      std::rethrow_exception(fault);
    } catch (const CellLost&) {
      if (!consequence) consequence = fault;
    }
  }
  if (consequence) std::rethrow_exception(consequence);
}

}  // namespace

void run_threads(Team& team, const WorldOptions& options,
                 const std::function<void(World&, const Place&)>& body) {
  const int count = static_cast<int>(team.size());
  std::vector<int> nodes;
  for (const Place& place : team.mapping()) nodes.push_back(place.node);
  const std::size_t heap = detail::Reserve(count).with_heap(options.heap_bytes);
  const auto memory = detail::SharedMemory::allocate(nodes, heap);
  detail::Cells cells{.cell = 0, .count = count, .members = {}, .leaders = {0}, .host = 0};
  cells.members.resize(team.size());
  std::iota(cells.members.begin(), cells.members.end(), 0);

  std::vector<std::exception_ptr> faults(team.size());
  team.run([&](const Place& me) {
    try {
      detail::Cells mine = cells;
      mine.cell = me.thread;
      const detail::Identity identity{
          .index = me.thread, .cell = me.thread, .cpu = me.cpu, .node = me.node};
      World world(std::make_unique<detail::WorldImpl>(std::move(mine), memory, identity,
                                                      Path::threads, options));
      body(world, me);
    } catch (...) {
      faults[static_cast<std::size_t>(me.thread)] = std::current_exception();
      memory->note_failure(me.thread);  // where it has not come to have a world
    }
  });
  rethrow_cause(faults);
}

}  // namespace kinjo::comm
