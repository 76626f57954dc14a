/// A sweep's results as a table, JSON and CSV.
#pragma once

#include <span>

#include <kinjo/topology.hpp>

#include "report/json.hpp"
#include "report/page.hpp"
#include "report/table.hpp"
#include "tune/sweep.hpp"

namespace kinjo {

/// What one subject's sweep came to: the raw trials beside what a report says of them.
struct SweptSubject {
  SweepOutcome outcome;
  ReportSection section;
  std::string metric;  ///< by which configurations were compared
};

/// One row for each configuration, for people: median and spread of the deciding metric, how many
/// times as good as the default it was in the screening, samples, and what became of it.
Table sweep_table(const SweptSubject& swept);

/// The same for programs, all subjects and metrics: one row for each configuration and metric.
Table sweep_csv(std::span<const SweptSubject> all);

/// kinjo-records/1 with a list `verdicts`, one for each subject (docs/json.md).
Json sweep_json(std::span<const SweptSubject> all, const Topology& machine);

}  // namespace kinjo
