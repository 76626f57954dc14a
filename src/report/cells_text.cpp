#include "report/cells_text.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "report/record_cells.hpp"

namespace kinjo {

namespace {

/// The parts of a cell's time, as their lists are named in a record's result.
constexpr const char* kParts[] = {"multiply", "compute", "put",   "halo",
                                  "wait",     "barrier", "reduce"};

/// A list by cell of the result, or null.
const std::vector<double>* by_cell(const Record& record, const std::string& part) {
  const std::string name = part + "_by_cell";
  for (const auto& [key, value] : record.result) {
    if (key == name) return std::get_if<Numbers>(&value);
  }
  return nullptr;
}

std::vector<std::string> parts_of(const Record& record) {
  std::vector<std::string> parts;
  for (const char* part : kParts) {
    if (by_cell(record, part)) parts.emplace_back(part);
  }
  return parts;
}

bool is_scg(std::span<const Record> records) {
  return !records.empty() && parameter(records.front(), "app") == "scg";
}

}  // namespace

Table pingpong_table(std::span<const Record> records) {
  Table table(
      {"bytes", "way", "latency, ns", "x by hand", "sender, ns", "receiver, ns", "GB/s", "x copy"});
  for (const Record& record : records) {
    table.add({parameter(record, "size"), parameter(record, "way"),
               median_cell(record, "latency_ns", 1), median_cell(record, "latency_to_hand", 3),
               median_cell(record, "send_overhead_ns", 1),
               median_cell(record, "receive_overhead_ns", 1), median_cell(record, "bandwidth", 3),
               median_cell(record, "bandwidth_to_copy", 3)});
  }
  return table;
}

Table cells_table(std::span<const Record> records) {
  const bool verified = any_verified(records);
  std::vector<std::string> header = {"form",    "GFLOP/s", "efficiency",
                                     "waiting", "seconds", "alone"};
  if (is_scg(records)) header.insert(header.end(), {"iterations", "error"});
  if (verified) header.push_back("verified");
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row = {parameter(record, "form"),
                                    median_cell(record, "gflops", 2),
                                    median_cell(record, "efficiency", 1) + " %",
                                    median_cell(record, "waiting", 1) + " %",
                                    median_cell(record, "seconds", 6),
                                    median_cell(record, "alone_seconds", 6)};
    if (is_scg(records)) {
      row.push_back(result(record, "iterations"));
      row.push_back(fmt::format("{:.2e}", std::stod(result(record, "error"))));
    }
    if (verified) row.push_back(verified_cell(record));
    table.add(row);
  }
  return table;
}

Table cells_times_table(std::span<const Record> records, const Mapping* mapping) {
  std::vector<std::string> header = {"form", "cell"};
  if (mapping != nullptr) header.insert(header.end(), {"CPU", "node"});
  const auto parts = records.empty() ? std::vector<std::string>() : parts_of(records.front());
  for (const std::string& part : parts) header.push_back(part + ", ms");
  Table table(header);
  for (const Record& record : records) {
    for (std::size_t c = 0; c < record.threads; ++c) {
      std::vector<std::string> row = {parameter(record, "form"), std::to_string(c)};
      if (mapping != nullptr) {
        row.push_back(std::to_string((*mapping)[c].cpu));
        row.push_back(std::to_string((*mapping)[c].node));
      }
      for (const std::string& part : parts) {
        const auto* list = by_cell(record, part);
        row.push_back(list && c < list->size() ? fmt::format("{:.3f}", 1e3 * (*list)[c]) : "-");
      }
      table.add(row);
    }
  }
  return table;
}

Table cells_csv(std::span<const Record> records) {
  std::vector<std::string> metrics;
  for (const Record& record : records) {
    for (const Metric& metric : record.metrics) {
      if (std::ranges::find(metrics, metric.name) == metrics.end()) metrics.push_back(metric.name);
    }
  }
  std::vector<std::string> header = {"app", "size", "way", "transport", "policy", "cells"};
  for (const std::string& name : metrics) add_statistics_header(header, name.c_str());
  header.push_back("verified");
  Table table(header);
  for (const Record& record : records) {
    const std::string way = parameter(record, "way");
    std::vector<std::string> row = {parameter(record, "app"),
                                    parameter(record, "size"),
                                    way.empty() ? parameter(record, "form") : way,
                                    parameter(record, "transport"),
                                    record.policy,
                                    std::to_string(record.threads)};
    for (const std::string& name : metrics) add_statistics(row, record, name.c_str());
    row.push_back(verified_value(record));
    table.add(row);
  }
  return table;
}

}  // namespace kinjo
