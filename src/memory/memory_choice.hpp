/// `--memory`: where a program's pages shall lie.
#pragma once

#include <string>
#include <string_view>

#include <kinjo/topology.hpp>

#include "base/kernel.hpp"

namespace kinjo::detail {

struct MemoryChoice {
  MemoryPolicy policy = MemoryPolicy::standard;
  NodeSet nodes;
  std::string text;  ///< as it was given
};

/// Reads `local`, `interleave` (over all nodes with ordinary memory), `interleave:NODES`,
/// `bind:NODES` or `preferred:NODES`. Throws `Error` that says what is accepted, also for nodes
/// that the machine does not have or the process may not use.
MemoryChoice parse_memory(std::string_view text, const Topology& machine);

/// Sets it for the calling thread and all that it starts, through exec too. Empty if it holds, else
/// one line that says what the kernel refused and what holds instead.
std::string apply_memory(const MemoryChoice& choice);

}  // namespace kinjo::detail
