/// What a suite found, for people: one line for each workload.
#pragma once

#include <span>
#include <string>

#include <kinjo/topology.hpp>

#include "measure/profile.hpp"
#include "report/page.hpp"
#include "report/table.hpp"

namespace kinjo {

/// Workload × policy: the default's median, and of each policy's best configuration how many times
/// as good it is, with its number of threads: `▲ 1.31 (16)`. The marks are those of the report's
/// matrix: ▲ and ▼ are confirmed, `~` is not.
Table suite_table(std::span<const ReportSection> sections);

/// How to read it.
std::string suite_legend();

/// All sections in a sentence or two: where a placement is better than the default, and which.
std::string suite_summary(std::span<const ReportSection> sections, const Topology& machine);

/// A profile in one line: bandwidth, arithmetic and latency, as far as they were measured.
std::string profile_line(const MachineProfile& profile);

}  // namespace kinjo
