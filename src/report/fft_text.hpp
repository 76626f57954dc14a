/// The records of Fourier transforms as tables.
#pragma once

#include <span>

#include "measure/record.hpp"
#include "report/table.hpp"

namespace kinjo {

/// A row for each record: medians of the rate, of its share of the limit, and of the times (S2's
/// tables 6 to 8); with a column `verified` if the records say.
Table fft_table(std::span<const Record> records);

/// A row for each record of complex transforms: milliseconds of each step of its sweeps in one
/// round, and how often the array's bytes moved (S2's tables 2 and 5).
Table fft_steps_table(std::span<const Record> records);

/// All of it for programs: medians with their bounds, numbers alone.
Table fft_csv(std::span<const Record> records);

}  // namespace kinjo
