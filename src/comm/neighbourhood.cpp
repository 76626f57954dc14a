#include "comm/neighbourhood.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>
#include <thread>

#include <fmt/format.h>

namespace kinjo::comm::detail {
namespace {

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
  while (member.state.load(std::memory_order_acquire) == State::absent) {
    if (std::chrono::steady_clock::now() > deadline) {
      throw CellLost(cell, fmt::format("cell {} has not started within {:g} s", cell,
                                       static_cast<double>(patience.count()) / 1000));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace

Neighbourhood::Neighbourhood(std::shared_ptr<SharedMemory> memory, const Identity& me, Path path)
    : memory_(std::move(memory)), me_(me), path_(path) {}

void Neighbourhood::meet(const WorldOptions& options, std::uint64_t handlers,
                         const std::vector<int>& cells_of_members) {
  Member& mine = member(me_.index);
  mine.cell = me_.cell;
  mine.pid = getpid();
  mine.cpu = me_.cpu;
  mine.node = me_.node;
  mine.heap_bytes = options.heap_bytes;
  mine.handlers = handlers;
  mine.state.store(State::here, std::memory_order_release);
  const auto deadline = std::chrono::steady_clock::now() + options.patience;
  for (int i = 0; i < size(); ++i) {
    await(member(i), cells_of_members[static_cast<std::size_t>(i)], deadline, options.patience);
  }
  for (int i = 1; i < size(); ++i) check_agreement(member(0), member(i));
  count_nodes();
}

void Neighbourhood::count_nodes() {
  std::set<int> nodes;
  on_node_ = 0;
  leader_of_node_ = -1;
  int on_cpu = 0;
  for (int i = 0; i < size(); ++i) {
    nodes.insert(member(i).node);
    if (member(i).cpu == me_.cpu) ++on_cpu;
    if (member(i).node != me_.node) continue;
    ++on_node_;
    if (leader_of_node_ < 0) leader_of_node_ = i;
  }
  nodes_ = static_cast<std::uint32_t>(nodes.size());
  const unsigned cpus = std::max(1u, std::thread::hardware_concurrency());
  shares_cpu_ = me_.cpu >= 0 ? on_cpu > 1 : static_cast<unsigned>(size()) > cpus;
}

bool Neighbourhood::arrive() {
  std::atomic<std::uint32_t>& here = memory_->node_word(leader_of_node_).arrived;
  if (here.fetch_add(1, std::memory_order_acq_rel) + 1 != on_node_) return false;
  here.store(0, std::memory_order_relaxed);
  if (nodes_ == 1) return true;
  std::atomic<std::uint32_t>& all = memory_->barrier().nodes_arrived;
  if (all.fetch_add(1, std::memory_order_acq_rel) + 1 != nodes_) return false;
  all.store(0, std::memory_order_relaxed);
  return true;
}

void Neighbourhood::release_barrier() {
  memory_->barrier().epoch.fetch_add(1, std::memory_order_release);
}

}  // namespace kinjo::comm::detail
