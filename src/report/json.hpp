/// The JSON that other programs rely on (docs/json.md).
#pragma once

#include <span>
#include <string>

#include <kinjo/audit.hpp>
#include <kinjo/mapping.hpp>
#include <kinjo/topology.hpp>
#include <nlohmann/json.hpp>

#include "measure/record.hpp"

namespace kinjo {

/// Members keep the order in which they are written.
using Json = nlohmann::ordered_json;

Json topology_json(const Topology& machine);                      ///< kinjo-topo/1
Json mapping_json(const Mapping& mapping);                        ///< kinjo-map/1
Json record_json(const Record& record, const Topology& machine);  ///< kinjo-record/1
/// kinjo-records/1
Json records_json(std::span<const Record> records, const Topology& machine);

/// Indented text with a newline at its end. Names that the system gives (a CPU's model, a path) may
/// hold any bytes; what is not UTF-8 becomes U+FFFD, so that the text is always valid JSON.
std::string json_text(const Json& json);

/// The members of a flat object but its schema as a table of one row, lists joined by blanks.
std::string json_csv(const Json& object);

}  // namespace kinjo
