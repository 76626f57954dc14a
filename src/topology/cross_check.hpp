/// S1's three ways to learn the topology, each beside hwloc.
///
/// They are independent: what the kernel prints for people, what it lays out for programs, and what
/// the CPUs say themselves. Virtual machines' firmware often lies to one of them; the check says
/// where, and which CPUs.
#pragma once

#include <string>
#include <vector>

#include <kinjo/topology.hpp>

#include "topology/reading.hpp"

namespace kinjo::detail {

/// One relation, of a reader and of hwloc, over the CPUs that both know.
struct RelationCheck {
  std::string relation;
  bool agrees = true;
  Groups reader;  ///< groups that hwloc has not, ascending; empty if they agree
  Groups hwloc;   ///< groups that the reader has not
};

struct ReaderCheck {
  Reading reading;
  std::vector<RelationCheck> relations;  ///< those that both tell, in the order of `relation_names`
  bool agrees() const;
};

struct CrossCheck {
  std::string origin;
  std::vector<ReaderCheck> readers;  ///< cpuinfo, sysfs, cpuid
  bool agrees() const;               ///< of those that had something to say
};

/// `cpus` (which there are), package, core, node, and caches from the first level up: the relations
/// that occur in a check.
std::vector<std::string> relation_names(const CrossCheck& check);

/// What hwloc says, as a reader would.
Reading read_hwloc(const Topology& machine);

ReaderCheck compare(const Reading& reading, const Reading& hwloc);

/// Checks this machine (`input` empty) or a directory with sys and proc, and, if it was recorded,
/// `cpuid`. Throws `Error` (`invalid_argument`) for another kind of input, which has nothing to be
/// compared with, and as `Topology::from` does.
CrossCheck cross_check(const std::string& input);

}  // namespace kinjo::detail
