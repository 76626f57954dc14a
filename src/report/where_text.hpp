/// What `kinjo where` found, on a screen.
#pragma once

#include <string>
#include <vector>

#include "report/where_report.hpp"

namespace kinjo {

/// A look in full: threads (folded by node where they are many), nodes, mappings, how local it is.
std::string look_text(const ProcessView& view, const WhereDetail& detail);

/// What changed since the look before: threads, pages by node, how local it is now.
std::string drift_text(const Drift& drift, const ProcessView& now, std::size_t look,
                       double seconds);

/// A line for each expectation, e.g. `as expected: node 0: >= 95 %, found 98.3 % (…)`.
std::string expectation_text(const WhereExpectation& checked);

/// Mappings by their memory, the largest first, at most `largest`.
std::vector<const MappingView*> largest_mappings(const MemoryView& memory,
                                                 std::optional<std::size_t> largest);

/// A mapping's name for people: the file, `[heap]`, `[stack]` or `anonymous`.
std::string mapping_name(const MappingView& mapping);

}  // namespace kinjo
