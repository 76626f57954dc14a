/// What a roofline shows: the bounds that a machine sets, and what was reached.
///
/// S. Williams, A. Waterman, D. Patterson: Roofline, CACM 52(4), 2009. A computation that does I
/// operations for each byte that it moves can do at most min(peak, I × bandwidth) of them a second.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/profile.hpp"
#include "measure/record.hpp"
#include "report/table.hpp"

namespace kinjo {

/// A bound: GFLOP/s at most, or GB/s from one level of memory.
struct Roof {
  enum class Kind { peak, bandwidth };
  enum class Threads { one, all };
  Kind kind = Kind::peak;
  Threads threads = Threads::one;
  std::string name;  ///< `peak`, `L1`, `memory`
  std::string what;  ///< `read`, `write` or `copy`, whichever bandwidth is the highest
  double value = 0;  ///< the median, GFLOP/s or GB/s
};

/// What a record reached in one of its metrics.
struct RooflinePoint {
  std::string workload;
  std::string metric;  ///< or the kernel and its size, where records are of kernels
  std::string policy;
  std::size_t threads = 0;
  double flops_per_byte = 0;
  double gflops = 0;
};

/// The bounds of a profile: the peaks, each cache level and memory, with one thread and with all
/// (of a cache, those that share it). Memory with one thread is the best local pair of nodes; with
/// all, all nodes at once on their own memory, else the best local pair. What was not measured is
/// left out.
std::vector<Roof> roofs_of(const MachineProfile& profile);

/// A point for each metric that says how many operations it does for a byte: x is that number, y
/// the median of the samples, times x if they are GB/s. Metrics in other units than GB/s,
/// GFLOP/s and MFLOP/s and records that failed their verification have none.
std::vector<RooflinePoint> roofline_points(std::span<const Record> records);

/// The lowest bound of all threads (of one, if `threads` is 1) at that intensity, GFLOP/s: the
/// smaller one of the peak and what memory allows. Absent without either.
std::optional<double> attainable_gflops(std::span<const Roof> roofs, double flops_per_byte,
                                        std::size_t threads);

/// Each bound, then each point with the share that it reaches of `attainable_gflops`.
Table roofs_table(std::span<const Roof> roofs);
Table roofline_table(std::span<const Roof> roofs, std::span<const RooflinePoint> points);

}  // namespace kinjo
