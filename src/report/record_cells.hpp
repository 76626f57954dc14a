/// Cells of tables of records.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/record.hpp"

namespace kinjo {

/// A parameter, or a value of the result, as text; empty if there is none.
std::string parameter(const Record& record, const char* name);
std::string result(const Record& record, const char* name);

/// A number of the result, with so many decimals; `-` where there is none.
std::string number_cell(const Record& record, const char* name, int decimals);

/// A metric's median, with so many decimals; `-` where it was not measured.
std::string median_cell(const Record& record, const char* name, int decimals);

/// The same with as many more decimals as three significant digits take, for what may be small.
std::string fine_number_cell(const Record& record, const char* name, int decimals);
std::string fine_median_cell(const Record& record, const char* name, int decimals);

/// Median, bounds and best of a metric; empty cells where it was not measured.
void add_statistics(std::vector<std::string>& row, const Record& record, const char* name);
void add_statistics_header(std::vector<std::string>& header, const char* name);

/// Whether any of the records says if it is right; and what one says, for people and for programs.
bool any_verified(std::span<const Record> records);
std::string verified_cell(const Record& record);
std::string verified_value(const Record& record);

}  // namespace kinjo
