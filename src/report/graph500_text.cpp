#include "report/graph500_text.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "report/configuration.hpp"
#include "report/record_cells.hpp"

namespace kinjo {

namespace {

/// Statistics, by the specification's names and the records'.
constexpr std::pair<const char*, const char*> kStatistics[] = {
    {"min", "min"},       {"firstquartile", "first_quartile"},
    {"median", "median"}, {"thirdquartile", "third_quartile"},
    {"max", "max"},       {"mean", "mean"},
    {"stddev", "stddev"}};

constexpr std::size_t kValueColumn = 32;

void add_line(std::string& text, const std::string& key, const std::string& value) {
  text += fmt::format("{:<{}}{}\n", key + ":", kValueColumn, value);
}

/// Seven digits are what clocks know.
std::string shown(const Record& record, const std::string& name) {
  const std::string value = result(record, name.c_str());
  return value.empty() ? "-" : fmt::format("{:.7g}", std::stod(value));
}

std::string only_sample(const Record& record, const char* metric) {
  return fmt::format("{:.7g}", find_metric(record, metric).samples.front());
}

void add_all(std::string& text, const Record& record, const char* prefix, const char* suffix,
             const char* name) {
  for (const auto& [key, part] : kStatistics) {
    add_line(text, fmt::format("{}{}_{}", prefix, key, suffix),
             shown(record, fmt::format("{}_{}", name, part)));
  }
}

/// The rule's parameters; for a graph from a file what they would be.
void add_graph(std::string& text, const Record& record) {
  std::string scale = parameter(record, "scale"), factor = parameter(record, "edgefactor");
  if (scale.empty()) {
    const double vertices = std::stod(result(record, "vertices"));
    scale = fmt::format("{}", std::ceil(std::log2(vertices)));
    factor = fmt::format("{:.4g}", std::stod(result(record, "edges")) / vertices);
  }
  add_line(text, "SCALE", scale);
  add_line(text, "edgefactor", factor);
}

/// TEPS have a harmonic mean alone, which version 3 marks.
void add_rates(std::string& text, const Record& record) {
  for (const auto& [key, part] : kStatistics) {
    if (std::string_view(part) == "mean") break;
    add_line(text, fmt::format("bfs  {}_TEPS", key), shown(record, fmt::format("teps_{}", part)));
  }
  text += fmt::format("{:<{}}!  {}\n", "bfs  harmonic_mean_TEPS:", kValueColumn - 3,
                      shown(record, "teps_harmonic_mean"));
  add_line(text, "bfs  harmonic_stddev_TEPS", shown(record, "teps_harmonic_stddev"));
}

}  // namespace

std::string graph500_text(const Record& record) {
  std::string text;
  add_line(text, "policy", record.policy);
  add_line(text, "num_threads", std::to_string(record.threads));
  add_graph(text, record);
  add_line(text, "NBFS", std::to_string(find_metric(record, "search").samples.size()));
  add_line(text, "graph_generation", only_sample(record, "generation"));
  add_line(text, "num_mpi_processes", "1");
  add_line(text, "construction_time", only_sample(record, "construction"));
  add_all(text, record, "bfs  ", "time", "time");
  add_all(text, record, "", "nedge", "nedge");
  add_rates(text, record);
  if (record.verified) add_all(text, record, "bfs  ", "validate", "validate");
  return text;
}

Table graph500_csv(std::span<const Record> records) {
  const char* const kResults[] = {"vertices", "edges", "graph_bytes", "teps_harmonic_mean",
                                  "teps_harmonic_stddev"};
  const char* const kMetrics[] = {"gteps", "search"};
  std::vector<std::string> header = {"scale",   "edgefactor", "roots",       "policy",
                                     "threads", "generation", "construction"};
  header.insert(header.end(), std::begin(kResults), std::end(kResults));
  for (const char* name : kMetrics) add_statistics_header(header, name);
  header.push_back("verified");
  Table table(header);
  for (const Record& record : records) {
    std::vector<std::string> row = {
        parameter(record, "scale"),         parameter(record, "edgefactor"),
        parameter(record, "roots"),         record.policy,
        std::to_string(record.threads),     only_sample(record, "generation"),
        only_sample(record, "construction")};
    for (const char* name : kResults) row.push_back(result(record, name));
    for (const char* name : kMetrics) add_statistics(row, record, name);
    row.push_back(verified_value(record));
    table.add(row);
  }
  return table;
}

}  // namespace kinjo
