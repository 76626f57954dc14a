/// Records of programs of cells, for people and for spreadsheets.
#pragma once

#include <span>
#include <vector>

#include <kinjo/mapping.hpp>

#include "measure/record.hpp"
#include "report/table.hpp"

namespace kinjo {

/// A ping-pong's ways and sizes: latency and bandwidth beside what is written by hand.
Table pingpong_table(std::span<const Record> records);
/// The forms of `gemm` or `scg` beside the same without communication.
Table cells_table(std::span<const Record> records);
/// What each cell did, in milliseconds; with its place where that is known (`mapping` not null).
Table cells_times_table(std::span<const Record> records, const Mapping* mapping);
/// All of them: a row for each record.
Table cells_csv(std::span<const Record> records);

}  // namespace kinjo
