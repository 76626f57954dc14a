/// Kernels beside their limit: over sizes, and on the ladder over running sums.
#pragma once

#include <span>
#include <vector>

#include "measure/record.hpp"
#include "report/curves.hpp"
#include "report/page.hpp"

namespace kinjo {

/// Whether a section is of kernels by size (its records have parameters `kernel` and `size`), and
/// not of placements, which have a verdict.
bool is_by_size(const ReportSection& section);

/// For each kernel a set over the elements: what each policy with each number of threads reached
/// (`scatter × 2`), and the limit of it. Records that failed are left out.
std::vector<CurveSet> size_sets(std::span<const Record> records);

/// For each kernel and size of the ladder a set over the running sums: what was reached, what was
/// predicted, and the plain loop and the library at the ends. Kernels without running sums have
/// none.
std::vector<CurveSet> ladder_sets(std::span<const Record> records);

}  // namespace kinjo
