/// What came of programs of cells, as records.
#pragma once

#include <string>
#include <vector>

#include <kinjo/mapping.hpp>

#include "measure/record.hpp"
#include "workload/cells_run.hpp"
#include "workload/subject.hpp"

namespace kinjo {

/// The metrics of a program's records (docs/json.md); the first decides.
std::vector<MetricKind> cells_metrics(CellsApp app);

Values cells_parameters(const CellsSettings& settings, comm::Form form);

/// A record for each form; of a ping-pong, for each way and size. `policy` is that of the cells'
/// places, or says who has placed them.
std::vector<Record> cells_records(const CellsSettings& settings, const CellsOutcome& outcome,
                                  const std::string& policy);

}  // namespace kinjo
