/// Handles that free themselves, for the tests of the C API.
#pragma once

#include <memory>

#include <kinjo/kinjo.h>

namespace kinjo::test {

template <auto free_it>
struct Free {
  template <class T>
  void operator()(T* handle) const {
    free_it(handle);
  }
};

using CTopology = std::unique_ptr<kinjo_topology, Free<kinjo_topology_free>>;
using CMapping = std::unique_ptr<kinjo_mapping, Free<kinjo_mapping_free>>;
using CTeam = std::unique_ptr<kinjo_team, Free<kinjo_team_free>>;
using CFft = std::unique_ptr<kinjo_fft, Free<kinjo_fft_free>>;
using CGraph = std::unique_ptr<kinjo_graph, Free<kinjo_graph_free>>;
using CBfs = std::unique_ptr<kinjo_bfs, Free<kinjo_bfs_free>>;
using CNetwork = std::unique_ptr<kinjo_network, Free<kinjo_network_free>>;
using CFamily = std::unique_ptr<kinjo_family, Free<kinjo_family_free>>;
using CDiagram = std::unique_ptr<kinjo_diagram, Free<kinjo_diagram_free>>;
using CMembers = std::unique_ptr<kinjo_members, Free<kinjo_members_free>>;
using CCount = std::unique_ptr<char, Free<kinjo_count_free>>;
using CMemory = std::unique_ptr<void, Free<kinjo_memory_free>>;

/// Two packages of one node each, four cores in each, two CPUs in a core. PUs are numbered depth
/// first: CPU 0 and 1 share the first core, node 1 begins with CPU 8.
inline CTopology two_nodes() {
  return CTopology(kinjo_topology_from("synthetic:pack:2 numa:1 core:4 pu:2"));
}

inline CMapping map_two_nodes(const char* policy, int threads, unsigned flags = 0) {
  return CMapping(kinjo_mapping_create(two_nodes().get(), policy, threads, flags));
}

/// A mapping of this machine.
inline CMapping map_here(const char* policy, int threads, unsigned flags = 0) {
  return CMapping(
      kinjo_mapping_create(CTopology(kinjo_topology_discover()).get(), policy, threads, flags));
}

}  // namespace kinjo::test
