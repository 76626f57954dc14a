/// What must hold on every machine, checked without any test framework so that fuzzers can use it.
#pragma once

#include <string>
#include <vector>

#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>

namespace kinjo::test {

/// The policies under which every machine is tried: those with a name, and orders of levels.
const std::vector<Policy>& tried_policies();

/// The first broken promise of a topology by itself (numbers, sets, ranks), or an empty text.
std::string fault_of(const Topology& machine);

/// The first broken promise of a mapping (distinct allowed CPUs, places that agree with the
/// machine, ranks in nodes), or an empty text.
std::string fault_of(const Mapping& mapping, const Topology& machine);

}  // namespace kinjo::test
