/// The specification of policies once more, as plainly as it can be said: coordinates counted
/// anew from the machine's lists of CPUs, nodes and caches, with no code of the library's.
#pragma once

#include <vector>

#include <kinjo/policy.hpp>
#include <kinjo/topology.hpp>

namespace kinjo::test {

/// The node to which a CPU belongs: among allowed nodes with ordinary memory a local one, else the
/// nearest, then the one with the lowest number; −1 if there is none.
int expected_node(const Topology& machine, int cpu);

/// OS numbers of the allowed CPUs in the order in which `policy` (not `none`) deals them.
std::vector<int> expected_deal(const Topology& machine, const Policy& policy);

}  // namespace kinjo::test
