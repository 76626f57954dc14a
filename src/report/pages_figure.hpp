/// Where pages were, beside where they were asked to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/record.hpp"
#include "report/picture.hpp"

namespace kinjo {

/// Two bars for each configuration of a workload, one of what was asked and one of what was found,
/// in parts by node. Drawn for the most threads of each policy and variant; the table holds all.
/// Nothing where no record knows its pages.
std::optional<Picture> pages_picture(const std::string& workload, std::span<const Record> records);

}  // namespace kinjo
