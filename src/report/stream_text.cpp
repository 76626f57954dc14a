#include "report/stream_text.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "measure/statistics.hpp"
#include "report/record_cells.hpp"

namespace kinjo {

namespace {

/// In per cent.
std::string pages_cell(const Record& record) {
  const auto right = detail::parse_number<std::uint64_t>(result(record, "pages_as_asked"));
  const auto all = detail::parse_number<std::uint64_t>(result(record, "pages"));
  if (!right || !all) return "-";
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(*right) / static_cast<double>(*all));
}

}  // namespace

Table stream_table(std::span<const Record> records) {
  Table table({"policy", "threads", "copy", "scale", "add", "triad", "triad spread", "best triad",
               "pages as asked", "verified"});
  for (const Record& record : records) {
    const Summary triad = summarize(find_metric(record, "triad").samples);
    table.add({record.policy, std::to_string(record.threads), median_cell(record, "copy", 2),
               median_cell(record, "scale", 2), median_cell(record, "add", 2),
               fmt::format("{:.2f}", triad.median),
               fmt::format("{:.2f} to {:.2f}", triad.low, triad.high),
               fmt::format("{:.2f}", triad.max), pages_cell(record), verified_cell(record)});
  }
  return table;
}

Table stream_csv(std::span<const Record> records) {
  std::vector<std::string> header{"policy", "threads"};
  for (const Metric& metric : records.front().metrics) {
    add_statistics_header(header, metric.name.c_str());
  }
  header.insert(header.end(), {"pages", "pages_as_asked", "verified"});
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row{record.policy, std::to_string(record.threads)};
    for (const Metric& metric : record.metrics) add_statistics(row, record, metric.name.c_str());
    row.insert(row.end(),
               {result(record, "pages"), result(record, "pages_as_asked"), verified_value(record)});
    table.add(row);
  }
  return table;
}

}  // namespace kinjo
