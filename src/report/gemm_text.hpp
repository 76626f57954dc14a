/// The records of matrix products as tables.
#pragma once

#include <span>
#include <string>

#include "measure/record.hpp"
#include "report/table.hpp"

namespace kinjo {

/// A row for each record: medians of the rates by elapsed and by CPU time, and of the share of the
/// limit; with a column `verified` if the records say.
Table gemm_table(std::span<const Record> records);

/// A row for each size and plan: what it moves as it predicts, and all of its loops.
Table gemm_plans_table(std::span<const Record> records);

/// All of it for programs: medians with their bounds, numbers alone.
Table gemm_csv(std::span<const Record> records);

}  // namespace kinjo
