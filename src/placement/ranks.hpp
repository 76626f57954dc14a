/// Dividing a machine among several processes that are placed by one policy, as MPI ranks are.
#pragma once

#include <cstddef>
#include <vector>

#include <kinjo/mapping.hpp>
#include <kinjo/policy.hpp>
#include <kinjo/topology.hpp>

namespace kinjo::detail {

/// One of several processes on a machine.
struct Rank {
  std::size_t rank = 0;  ///< below `size`
  std::size_t size = 1;  ///< at least 1
};

/// How many threads each of `ranks` processes has where nobody says: the CPUs that the policy may
/// deal, divided by the ranks and rounded down, but at least 1.
std::size_t default_rank_threads(const Topology& machine, const Policy& policy, std::size_t ranks);

/// The CPUs of one rank, in the order of its threads. All ranks compute the same table and take
/// their own part of it, so parts are disjoint unless there are more ranks than CPUs.
///
/// *Which CPUs.* The policy deals `size · threads` CPUs. `scatter` deals whole ranks over the nodes
/// in turn where a rank's threads fit in a node, and each takes its node's CPUs in scatter's order.
///
/// *Whose they are.* The chosen CPUs are lined up as the machine holds them (package, node, cache
/// domain, core) and cut into equal pieces, so that a rank's threads share caches and cores with
/// each other before they share any with another rank. A list (`cpus:…`) is cut as it is written.
///
/// *In which order.* A rank's threads meet its CPUs in the order of the policy.
///
/// One rank alone gets the policy's table. Where `threads` do not fit once, a rank has its share of
/// the CPUs once, for its table to wrap around (`Oversubscribe::wrap`); `refuse` throws `Error`
/// (`invalid_argument`), as does a policy that names CPUs that are not there. The policy must not
/// be `none`.
std::vector<int> rank_cpus(const Topology& machine, const Policy& policy, Rank rank,
                           std::size_t threads, Oversubscribe oversubscribe);

/// Whether a process has a part of the machine to itself already, because its launcher bound it:
/// its mask lacks CPUs that it could use, and so many that `ranks` masks of that size have room
/// beside each other.
bool has_own_part(const CpuSet& mask, const CpuSet& usable, std::size_t ranks);

}  // namespace kinjo::detail
