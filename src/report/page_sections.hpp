/// The parts of a report, each as HTML from its heading on; a part without any is left out.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/page.hpp"

namespace kinjo {

/// Whether the report has sections of placements, or none at all; and not only kernels by size.
bool has_placements(const Report& report);

/// The policies of all sections, as `ordered_policies` orders them.
std::vector<std::string> page_policies(std::span<const ReportSection> sections);

/// Title, the verdicts in words, machine, date and command.
std::string head_section(const Report& report);
/// Workload × policy, what failed and why, and all configurations.
std::string verdict_section(const Report& report);
/// The machine with each policy's threads on it.
std::string machine_section(const Report& report);
/// Node × node latency and bandwidth.
std::string nodes_section(const Report& report);
/// Kernels beside their limit, by size. Nothing where no section has any.
std::string sizes_section(const Report& report);
/// What transforms take and move, step by step. Nothing where no section has any.
std::string steps_section(const Report& report);
/// Who waits when. Nothing where no section has a picture of it.
std::string waits_section(const Report& report);
/// Curves over threads.
std::string curves_section(const Report& report);
/// Curves over the sizes of graphs by a rule. Nothing where none has several.
std::string graphs_section(const Report& report);
/// The roofline with the workloads' points.
std::string roofline_section(const Report& report);
/// Where pages were.
std::string pages_section(const Report& report);
/// Which share of bytes is local, as the laboratory has counted it. Nothing without counts.
std::string shares_section(const Report& report);
/// How to make the report again, the lines to paste, and the raw records.
std::string repeat_section(const Report& report);

}  // namespace kinjo
