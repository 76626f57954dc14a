/// What the firmware says about nodes, and where measuring contradicts it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <kinjo/index_set.hpp>
#include <kinjo/topology.hpp>

#include "measure/profile.hpp"

namespace kinjo {

/// The firmware's figures (ACPI HMAT) for one node's memory, as seen by its nearest initiators;
/// for all others the kernel shows none. What the firmware leaves out, or gives as 0, is absent.
struct FirmwareMemory {
  int node = -1;
  NodeSet initiators;  ///< nodes for which the figures hold
  CpuSet cpus;         ///< CPUs of those nodes
  std::optional<double> read_latency_ns;
  std::optional<double> write_latency_ns;
  std::optional<double> read_mb_s;  ///< 10^6 bytes a second
  std::optional<double> write_mb_s;
};

/// Reads `/sys/devices/system/node/nodeN/access1/initiators` of every node, the nearest initiators
/// that are CPUs, or `access0`, the nearest of any kind, where a kernel before 5.11 has no other.
/// Nodes without figures are left out. `root` is prefixed to the paths.
std::vector<FirmwareMemory> read_firmware_memory(const std::string& root = "");

/// Writes distances and the firmware's figures into the pairs. A figure goes to a pair if it holds
/// for all CPUs that the machine deals to the pair's `cpu_node`.
void add_firmware_view(NodesProfile& nodes, const Topology& machine,
                       const std::vector<FirmwareMemory>& memory);

/// Where figures that have bounds (`kLeastSamples`) and no warning contradict the firmware, one
/// sentence each with both nodes and their figures. With r the measured ratio of two latencies,
/// between its bounds:
///
/// - of two nodes seen from the same CPUs the nearer one is slower by more than 5 % (also by read
///   bandwidth);
/// - a node that is further than the CPUs' own is as fast: r may be 1, and is less than half of
/// what
///   the distances say above 1;
/// - a node's latency is above its own node's by more than three times, or less than a third, of
///   what the distances say;
/// - a latency or a read bandwidth of the HMAT is off by more than a factor of two.
std::vector<std::string> find_contradictions(const NodesProfile& nodes);

}  // namespace kinjo
