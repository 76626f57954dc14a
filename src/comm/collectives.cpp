// Barrier and broadcast. The barrier counts within a host, where cells share CPUs one CPU after the
// other, then node by node; the last to arrive meets the other hosts by dissemination (Hensgen,
// Finkel, Manber 1988), the only part that travels, and releases its own host by one word.
//
// n cells of one CPU pass a barrier with n - 1 switches from one to the next, and no fewer are
// possible: who arrives lets the next one run, and the last of a CPU keeps it until the others are
// there, since it would only be given to cells that have nothing to do.
#include <algorithm>

#include <fmt/format.h>
#include <kinjo/memory.hpp>

#include "comm/fence.hpp"
#include "comm/waiting.hpp"
#include "comm/world_impl.hpp"

namespace kinjo::comm {
namespace detail {

namespace {

void meet_hosts(WorldImpl& world, const Deadline& deadline) {
  const auto& leaders = world.cells.leaders;
  const int hosts = static_cast<int>(leaders.size());
  const std::byte* mine = world.base(leaders[static_cast<std::size_t>(world.cells.host)]);
  std::size_t round = 0;
  for (int step = 1; step < hosts; step *= 2, ++round) {
    const Offset at = world.reserve.barrier_flag(round);
    const int to = leaders[static_cast<std::size_t>((world.cells.host + step) % hosts)];
    world.raise(to, {.flag = at, .value = world.barriers}, deadline);
    const std::atomic_ref<const std::uint64_t> flag(
        *reinterpret_cast<const std::uint64_t*>(mine + at));
    wait_for(
        world, Wait::For::barrier, Needs::all, deadline,
        [&] { return flag.load(std::memory_order_acquire) >= world.barriers; },
        [] { return std::string("the barrier of the hosts"); });
  }
}

}  // namespace

void WorldImpl::barrier(const Deadline& deadline) {
  // To find all there runs no handlers. Whoever meets again and again runs them all the same.
  constexpr std::uint64_t kSeldom = 16;
  if (++barriers % kSeldom == 0) progress();
  quiet(deadline);
  const std::uint32_t seen = neighbourhood.barrier_epoch();
  const Arrival arrival = neighbourhood.arrive();
  if (arrival == Arrival::last) {
    if (cells.leaders.size() > 1) meet_hosts(*this, deadline);
    neighbourhood.release_barrier();
    return;
  }
  const auto released = [&] { return neighbourhood.barrier_epoch() != seen; };
  const auto describe = [] { return std::string("the other cells at a barrier"); };
  if (look_first(*this, released)) return;
  keep_waiting(*this, Wait::For::barrier, Needs::all, deadline, released, describe,
               arrival == Arrival::last_of_cpu ? Begin::hold_cpu : Begin::yield_cpu);
}

void WorldImpl::quiet(const Deadline& deadline) {
  full_fence();
  // Replies of handlers too: whoever leaves after a barrier carries nothing on.
  if (mailbox->keeps()) {
    wait_for(
        *this, Wait::For::completion, Needs::some, deadline, [&] { return !mailbox->keeps(); },
        [] { return std::string("room for its replies"); });
  }
  if (!remote) return;
  remote->begin_quiet();
  wait_for(
      *this, Wait::For::completion, Needs::some, deadline, [&] { return remote->settled(); },
      [] { return std::string("its puts to be complete"); });
}

}  // namespace detail

using detail::Deadline;
using detail::wait_for;

void World::barrier(Timeout timeout) {
  impl_->check_caller("barrier");
  impl_->barrier(Deadline(timeout));
}

// A binomial tree: in round r the cells that have the data give it to those 2^r further on.
void World::broadcast(int root, Offset at, std::size_t bytes, Timeout timeout) {
  detail::WorldImpl& world = *impl_;
  world.check_caller("broadcast");
  world.check_cell(root);
  world.check_range(root, at, bytes);
  const Deadline deadline(timeout);
  world.barrier(deadline);
  const std::uint64_t turn = ++world.broadcasts;
  const int count = world.cells.count;
  const int rank = (world.cells.cell - root + count) % count;
  const Signal arrived{.flag = world.reserve.broadcast_flag(), .value = turn};
  if (rank != 0) {
    wait_for(
        world, Wait::For::flag, detail::Needs::all, deadline,
        [&] { return world.load_flag(arrived.flag) == turn; },
        [] { return std::string("a broadcast"); });
  }
  int step = 1;
  while (step <= rank) step *= 2;
  for (; rank + step < count; step *= 2) {
    const int to = (root + rank + step) % count;
    world.put(to, at, world.own() + at, bytes, &arrived, &world.broadcast_sent, deadline);
  }
  wait_for(
      world, Wait::For::completion, detail::Needs::some, deadline,
      [&] { return world.broadcast_sent.done(); },
      [] { return std::string("a broadcast to leave"); });
}

namespace {

/// Throws where cells ask for different things.
void compare_requests(detail::WorldImpl& world, std::size_t bytes, std::size_t alignment,
                      const Deadline& deadline) {
  const double size = static_cast<double>(bytes);
  const double align = static_cast<double>(alignment);
  double range[] = {size, -size, align, -align};
  world.all_reduce(range, ReduceOp::max, deadline);
  if (range[0] == -range[1] && range[2] == -range[3]) return;
  throw Error(Errc::invalid_argument,
              fmt::format("cells allocate different things: {} bytes aligned to {} on cell {}, up "
                          "to {} aligned to {} elsewhere; expected the same on every cell",
                          bytes, alignment, world.cells.cell, range[0], range[2]));
}

/// Whether the machine has the memory for this cell and its neighbours, who ask at the same time.
bool machine_has(const detail::WorldImpl& world, std::size_t bytes) {
  constexpr std::size_t kSmall = std::size_t{1} << 20;
  if (bytes < kSmall) return true;
  const std::uint64_t available = available_memory_bytes();
  return available == 0 || bytes <= available / static_cast<unsigned>(world.neighbourhood.size());
}

}  // namespace

Offset World::allocate(std::size_t bytes, std::size_t alignment, Timeout timeout) {
  detail::WorldImpl& world = *impl_;
  world.check_caller("allocate");
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > 4096) {
    throw Error(Errc::invalid_argument,
                fmt::format("cannot align symmetric memory to {}: expected a power of two up to "
                            "4096",
                            alignment));
  }
  const Offset begin = (world.allocated + alignment - 1) / alignment * alignment;
  if (begin > world.heap_bytes || bytes > world.heap_bytes - begin) {
    throw Error(Errc::out_of_memory,
                fmt::format("cannot allocate {} bytes of symmetric memory: {} of {} are left "
                            "(WorldOptions::heap_bytes)",
                            bytes, world.heap_bytes - std::min<Offset>(begin, world.heap_bytes),
                            world.heap_bytes - world.first));
  }
  const Deadline deadline(timeout);
  compare_requests(world, bytes, alignment, deadline);
  // What was allocated and released is there already.
  const Offset end = begin + bytes;
  const std::size_t untouched = end - std::min(end, std::max(begin, world.touched));
  double has_memory = machine_has(world, untouched) ? 1 : 0;
  world.all_reduce({&has_memory, 1}, ReduceOp::min, deadline);
  if (has_memory == 0) {
    throw Error(Errc::out_of_memory,
                fmt::format("cannot allocate {} bytes of symmetric memory on every cell: a machine "
                            "has too little memory for its cells",
                            bytes));
  }
  // The owner is the first to touch it, and has done so before anybody puts.
  std::memset(world.own() + begin, 0, bytes);
  world.allocated = end;
  world.touched = std::max(world.touched, end);
  world.open_short_way();
  world.barrier(deadline);
  return begin;
}

void World::release(Offset from, Timeout timeout) {
  detail::WorldImpl& world = *impl_;
  world.check_caller("release");
  world.check_range(cell(), from, 0);
  world.barrier(Deadline(timeout));
  world.allocated = from;
  world.open_short_way();
}

}  // namespace kinjo::comm
