/// Curves over the size of a graph, in the manner of S1's figure 13.
#pragma once

#include <span>
#include <vector>

#include "report/curves.hpp"
#include "report/page.hpp"

namespace kinjo {

/// A set for each metric and rule of graphs (`grid:N`), a line for each policy: medians over N,
/// with the largest number of threads that were placed. There is none of a rule with one size
/// alone; what failed is left out, and what no one number is the size of (`grid:3x4`, a file).
std::vector<CurveSet> graph_sets(std::span<const ReportSection> sections);

}  // namespace kinjo
