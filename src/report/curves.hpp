/// Curves over threads, in the manner of S1's figures 8, 9 and 12.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "measure/record.hpp"
#include "measure/statistics.hpp"
#include "report/picture.hpp"

namespace kinjo {

/// A policy's medians by number of threads, ascending.
struct Curve {
  struct Point {
    std::size_t threads = 0;
    Summary summary;
  };
  std::string policy;
  std::vector<Point> points;
};

/// The curves of one metric that may be compared: they differ in policy and threads alone.
struct CurveSet {
  std::string metric;
  std::string unit;
  std::string variant;  ///< what tells the set from others of the sweep (`variant_of`)
  std::vector<Curve> curves;
};

/// One set for each metric and variant, in the order of the records, without those that failed.
std::vector<CurveSet> curve_sets(std::span<const Record> records);

/// Draws a set: a line with markers and whiskers for each policy, its name at the line's end, the
/// threads on a logarithmic axis where they are spread, the values on one where they differ more
/// than thirtyfold. With one number of threads the policies stand side by side instead.
/// `policies` are those of the page, so that each looks the same everywhere.
Picture curve_picture(const CurveSet& set, const std::vector<std::string>& policies);

}  // namespace kinjo
