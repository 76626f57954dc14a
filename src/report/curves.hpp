/// Curves over threads, in the manner of S1's figures 8, 9 and 12, or over another number.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "measure/record.hpp"
#include "measure/statistics.hpp"
#include "report/picture.hpp"

namespace kinjo {

/// What a figure's horizontal axis counts.
enum class CurveAxis {
  threads,
  elements,  ///< of a vector
  rows,      ///< and columns of a matrix
  sums,      ///< running sums, vectors wide
  graphs,    ///< N of graphs by one rule (graph_curves.hpp)
};

/// Medians over that number, ascending.
struct Curve {
  struct Point {
    std::size_t at = 0;
    Summary summary;
  };
  std::string name;  ///< of the policy, where threads or graphs are counted
  std::vector<Point> points;
};

/// The curves of one metric that may be compared: they differ in policy and threads alone.
struct CurveSet {
  std::string metric;
  std::string unit;
  std::string variant;  ///< what tells the set from others of the sweep (`variant_of`)
  std::vector<Curve> curves;
  CurveAxis axis = CurveAxis::threads;
};

/// Over threads: one set for each metric and variant, in the order of the records, without those
/// that failed.
std::vector<CurveSet> curve_sets(std::span<const Record> records);

/// Adds a record to a set, as a point of each policy that it stands for.
void add_points(CurveSet& set, const Record& record, const Metric& metric, std::size_t at);

/// Draws a set: a line with markers and whiskers for each curve, its name at the line's end,
/// threads and elements on a logarithmic axis where they are spread, the values on one where they
/// differ more than thirtyfold. With one number of them the curves stand side by side instead.
/// `names` are those of the page's policies, or of the set's curves, so that each looks the same
/// everywhere.
Picture curve_picture(const CurveSet& set, const std::vector<std::string>& names);

}  // namespace kinjo
