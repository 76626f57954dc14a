/// `kinjo topo --check`: what other sources than hwloc say about the machine.
#pragma once

#include <string>

#include "report/json.hpp"
#include "report/table.hpp"
#include "topology/cross_check.hpp"

namespace kinjo {

/// A row for each reader, a column for each relation: `agrees`, `DIFFERS`, or `-` where one of the
/// two does not tell.
Table check_table(const detail::CrossCheck& check);

/// The table, a line for each disagreement with the groups of both sides, and one for each reader
/// that had nothing to read.
std::string check_text(const detail::CrossCheck& check);

Json check_json(const detail::CrossCheck& check);  ///< kinjo-topo-check/1

}  // namespace kinjo
