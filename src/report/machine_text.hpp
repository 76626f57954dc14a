/// The machine on a screen.
#pragma once

#include <set>
#include <string>

#include <kinjo/topology.hpp>

#include "report/table.hpp"

namespace kinjo {

/// A summary, a row for each node, caches that are alike folded into one line, distances; of this
/// machine the level of its vector kernels too (throws as `simd_level` does).
std::string machine_text(const Topology& machine);

/// How many there are of everything: `2 packages, 4 nodes, 32 cores, 64 CPUs, 128 GiB`.
std::string machine_counts(const Topology& machine);

/// One row for each CPU, in logical order.
Table cpu_table(const Topology& machine);

/// The shortest list of numbers, ranges and strided ranges, e.g. `0-76:4` or `0-7,32-39`.
std::string folded_list(const std::set<int>& numbers);
std::string folded_list(const CpuSet& cpus);

}  // namespace kinjo
