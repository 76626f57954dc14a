/// Profiles and records to draw figures of.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "measure/profile.hpp"
#include "measure/record.hpp"

namespace kinjo::test {

/// A median with bounds of 5 % around it.
inline Figure figure(double value, const std::string& unit, const std::string& warning = "") {
  return {.summary = {.count = 10,
                      .min = value * 0.9,
                      .median = value,
                      .max = value * 1.1,
                      .low = value * 0.95,
                      .high = value * 1.05},
          .unit = unit,
          .warning = warning};
}

/// `nodes` × `nodes`, latency growing with the distance on a ring, numbers with gaps (0, 2, 4 …).
inline NodesProfile ring_of_nodes(int nodes) {
  NodesProfile profile{.pages = "normal"};
  for (int from = 0; from < nodes; ++from) {
    for (int to = 0; to < nodes; ++to) {
      const int steps = std::min((from - to + nodes) % nodes, (to - from + nodes) % nodes);
      NodePairProfile pair{.cpu_node = 2 * from, .memory_node = 2 * to};
      pair.latency_ns = figure(85 + 31.7 * steps, "ns");
      pair.one_thread.read = figure(14.2 / (1 + 0.4 * steps), "GB/s");
      profile.pairs.push_back(pair);
    }
  }
  return profile;
}

inline CacheProfile cache(int level, double one, double all) {
  CacheProfile profile{.level = level};
  profile.one_thread.read = figure(one, "GB/s");
  profile.one_thread.write = figure(one / 2, "GB/s");
  profile.all_threads.read = figure(all, "GB/s");
  return profile;
}

inline MachineProfile server_profile() {
  MachineProfile profile{.machine = "server"};
  profile.clock = ClockProfile{};
  profile.clock->peak_gflops_one = figure(54.4, "GFLOP/s");
  profile.clock->peak_gflops_all = figure(870, "GFLOP/s");
  profile.caches = {cache(1, 205, 3200), cache(2, 98, 1480), cache(3, 34, 410)};
  profile.nodes = ring_of_nodes(2);
  profile.nodes->all_nodes_local.copy = figure(72.5, "GB/s");
  profile.nodes->all_nodes_local.read = figure(66, "GB/s");
  return profile;
}

inline Metric metric(const std::string& name, const std::string& unit, double value,
                     double flops_per_byte) {
  return {.name = name,
          .unit = unit,
          .samples = {value, value, value},
          .flops_per_byte = flops_per_byte};
}

inline std::vector<Record> sample_records() {
  std::vector<Record> records;
  double factor = 1;
  for (const char* policy : {"none", "scatter", "compact", "compact-plus"}) {
    records.push_back({.workload = "stream",
                       .policy = policy,
                       .threads = 16,
                       .metrics = {metric("copy", "GB/s", 61 * factor, 0),
                                   metric("scale", "GB/s", 58 * factor, 1.0 / 16),
                                   metric("add", "GB/s", 63 * factor, 1.0 / 24),
                                   metric("triad", "GB/s", 64 * factor, 2.0 / 24)}});
    records.push_back({.workload = "gemm",
                       .policy = policy,
                       .threads = 16,
                       .metrics = {metric("gflops", "GFLOP/s", 700 * factor, 21.3)}});
    factor *= 0.85;
  }
  return records;
}

}  // namespace kinjo::test
