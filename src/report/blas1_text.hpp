/// The records of BLAS-1 as tables.
#pragma once

#include <span>
#include <string>

#include "measure/record.hpp"
#include "report/table.hpp"

namespace kinjo {

/// A row for each record: medians, the limit, and the share that is reached; with a column
/// `verified` if the records say.
Table blas1_table(std::span<const Record> records);

/// The same for programs: medians with their bounds, numbers alone.
Table blas1_csv(std::span<const Record> records);

/// The ladder for people: for each kernel and size a sentence on what is needed, and its rungs.
std::string ladder_text(std::span<const Record> records);

/// A row for each rung.
Table ladder_csv(std::span<const Record> records);

}  // namespace kinjo
