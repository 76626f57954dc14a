#include <kinjo/topology.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/forks.hpp"
#include "base/initial_affinity.hpp"
#include "topology/builder.hpp"

namespace kinjo {

const char* to_string(MemoryKind kind) noexcept {
  switch (kind) {
    case MemoryKind::ordinary:
      return "ordinary";
    case MemoryKind::high_bandwidth:
      return "high_bandwidth";
    case MemoryKind::non_volatile:
      return "non_volatile";
    case MemoryKind::device:
      return "device";
    case MemoryKind::none:
      return "none";
  }
  return "unknown";
}

Topology Topology::discover() {
  const std::lock_guard lock(detail::mutex_of(detail::ForkLock::hwloc));
  const auto hwloc = detail::load_this_machine();
  Topology topology = TopologyBuilder(hwloc, "this machine", &detail::initial_affinity()).build();
  topology.support_ = detail::probe_support();
  topology.cpu_quota_ = detail::read_cpu_quota("");
  return topology;
}

const Topology& Topology::this_machine() {
  // No static of a function's own: a child that is forked off during its initialisation would wait
  // for its end for ever.
  static std::atomic<const Topology*> known{nullptr};
  if (const Topology* machine = known.load(std::memory_order_acquire)) return *machine;
  const std::lock_guard lock(detail::mutex_of(detail::ForkLock::this_machine));
  if (const Topology* machine = known.load(std::memory_order_acquire)) return *machine;
  const auto* const machine = new Topology(discover());  // kept until the process ends
  known.store(machine, std::memory_order_release);
  return *machine;
}

Topology Topology::from(const std::string& input) {
  const std::lock_guard lock(detail::mutex_of(detail::ForkLock::hwloc));
  const auto hwloc = detail::load_description(input);
  Topology topology = TopologyBuilder(hwloc, input, nullptr).build();
  topology.cpu_quota_ = detail::read_cpu_quota(input);
  return topology;
}

NodeSet Topology::all_nodes() const {
  NodeSet all;
  for (const Node& node : nodes_) all.insert(node.node);
  return all;
}

const Cpu* Topology::find_cpu(int cpu) const {
  if (cpu < 0 || static_cast<std::size_t>(cpu) >= cpu_index_.size()) return nullptr;
  const int index = cpu_index_[static_cast<std::size_t>(cpu)];
  return index < 0 ? nullptr : &cpus_[static_cast<std::size_t>(index)];
}

const Node* Topology::find_node(int node) const {
  const auto at =
      std::find_if(nodes_.begin(), nodes_.end(), [&](const Node& n) { return n.node == node; });
  return at == nodes_.end() ? nullptr : &*at;
}

const Package* Topology::find_package(int package) const {
  const auto at = std::find_if(packages_.begin(), packages_.end(),
                               [&](const Package& p) { return p.package == package; });
  return at == packages_.end() ? nullptr : &*at;
}

std::optional<int> Topology::distance(int from_node, int to_node) const {
  const Node* from = find_node(from_node);
  if (!from) return std::nullopt;
  const auto found = from->distances.find(to_node);
  if (found == from->distances.end()) return std::nullopt;
  return found->second;
}

std::uint64_t Topology::last_level_cache_bytes() const {
  // Caches are sorted by level: a CPU's last one in the list is its last level.
  std::uint64_t total = 0;
  CpuSet counted;
  for (auto cache = caches_.rbegin(); cache != caches_.rend(); ++cache) {
    if (cache->type == Cache::Type::instruction || !(cache->cpus & counted).empty()) continue;
    total += cache->size_bytes;
    counted |= cache->cpus;
  }
  return total;
}

}  // namespace kinjo
