/// Records of Graph500 in the form of its specification, and as tables.
#pragma once

#include <span>
#include <string>

#include "measure/record.hpp"
#include "report/table.hpp"

namespace kinjo {

/// `key: value` in a line each, with the keys of the reference code's version 3, and in front of
/// them who searched. Energy is left out, since nobody measured it.
std::string graph500_text(const Record& record);

/// A row for each record; for programs numbers alone.
Table graph500_csv(std::span<const Record> records);

}  // namespace kinjo
