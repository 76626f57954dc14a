/// From hwloc's objects to a `Topology`.
#pragma once

#include <kinjo/topology.hpp>

#include "topology/hwloc_handle.hpp"

namespace kinjo {

/// Fills a `Topology` in the order machine → nodes → caches → CPUs → coordinates, each step from
/// what stands before it.
class TopologyBuilder {
 public:
  /// `may_use` is intersected with what hwloc says is allowed; null for a described machine.
  TopologyBuilder(const detail::HwlocHandle& hwloc, const std::string& origin,
                  const CpuSet* may_use);

  Topology build();

 private:
  void read_packages();
  void read_nodes();
  void read_distances();
  void read_caches();
  void read_kinds();
  void read_cpus(const CpuSet* may_use);
  void deal_nodes();
  int nearest_node(const Cpu& cpu) const;

  hwloc_topology_t hwloc_;
  Topology topology_;
  std::vector<int> cache_of_;  ///< by logical index: a number for its last-level cache, or −1
  std::vector<int> core_of_;   ///< by logical index: a number for its core
};

namespace detail {

/// Ranks CPUs in their package, node, cache domain and core (see `Cpu`). `cache_of` and `core_of`
/// number those by CPU. Returns whether nodes span packages.
bool rank_cpus(std::vector<Cpu>& cpus, const std::vector<int>& cache_of,
               const std::vector<int>& core_of);

/// CPU time that the control group of the calling process allows, in CPUs, under a root directory
/// (`""`: the running system).
std::optional<double> read_cpu_quota(const std::string& root);

/// What this system lets the process do, asked by calls that change nothing.
Support probe_support();

}  // namespace detail
}  // namespace kinjo
