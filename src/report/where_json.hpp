/// What `kinjo where` found, for programs (docs/json.md).
#pragma once

#include "report/json.hpp"
#include "report/table.hpp"
#include "report/where_report.hpp"

namespace kinjo {

Json where_json(const WhereReport& report, const WhereDetail& detail);  ///< kinjo-where/1

/// One row for each thread, node and mapping of each look; cells that a kind has no use for are
/// empty.
Table where_table(const WhereReport& report, const WhereDetail& detail);

}  // namespace kinjo
