/// Memory on each node to measure with: how much, and whether it is where it was asked to be.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/lab.hpp>
#include <kinjo/memory.hpp>
#include <kinjo/topology.hpp>

namespace kinjo {

/// Nodes from whose CPUs, and nodes on whose memory, this process may measure; ascending. Memory
/// without CPUs (CXL, HBM) is among the latter alone.
std::vector<int> measurable_cpu_nodes(const Topology& machine);
std::vector<int> measurable_memory_nodes(const Topology& machine);

/// The allowed CPUs that are dealt to a node: its own before those that are merely nearest to it,
/// and cores before their siblings.
std::vector<int> cpus_dealt_to(const Topology& machine, int node);

/// Bytes that are free on a node (`MemFree` of its meminfo): what it can give without pages of
/// others being moved or dropped. Absent where the system does not say. `root` is prefixed to the
/// path.
std::optional<std::uint64_t> node_free_bytes(int node, const std::string& root = "");

/// Size of the largest single last-level cache, and of all those of one node's CPUs on the node
/// that has most; 0 where caches are not known.
struct CacheReach {
  std::uint64_t one = 0;
  std::uint64_t node = 0;
};
CacheReach last_level_reach(const Topology& machine);

/// How large a buffer each node gets.
struct NodeBufferPlan {
  std::uint64_t bytes = 0;               ///< what was asked for, or the rule
  std::uint64_t rule_bytes = 0;          ///< below it caches are measured too
  std::map<int, std::uint64_t> by_node;  ///< what fits; nodes on which hardly anything does are out
  std::uint64_t total_bytes = 0;         ///< that probes hold at once
  std::vector<std::string> notes;        ///< where it is less, and why
};

/// What there is to plan with.
struct NodeMemoryState {
  std::map<int, std::uint64_t> free;  ///< by node; a node that is not there has no limit
  std::uint64_t available = 0;        ///< of the whole process, 0: not known
};
NodeMemoryState node_memory_state(const Topology& machine);

/// The rule: four times the last-level caches that one node's CPUs have, so that what a probe finds
/// in them is little; 64 MiB where they are not known. Probes hold one buffer on each node and one
/// more, so that a node must have room for two; 60 % of what is free is taken at most, and of what
/// is available to the process. Throws `Error` (`out_of_memory`) if `requested` bytes (0: the rule)
/// do not fit on a node.
NodeBufferPlan plan_node_buffers(const Topology& machine, std::uint64_t requested,
                                 const NodeMemoryState& state);

/// A buffer on a node. While it lives the laboratory counts it as the region `node N`.
class NodeBuffer {
 public:
  /// Whether its pages come into being at once.
  enum class Touch { now, later };

  /// Throws as `alloc_on` does.
  NodeBuffer(int node, std::uint64_t bytes, Pages pages, Touch touch = Touch::now);

  void* data() const { return buffer_.data(); }
  std::size_t size() const { return buffer_.size(); }
  const Buffer& buffer() const { return buffer_; }
  int node() const { return node_; }

 private:
  int node_;
  Buffer buffer_;
  RegionMark mark_;
};

/// Whether pages are on the node that they were asked for.
struct Whereabouts {
  bool usable = true;   ///< at least half are there, or it is not known
  std::string warning;  ///< that belongs beside every figure; empty if all are there
};

/// Judges an audit of pages that were asked for on `node`. `alone`: there is no other node, so that
/// they can be nowhere else.
Whereabouts judge_pages(const Audit& audit, int node, bool alone);

}  // namespace kinjo
