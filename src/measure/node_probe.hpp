/// What nodes cost each other: latency and bandwidth from every node's CPUs to every node's memory
/// (S0 section 4), under load, and by number of threads (S2 section 4).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <kinjo/topology.hpp>

#include "measure/node_memory.hpp"
#include "measure/probe_options.hpp"
#include "measure/profile.hpp"
#include "measure/progress.hpp"

namespace kinjo {

struct NodeProbeRequest {
  bool pairs = true;               ///< node × node, and all nodes at once
  bool loaded = true;              ///< latency against injected bandwidth
  bool scaling = true;             ///< bandwidth by number of threads
  std::uint64_t buffer_bytes = 0;  ///< on each node; 0: the rule of `plan_node_buffers`
  double budget_seconds = 30;      ///< for all of it; figures get fewer samples where it is short
  ProbeOptions options = {};
};

/// What a request comes to on a machine, settled before anything is allocated.
struct NodeProbePlan {
  NodeProbeRequest request;
  NodeBufferPlan buffers;
  std::vector<int> cpu_nodes;     ///< whose CPUs measure
  std::vector<int> memory_nodes;  ///< whose memory is measured
  std::size_t figures = 0;        ///< how many will be taken
};

/// Throws `Error` if the buffers that were asked for do not fit.
NodeProbePlan plan_node_probe(const Topology& machine, const NodeProbeRequest& request);

/// Seconds that it takes, roughly.
double node_probe_seconds(const NodeProbePlan& plan);

/// Measures. `machine` must be this machine. A thread runs on a CPU of node i, pinned, and works on
/// a buffer that was bound to node j; the kernel is asked where its pages are. Pages elsewhere make
/// a warning beside every figure, or, if they are most, leave the node out with a note. Firmware's
/// figures and contradictions are not filled in.
///
/// In the laboratory buffers are the regions `node j`, and what is measured is in the phase
/// `local`, `remote`, `together` (several nodes at once) or `loaded`.
NodesProfile probe_nodes(const Topology& machine, const NodeProbePlan& plan,
                         const ProgressSink& progress);

/// Thread counts at which bandwidth is measured: 1, 2, 3, 4, 6, 8, 12 … and `most`.
std::vector<std::size_t> scaling_threads(std::size_t most);

/// Cycles that a loading thread lets pass between two requests, from none to so many that hardly
/// any load is left.
const std::vector<std::size_t>& loading_delays();

}  // namespace kinjo
