#include "report/record_cells.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "measure/statistics.hpp"
#include "report/configuration.hpp"

namespace kinjo {

namespace {

std::string fine_text(double value, int decimals) {
  constexpr int kDigits = 3, kMost = 15;
  if (value == 0 || !std::isfinite(value)) return fmt::format("{:.{}f}", value, decimals);
  const int place =
      static_cast<int>(std::floor(std::log10(std::abs(value))));  // of the first digit
  return fmt::format("{:.{}f}", value, std::clamp(kDigits - 1 - place, decimals, kMost));
}

}  // namespace

std::string parameter(const Record& record, const char* name) {
  return value_text_of(record.parameters, name).value_or("");
}

std::string result(const Record& record, const char* name) {
  return value_text_of(record.result, name).value_or("");
}

std::string number_cell(const Record& record, const char* name, int decimals) {
  const auto number = detail::parse_number<double>(result(record, name));
  return number ? fmt::format("{:.{}f}", *number, decimals) : "-";
}

std::string median_cell(const Record& record, const char* name, int decimals) {
  const Metric* metric = measured(record, name);
  return metric ? fmt::format("{:.{}f}", summarize(metric->samples).median, decimals) : "-";
}

std::string fine_number_cell(const Record& record, const char* name, int decimals) {
  const auto number = detail::parse_number<double>(result(record, name));
  return number ? fine_text(*number, decimals) : "-";
}

std::string fine_median_cell(const Record& record, const char* name, int decimals) {
  const Metric* metric = measured(record, name);
  return metric ? fine_text(summarize(metric->samples).median, decimals) : "-";
}

void add_statistics(std::vector<std::string>& row, const Record& record, const char* name) {
  const Metric* metric = measured(record, name);
  const Summary s = metric ? summarize(metric->samples) : Summary{};
  for (const double value : {s.median, s.low, s.high, s.max}) {
    row.push_back(metric ? fmt::format("{}", value) : "");
  }
}

void add_statistics_header(std::vector<std::string>& header, const char* name) {
  for (const char* what : {"median", "low", "high", "best"})
    header.push_back(fmt::format("{}_{}", name, what));
}

bool any_verified(std::span<const Record> records) {
  return std::ranges::any_of(records, [](const Record& r) { return r.verified.has_value(); });
}

std::string verified_cell(const Record& record) {
  return record.verified.value_or(false) ? "yes" : "NO";
}

std::string verified_value(const Record& record) {
  return !record.verified ? "" : *record.verified ? "true" : "false";
}

}  // namespace kinjo
