#include "report/fft_text.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/record_cells.hpp"

namespace kinjo {

namespace {

constexpr const char* kMetrics[] = {"mflops",  "limit",     "share",
                                    "seconds", "memory_ms", "compute_ms"};
constexpr const char* kSteps[] = {"load", "compute", "store"};
constexpr const char* kParameters[] = {"size", "precision", "numbers",  "place",
                                       "data", "deal",      "in_cache", "overlap"};

std::string value_name(const char* step, std::size_t sweep, const char* unit) {
  return fmt::format("{}_{}_{}", step, sweep, unit);
}

/// The most sweeps of any record.
std::size_t sweeps_of(std::span<const Record> records) {
  std::size_t sweeps = 0;
  for (const Record& record : records) {
    while (!result(record, value_name("load", sweeps + 1, "ms").c_str()).empty()) ++sweeps;
  }
  return sweeps;
}

std::string shared(const Record& record) {
  return fmt::format("{}, {} place", parameter(record, "numbers"),
                     parameter(record, "place") == "in" ? "in" : "out of");
}

}  // namespace

Table fft_table(std::span<const Record> records) {
  const bool verified = any_verified(records);
  std::vector<std::string> header = {"size",    "numbers",  "policy",  "threads",   "data",
                                     "MFLOP/s", "of limit", "seconds", "memory ms", "compute ms"};
  if (verified) header.push_back("verified");
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row = {parameter(record, "size"),
                                    shared(record),
                                    record.policy,
                                    std::to_string(record.threads),
                                    parameter(record, "data"),
                                    median_cell(record, "mflops", 0),
                                    median_cell(record, "share", 0) + " %",
                                    fine_median_cell(record, "seconds", 6),
                                    fine_median_cell(record, "memory_ms", 3),
                                    fine_median_cell(record, "compute_ms", 3)};
    if (verified) row.push_back(verified_cell(record));
    table.add(row);
  }
  return table;
}

Table fft_steps_table(std::span<const Record> records) {
  const std::size_t sweeps = sweeps_of(records);
  std::vector<std::string> header = {"size", "policy", "threads", "data"};
  for (std::size_t s = 1; s <= sweeps; ++s) {
    for (const char* step : kSteps) header.push_back(fmt::format("{} {}", step, s));
  }
  header.push_back("moved");
  Table table(header);
  for (const Record& record : records) {
    if (result(record, "moved_arrays").empty()) continue;
    std::vector<std::string> row = {parameter(record, "size"), record.policy,
                                    std::to_string(record.threads), parameter(record, "data")};
    for (std::size_t s = 1; s <= sweeps; ++s) {
      for (const char* step : kSteps) {
        row.push_back(fine_number_cell(record, value_name(step, s, "ms").c_str(), 3));
      }
    }
    row.push_back(number_cell(record, "moved_arrays", 2) + " arrays");
    table.add(row);
  }
  return table;
}

Table fft_csv(std::span<const Record> records) {
  const std::size_t sweeps = sweeps_of(records);
  std::vector<std::string> header(std::begin(kParameters), std::end(kParameters));
  header.insert(header.end(), {"policy", "threads"});
  for (const char* name : kMetrics) add_statistics_header(header, name);
  std::vector<std::string> names = {"moved_bytes"};
  for (std::size_t s = 1; s <= sweeps; ++s) {
    for (const char* step : kSteps) {
      names.push_back(value_name(step, s, "ms"));
      names.push_back(value_name(step, s, "bytes"));
    }
  }
  header.insert(header.end(), names.begin(), names.end());
  header.insert(header.end(), {"level", "verified"});
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row;
    for (const char* name : kParameters) row.push_back(parameter(record, name));
    row.insert(row.end(), {record.policy, std::to_string(record.threads)});
    for (const char* name : kMetrics) add_statistics(row, record, name);
    for (const std::string& name : names) row.push_back(result(record, name.c_str()));
    row.insert(row.end(), {result(record, "level"), verified_value(record)});
    table.add(row);
  }
  return table;
}

}  // namespace kinjo
