#include "comm/neighbourhood.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "comm/deadline.hpp"
#include "comm/fence.hpp"

namespace kinjo::comm::detail {
namespace {

constexpr std::chrono::microseconds kLongestPause{5000};

void check_agreement(const Member& first, const Member& other) {
  if (first.heap_bytes != other.heap_bytes) {
    throw Error(Errc::invalid_argument,
                fmt::format("cell {} asks for {} bytes of symmetric memory and cell {} for {}: "
                            "expected the same on every cell",
                            first.cell, first.heap_bytes, other.cell, other.heap_bytes));
  }
  if (first.handlers != other.handlers) {
    throw Error(Errc::invalid_argument,
                fmt::format("cells {} and {} have registered different handlers: expected the same "
                            "names in the same order on every cell",
                            first.cell, other.cell));
  }
}

void await(const Member& member, int cell, std::chrono::steady_clock::time_point deadline,
           std::chrono::milliseconds patience) {
  using std::chrono::microseconds;
  // Longer and longer: many cells on few CPUs would keep them from the one that is late.
  for (microseconds pause(200);; pause = std::min(pause * 2, kLongestPause)) {
    const State state = member.state.load(std::memory_order_acquire);
    if (state == State::failed) throw CellLost(cell, fmt::format("cell {} has not started", cell));
    if (state != State::absent) return;
    if (std::chrono::steady_clock::now() > deadline) {
      throw CellLost(cell, fmt::format("cell {} has not started within {:g} s", cell,
                                       static_cast<double>(patience.count()) / 1000));
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

std::chrono::steady_clock::time_point patience_from_now(std::chrono::milliseconds patience) {
  return std::chrono::steady_clock::now() + std::min(patience, kLongestPatience);
}

Neighbourhood::Neighbourhood(std::shared_ptr<SharedMemory> memory, const Identity& me, Path path)
    : memory_(std::move(memory)), me_(me), path_(path) {}

Neighbourhood::~Neighbourhood() { memory_->note_failure(me_.index); }

void Neighbourhood::meet(const WorldOptions& options, std::uint64_t handlers,
                         const std::vector<int>& cells_of_members) {
  Member& mine = member(me_.index);
  mine.cell = me_.cell;
  mine.pid = getpid();
  mine.cpu = me_.cpu;
  mine.node = me_.node;
  mine.heap_bytes = options.heap_bytes;
  mine.handlers = handlers;
  mine.because = -1;
  mine.state.store(State::here, std::memory_order_release);
  const auto deadline = patience_from_now(options.patience);
  for (int i = 0; i < size(); ++i) {
    await(member(i), cells_of_members[static_cast<std::size_t>(i)], deadline, options.patience);
  }
  for (int i = 1; i < size(); ++i) check_agreement(member(0), member(i));
  count_groups();
  count_cpus();
}

void Neighbourhood::count_groups() {
  std::set<int> nodes;
  std::set<int> cpus_here;
  std::uint32_t free_here = 0;
  on_cpu_ = 0;
  leader_of_node_ = leader_of_cpu_ = -1;
  for (int i = 0; i < size(); ++i) {
    nodes.insert(member(i).node);
    if (member(i).node != me_.node) continue;
    if (leader_of_node_ < 0) leader_of_node_ = i;
    if (member(i).cpu < 0) {
      ++free_here;
      continue;
    }
    cpus_here.insert(member(i).cpu);
    if (member(i).cpu != me_.cpu) continue;
    if (leader_of_cpu_ < 0) leader_of_cpu_ = i;
    ++on_cpu_;
  }
  groups_on_node_ = static_cast<std::uint32_t>(cpus_here.size()) + free_here;
  nodes_ = static_cast<std::uint32_t>(nodes.size());
}

void Neighbourhood::count_cpus() {
  std::map<int, int> on_cpu;
  for (int i = 0; i < size(); ++i) ++on_cpu[member(i).cpu];
  // Those that are not pinned have all CPUs together.
  const int free = on_cpu[-1];
  const bool crowded = free > static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  shares_cpu_ = me_.cpu >= 0 ? on_cpu[me_.cpu] > 1 : crowded;
  bells_ = crowded;
  for (const auto& [cpu, members] : on_cpu) bells_ = bells_ || (cpu >= 0 && members > 1);
}

namespace {

/// Counts one more; true for the last of `count`, who leaves the word as it was.
bool completes(std::atomic<std::uint32_t>& arrived, std::uint32_t count) {
  if (count <= 1) return true;
  if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 != count) return false;
  arrived.store(0, std::memory_order_relaxed);
  return true;
}

}  // namespace

Arrival Neighbourhood::arrive() {
  const SharedMemory& memory = *memory_;
  if (on_cpu_ > 1 && !completes(memory.cpu_word(leader_of_cpu_).arrived, on_cpu_)) {
    return Arrival::early;
  }
  if (completes(memory.node_word(leader_of_node_).arrived, groups_on_node_) &&
      completes(memory.barrier().nodes_arrived, nodes_)) {
    return Arrival::last;
  }
  return on_cpu_ > 1 ? Arrival::last_of_cpu : Arrival::early;
}

void Neighbourhood::release_barrier() {
  memory_->barrier().epoch.fetch_add(1, std::memory_order_release);
  ring_all();
}

// The sleeper announces itself and then looks; who rings has changed something and then looks for
// sleepers. With a fence between the two on both sides, one of them sees the other.

std::uint32_t Neighbourhood::lie_down() {
  Member& me = member(me_.index);
  const std::uint32_t rung = me.bell.load(std::memory_order_acquire);
  me.asleep.store(1, std::memory_order_relaxed);
  full_fence();
  return rung;
}

void Neighbourhood::sleep(std::uint32_t rung, std::int64_t nanoseconds) {
  const timespec limit{.tv_sec = nanoseconds / 1'000'000'000,
                       .tv_nsec = static_cast<long>(nanoseconds % 1'000'000'000)};
  syscall(SYS_futex, &member(me_.index).bell, FUTEX_WAIT, rung, &limit, nullptr, 0);
}

void Neighbourhood::ring_if_asleep(Member& member) {
  if (member.asleep.load(std::memory_order_relaxed) == 0) return;
  member.bell.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &member.bell, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void Neighbourhood::ring_all() {
  if (!bells_) return;
  full_fence();
  for (int i = 0; i < size(); ++i) {
    if (i != me_.index) ring_if_asleep(member(i));
  }
}

}  // namespace kinjo::comm::detail
