#include "report/gemm_text.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "report/record_cells.hpp"

namespace kinjo {

namespace {

constexpr const char* kMetrics[] = {"gflops", "cpu_gflops", "cpu_share",
                                    "limit",  "share",      "seconds"};
constexpr const char* kBytes[] = {"memory_bytes", "l3_bytes", "l2_bytes", "packed_bytes"};

std::string bytes_cell(const Record& record, const char* name) {
  const auto bytes = detail::parse_number<std::uint64_t>(result(record, name));
  return bytes ? detail::format_bytes(*bytes) : "-";
}

}  // namespace

Table gemm_table(std::span<const Record> records) {
  const bool verified = any_verified(records);
  std::vector<std::string> header = {"size",        "plan", "policy", "threads",  "GFLOP/s",
                                     "by CPU time", "busy", "limit",  "of limit", "seconds"};
  if (verified) header.push_back("verified");
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row = {parameter(record, "size"),
                                    result(record, "short_plan"),
                                    record.policy,
                                    std::to_string(record.threads),
                                    median_cell(record, "gflops", 2),
                                    median_cell(record, "cpu_gflops", 2),
                                    median_cell(record, "cpu_share", 1) + " %",
                                    median_cell(record, "limit", 2),
                                    median_cell(record, "share", 0) + " %",
                                    median_cell(record, "seconds", 6)};
    if (verified) row.push_back(verified_cell(record));
    table.add(row);
  }
  return table;
}

Table gemm_plans_table(std::span<const Record> records) {
  Table table({"size", "memory", "to L2", "to L1", "copied", "plan"});
  for (const Record& record : records) {
    std::vector<std::string> row = {parameter(record, "size")};
    for (const char* name : kBytes) row.push_back(bytes_cell(record, name));
    row.push_back(result(record, "plan"));
    if (std::ranges::find(table.rows(), row) == table.rows().end()) table.add(row);
  }
  return table;
}

Table gemm_csv(std::span<const Record> records) {
  std::vector<std::string> header = {"size", "plan", "policy", "threads", "tasks", "calls"};
  for (const char* name : kMetrics) add_statistics_header(header, name);
  header.insert(header.end(), std::begin(kBytes), std::end(kBytes));
  header.insert(header.end(), {"level", "verified"});
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row = {
        parameter(record, "size"),      result(record, "plan"),  record.policy,
        std::to_string(record.threads), result(record, "tasks"), result(record, "calls")};
    for (const char* name : kMetrics) add_statistics(row, record, name);
    for (const char* name : kBytes) row.push_back(result(record, name));
    row.push_back(result(record, "level"));
    row.push_back(verified_value(record));
    table.add(row);
  }
  return table;
}

}  // namespace kinjo
