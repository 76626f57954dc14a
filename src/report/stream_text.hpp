/// The records of STREAM as tables.
#pragma once

#include <span>

#include "measure/record.hpp"
#include "report/table.hpp"

namespace kinjo {

/// A row for each record: medians in GB/s, Triad's bounds and best, the share of pages that lie
/// where they were asked for (`-` where nothing was asked), and whether the results are right.
Table stream_table(std::span<const Record> records);

/// The same for programs: medians with their bounds and the best, pages as numbers. Not of no
/// record.
Table stream_csv(std::span<const Record> records);

}  // namespace kinjo
