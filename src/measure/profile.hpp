/// What `kinjo measure` found out about a machine: figures that later commands read again.
///
/// Whatever was not measured is absent (an empty vector, no value), never zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <kinjo/index_set.hpp>

#include "measure/statistics.hpp"

namespace kinjo {

/// One measured quantity.
struct Figure {
  Summary summary;
  std::string unit;     ///< `ns`, `GB/s`, `GFLOP/s`, `cycles`, `Hz`
  std::string warning;  ///< why it should not be trusted, empty where nothing speaks against it
};

/// Cycles from one operation to the next that needs its result.
struct OperationLatency {
  std::string operation;  ///< `add`, `multiply`, `fma`
  std::string form;       ///< `integer`, `scalar`, `vector`
  Figure cycles;          ///< of the core, not of the counter
};

/// The counter that is read for time, and what was found about it (S0 section 2).
struct ClockProfile {
  std::string counter;     ///< `tsc`, `cntvct`, or `clock_gettime` where there is none
  bool invariant = false;  ///< counts at one rate whatever the core's clock does
  std::optional<double> disagreement_ns;  ///< most that two CPUs' counters can differ by; absent
                                          ///< where that is not known (one CPU)
  bool agrees = true;                     ///< no CPU was seen behind another beyond the error
  Figure frequency_hz;                    ///< against CLOCK_MONOTONIC_RAW
  double frequency_error_ppm = 0;         ///< bound of the calibration's error
  Figure read_ns;                         ///< cost of one reading
  std::vector<OperationLatency> latencies;
  Figure core_frequency_hz;               ///< under load: integer additions a second, one a cycle
  std::optional<Figure> peak_gflops_one;  ///< fused multiply-adds of doubles, one thread
  std::optional<Figure> peak_gflops_all;  ///< one thread on each allowed CPU
};

/// Bytes a second that a set of threads moved, GB/s (10^9). Copying counts what is read and what is
/// written.
struct Bandwidth {
  std::optional<Figure> read;
  std::optional<Figure> write;
  std::optional<Figure> copy;
};

struct CacheProfile {
  int level = 0;  ///< 1, 2, 3
  std::uint64_t size_bytes = 0;
  std::uint64_t working_set_bytes = 0;  ///< what one thread used of it
  std::uint64_t shared_set_bytes = 0;   ///< what all threads used, each a part of its own; 0: they
                                        ///< all read the working set, and wrote nothing
  CpuSet cpus;                          ///< those of the cache that was measured
  Figure latency_ns;
  Bandwidth one_thread;
  Bandwidth all_threads;  ///< one on each CPU of the cache domain
};

/// Threads on one node, memory on another.
struct NodePairProfile {
  int cpu_node = -1;
  int memory_node = -1;
  std::optional<Figure> latency_ns;  ///< idle
  Bandwidth one_thread;
  Bandwidth all_threads;              ///< all allowed CPUs of `cpu_node`
  std::optional<Figure> first_touch;  ///< writing pages that are not there yet, GB/s, one thread
  std::optional<Figure> second_pass;  ///< the same thread writing the same pages again
  std::optional<int> distance;        ///< firmware's, 10 is local
  std::optional<double> hmat_latency_ns;  ///< firmware's for reading, from /sys, where it gives any
  std::optional<double> hmat_write_latency_ns;
  std::optional<double> hmat_read_mb_s;  ///< 10^6 bytes a second
  std::optional<double> hmat_write_mb_s;
};

/// Latency while other threads ask for bandwidth.
struct LoadedPoint {
  double delay_cycles = 0;  ///< between two requests of a loading thread
  Figure bandwidth;         ///< injected, GB/s
  Figure latency_ns;
};

/// Bandwidth by number of threads, the machine being filled by a policy.
struct ScalingPoint {
  std::string policy;
  std::size_t threads = 0;
  Bandwidth bandwidth;
};

struct NodesProfile {
  std::string pages;               ///< `normal`, `transparent`, `huge`
  std::uint64_t buffer_bytes = 0;  ///< on each node; where they differ, the least
  std::optional<std::uint64_t> largest_buffer_bytes = {};  ///< absent where they do not differ
  std::vector<NodePairProfile> pairs;                      ///< by cpu_node, then memory_node
  Bandwidth all_nodes_local;  ///< every node's threads on their own memory at once
  std::vector<LoadedPoint> loaded;
  std::vector<ScalingPoint> scaling;
  /// Nodes whose measured ratio contradicts the firmware's distance, one sentence each.
  std::vector<std::string> contradictions;
  /// What was left out, and why, one sentence each.
  std::vector<std::string> notes;
};

/// A machine's figures. `warnings` hold for all of them (other load, CPU quota, virtual machine).
struct MachineProfile {
  std::string machine;   ///< host name
  std::string model;     ///< of the first package
  std::size_t cpus = 0;  ///< that the machine has, whether or not this process may use them
  std::optional<CpuSet> allowed_cpus = {};  ///< those that it may use; absent of older profiles
  std::string measured;                     ///< when, ISO 8601 with offset
  std::vector<std::string> warnings;
  std::optional<ClockProfile> clock;
  std::vector<CacheProfile> caches;
  std::optional<NodesProfile> nodes;
};

}  // namespace kinjo
