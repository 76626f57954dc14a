#include "report/blas1_text.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "measure/statistics.hpp"
#include "report/configuration.hpp"

namespace kinjo {

namespace {

constexpr const char* kMetrics[] = {"gflops", "bandwidth", "limit", "share"};
constexpr const char* kStatistics[] = {"median", "low", "high", "best"};

std::string parameter(const Record& record, const char* name) {
  return value_text_of(record.parameters, name).value_or("");
}

std::string result(const Record& record, const char* name) {
  return value_text_of(record.result, name).value_or("");
}

/// A number of the result, with so many decimals; `-` where there is none.
std::string number_cell(const Record& record, const char* name, int decimals) {
  const auto number = detail::parse_number<double>(result(record, name));
  return number ? fmt::format("{:.{}f}", *number, decimals) : "-";
}

std::string size_cell(const Record& record) {
  return detail::format_count(
      detail::parse_number<std::uint64_t>(parameter(record, "size")).value_or(0));
}

std::string median_cell(const Record& record, const char* name, int decimals) {
  const Metric* metric = measured(record, name);
  return metric ? fmt::format("{:.{}f}", summarize(metric->samples).median, decimals) : "-";
}

std::string limit_cell(const Record& record) {
  const Metric* limit = measured(record, "limit");
  return limit ? median_cell(record, "limit", 2) + ' ' + limit->unit : "-";
}

/// Median, bounds and best of a metric; empty cells where it was not measured.
void add_statistics(std::vector<std::string>& row, const Record& record, const char* name) {
  const Metric* metric = measured(record, name);
  const Summary s = metric ? summarize(metric->samples) : Summary{};
  for (const double value : {s.median, s.low, s.high, s.max}) {
    row.push_back(metric ? fmt::format("{}", value) : "");
  }
}

void add_statistics_header(std::vector<std::string>& header, const char* name) {
  for (const char* what : kStatistics) header.push_back(fmt::format("{}_{}", name, what));
}

/// What the rungs of one kernel and size share.
std::string ladder_heading(std::span<const Record> rungs) {
  const Record& first = rungs.front();
  std::string text =
      fmt::format("{} of {} doubles, {}: peak {} GFLOP/s, limit {} GFLOP/s",
                  parameter(first, "kernel"), size_cell(first), result(first, "level"),
                  number_cell(first, "peak_gflops", 2), number_cell(first, "limit_gflops", 2));
  for (const Record& rung : rungs) {
    const auto latency = detail::parse_number<double>(result(rung, "latency_cycles"));
    const auto ports = detail::parse_number<double>(result(rung, "ports"));
    if (!latency || !ports) continue;
    text += fmt::format(
        "\nan addition of vectors takes {:.1f} cycles, {:.1f} start in a cycle: {:.1f} "
        "vectors of sums keep the core busy",
        *latency, *ports, *latency * *ports);
    break;
  }
  return text + '\n';
}

Table ladder_table(std::span<const Record> rungs) {
  Table table({"rung", "GFLOP/s", "of peak", "predicted"});
  for (const Record& rung : rungs) {
    table.add({parameter(rung, "rung"), median_cell(rung, "gflops", 2),
               median_cell(rung, "share", 1) + " %", number_cell(rung, "predicted_gflops", 2)});
  }
  return table;
}

}  // namespace

Table blas1_table(std::span<const Record> records) {
  const bool verified =
      std::ranges::any_of(records, [](const Record& r) { return r.verified.has_value(); });
  std::vector<std::string> header = {"kernel",  "size", "in",    "policy",   "threads",
                                     "GFLOP/s", "GB/s", "limit", "of limit", "bound by"};
  if (verified) header.push_back("verified");
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row = {parameter(record, "kernel"),
                                    size_cell(record),
                                    result(record, "level"),
                                    record.policy,
                                    std::to_string(record.threads),
                                    median_cell(record, "gflops", 2),
                                    median_cell(record, "bandwidth", 2),
                                    limit_cell(record),
                                    median_cell(record, "share", 0) + " %",
                                    result(record, "bound_by")};
    if (verified) row.push_back(record.verified.value_or(false) ? "yes" : "NO");
    table.add(row);
  }
  return table;
}

Table blas1_csv(std::span<const Record> records) {
  std::vector<std::string> header = {"kernel", "size", "level", "policy", "threads", "calls"};
  for (const char* name : kMetrics) add_statistics_header(header, name);
  header.insert(header.end(), {"limit_unit", "bound_by", "verified"});
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row = {parameter(record, "kernel"),    parameter(record, "size"),
                                    result(record, "level"),        record.policy,
                                    std::to_string(record.threads), result(record, "calls")};
    for (const char* name : kMetrics) add_statistics(row, record, name);
    const Metric* limit = measured(record, "limit");
    row.push_back(limit ? limit->unit : "");
    row.push_back(result(record, "bound_by"));
    row.push_back(!record.verified ? "" : *record.verified ? "true" : "false");
    table.add(row);
  }
  return table;
}

std::string ladder_text(std::span<const Record> records) {
  std::string text;
  while (!records.empty()) {
    const Record& first = records.front();
    const auto end = std::ranges::find_if(records, [&](const Record& r) {
      return parameter(r, "kernel") != parameter(first, "kernel") ||
             parameter(r, "size") != parameter(first, "size");
    });
    const auto count = static_cast<std::size_t>(end - records.begin());
    if (!text.empty()) text += '\n';
    text += ladder_heading(records.first(count)) + ladder_table(records.first(count)).to_text();
    records = records.subspan(count);
  }
  return text;
}

Table ladder_csv(std::span<const Record> records) {
  std::vector<std::string> header = {"kernel", "size", "level", "rung"};
  add_statistics_header(header, "gflops");
  add_statistics_header(header, "share");
  constexpr const char* kResults[] = {"predicted_gflops", "latency_cycles", "ports", "peak_gflops",
                                      "limit_gflops"};
  header.insert(header.end(), std::begin(kResults), std::end(kResults));
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row = {parameter(record, "kernel"), parameter(record, "size"),
                                    result(record, "level"), parameter(record, "rung")};
    add_statistics(row, record, "gflops");
    add_statistics(row, record, "share");
    for (const char* name : kResults) row.push_back(result(record, name));
    table.add(row);
  }
  return table;
}

}  // namespace kinjo
