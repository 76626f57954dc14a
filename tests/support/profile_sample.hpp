/// A machine profile in which nothing is left out.
#pragma once

#include "measure/profile.hpp"

namespace kinjo::test {

/// Seven samples around `median`, which must be positive.
inline Figure figure_of(double median, const char* unit, const char* warning = "") {
  return {.summary = {.count = 7,
                      .min = median * 0.9,
                      .median = median,
                      .max = median * 1.2,
                      .low = median * 0.95,
                      .high = median * 1.1},
          .unit = unit,
          .warning = warning};
}

inline Bandwidth bandwidth_of(double read) {
  return {.read = figure_of(read, "GB/s"),
          .write = figure_of(read / 2, "GB/s"),
          .copy = figure_of(read * 0.75, "GB/s", "other load")};
}

inline NodePairProfile pair_of(int cpu_node, int memory_node, double latency_ns) {
  NodePairProfile pair{.cpu_node = cpu_node, .memory_node = memory_node};
  pair.latency_ns = figure_of(latency_ns, "ns");
  pair.one_thread = bandwidth_of(1000 / latency_ns);
  pair.all_threads = bandwidth_of(4000 / latency_ns);
  pair.first_touch = figure_of(2, "GB/s");
  pair.second_pass = figure_of(8, "GB/s");
  pair.distance = cpu_node == memory_node ? 10 : 20;
  pair.hmat_latency_ns = 90;
  pair.hmat_write_latency_ns = 95;
  pair.hmat_read_mb_s = 64000;
  pair.hmat_write_mb_s = 32000;
  return pair;
}

inline ClockProfile clock_sample() {
  ClockProfile clock;
  clock.counter = "tsc";
  clock.invariant = true;
  clock.disagreement_ns = 12.5;
  clock.agrees = true;
  clock.frequency_hz = figure_of(2.3e9, "Hz");
  clock.frequency_error_ppm = 0.25;
  clock.read_ns = figure_of(18, "ns");
  clock.latencies = {{.operation = "fma", .form = "vector", .cycles = figure_of(4, "cycles")}};
  clock.core_frequency_hz = figure_of(3.1e9, "Hz");
  clock.peak_gflops_one = figure_of(49.6, "GFLOP/s");
  clock.peak_gflops_all = figure_of(700, "GFLOP/s");
  return clock;
}

/// Two nodes of two CPUs.
inline MachineProfile full_profile() {
  MachineProfile profile{.machine = "host",
                         .model = "A processor",
                         .cpus = 4,
                         .allowed_cpus = CpuSet{0, 1, 2, 3},
                         .measured = "2026-11-21T04:13:19+00:00",
                         .warnings = {"other programs used 0.8 CPUs"},
                         .clock = clock_sample()};
  profile.caches = {{.level = 1,
                     .size_bytes = 32768,
                     .working_set_bytes = 16384,
                     .cpus = {0, 1},
                     .latency_ns = figure_of(1.5, "ns"),
                     .one_thread = bandwidth_of(100),
                     .all_threads = bandwidth_of(190)}};
  NodesProfile nodes{.pages = "transparent", .buffer_bytes = 1 << 27};
  nodes.pairs = {pair_of(0, 0, 90), pair_of(0, 1, 140), pair_of(1, 0, 141), pair_of(1, 1, 91)};
  nodes.all_nodes_local = bandwidth_of(80);
  nodes.loaded = {{.delay_cycles = 100,
                   .bandwidth = figure_of(40, "GB/s"),
                   .latency_ns = figure_of(200, "ns")}};
  nodes.scaling = {{.policy = "scatter", .threads = 2, .bandwidth = bandwidth_of(20)}};
  nodes.contradictions = {"node 1 is not where it says"};
  nodes.notes = {"node 2 has too little memory"};
  profile.nodes = nodes;
  return profile;
}

}  // namespace kinjo::test
