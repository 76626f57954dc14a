/// What figures and tables ask of the records of a sweep.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/record.hpp"

namespace kinjo {

/// Why the record's figures must not be compared: its computation's fault, or that it has no
/// samples. Nothing for a good record.
std::optional<std::string> failure_of(const Record& record);

/// The value of that name as text, or nothing.
std::optional<std::string> value_text_of(const Values& values, const std::string& name);

/// The metric of that name if it was measured and all its samples are finite, else null.
const Metric* measured(const Record& record, const std::string& metric);

/// The names of all metrics, in the order in which the records have them.
std::vector<std::string> metric_names(std::span<const Record> records);

/// The policies whose placement a record measured: its own, and those of its `result.same_as`
/// (names between blanks), which hold its threads to the same CPUs and so were not run again.
std::vector<std::string> policies_of(const Record& record);
bool stands_for(const Record& record, const std::string& policy);

/// The names of policies, each once: `none` and the named ones first, the others in the order in
/// which they come.
std::vector<std::string> ordered_policies(std::span<const std::string> names);

/// For each record what tells it from the others of its sweep besides policy and threads: the
/// memory policy and those parameters that differ, e.g. `memory interleave, size 4096`; empty if
/// nothing does.
std::vector<std::string> variants_of(std::span<const Record> records);

/// `1 thread`, `8 threads`.
std::string thread_count(std::size_t threads);

}  // namespace kinjo
