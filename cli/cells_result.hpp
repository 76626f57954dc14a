/// What `kinjo cells` found, as text and pictures.
#pragma once

#include <string>
#include <vector>

#include <kinjo/mapping.hpp>

#include "command.hpp"
#include "measure/record.hpp"
#include "report/timeline.hpp"
#include "workload/cells_run.hpp"

namespace kinjo::cli {

/// Tables under a line that says what was run. `mapping` is null where a launcher has placed the
/// cells.
std::string cells_text(const std::vector<Record>& records, const CellsSettings& settings,
                       const CellsOutcome& outcome, const Mapping* mapping);

/// Who waited when in the last round of each form; none of a ping-pong.
std::vector<Timeline> cells_timelines(const CellsOutcome& outcome);

/// `gemm of 2048, 4 cells`: what a picture is of.
std::string cells_title(const CellsSettings& settings, const CellsOutcome& outcome);

}  // namespace kinjo::cli
