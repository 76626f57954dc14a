#include "report/sweep_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/statistics.hpp"

namespace kinjo {

namespace {

const char* status_of(const SweptSubject& swept, std::size_t c) {
  const auto& verdict = swept.section.verdict;
  if (!swept.outcome.trials[c].fault.empty()) return "out";
  if (c == 0) return "default";
  if (verdict && verdict->best == c) return verdict->recommends() ? "best" : "candidate";
  return "";
}

std::string policy_cell(const Configuration& configuration) {
  const std::string& name = configuration.mapping.policy().name();
  if (configuration.same_as.empty()) return name;
  return fmt::format("{} = {}", name, fmt::join(configuration.same_as, " = "));
}

std::string threads_cell(const Configuration& configuration) {
  return configuration.own_threads ? "its own" : std::to_string(configuration.mapping.size());
}

std::string gain_cell(const Trial& trial, const char* absent) {
  return trial.screened_gain && trial.fault.empty() ? fmt::format("{:.3f}", *trial.screened_gain)
                                                    : absent;
}

const Metric* find(const Record& record, const std::string& name) {
  for (const Metric& metric : record.metrics) {
    if (metric.name == name && !metric.samples.empty()) return &metric;
  }
  return nullptr;
}

Json verdict_json(const SweptSubject& swept, std::size_t first_record) {
  Json json = {{"workload", swept.section.workload}, {"metric", swept.metric}};
  if (const auto& v = swept.section.verdict) {
    json["better"] = v->better == Better::higher ? "higher" : "lower";
    json["baseline"] = first_record + v->baseline;
    json["best"] = first_record + v->best;
    json["pairs"] = v->pairs;
    json["gain"] = v->gain;
    json["low"] = v->low;
    json["high"] = v->high;
    json["least_gain"] = v->least_gain;
    json["differs"] = v->differs;
    json["recommends"] = v->recommends();
  }
  json["sentence"] = swept.section.sentence;
  json["lines"] = Json::object();
  for (const auto& [name, line] : swept.section.lines) json["lines"][name] = line;
  return json;
}

}  // namespace

Table sweep_table(const SweptSubject& swept) {
  const auto& records = swept.section.records;
  bool memory = false;
  for (const Record& record : records) memory = memory || !record.memory.empty();
  std::vector<std::string> header = {"policy", "threads"};
  if (memory) header.push_back("memory");
  header.insert(header.end(), {swept.metric, "spread", "x default", "samples", "status"});
  Table table(header);
  for (std::size_t c = 0; c < records.size(); ++c) {
    const Trial& trial = swept.outcome.trials[c];
    std::vector<std::string> row = {policy_cell(trial.configuration),
                                    threads_cell(trial.configuration)};
    if (memory) row.push_back(records[c].memory.empty() ? "inherited" : records[c].memory);
    if (const Metric* metric = find(records[c], swept.metric)) {
      const Summary s = summarize(metric->samples);
      row.push_back(fmt::format("{:.4g}", s.median));
      row.push_back(fmt::format("{:.4g} to {:.4g}", s.low, s.high));
    } else {
      row.insert(row.end(), {"-", "-"});
    }
    row.push_back(gain_cell(trial, "-"));
    row.push_back(std::to_string(
        trial.fault.empty() ? trial.screening.size() + trial.confirmation.size() : 0));
    row.push_back(trial.fault.empty() ? status_of(swept, c) : "out: " + trial.fault);
    table.add(row);
  }
  return table;
}

Table sweep_csv(std::span<const SweptSubject> all) {
  Table table({"workload", "policy", "same_as", "threads", "thread_count", "memory", "metric",
               "unit", "median", "low", "high", "min", "max", "samples", "screened_gain", "status",
               "fault"});
  for (const SweptSubject& swept : all) {
    for (std::size_t c = 0; c < swept.section.records.size(); ++c) {
      const Record& record = swept.section.records[c];
      const Trial& trial = swept.outcome.trials[c];
      const std::vector<std::string> begin = {
          swept.section.workload,
          record.policy,
          fmt::format("{}", fmt::join(trial.configuration.same_as, " ")),
          std::to_string(record.threads),
          trial.configuration.own_threads ? "its own" : "told",
          record.memory};
      const auto add = [&](std::vector<std::string> figures) {
        std::vector<std::string> row = begin;
        row.insert(row.end(), figures.begin(), figures.end());
        row.insert(row.end(), {gain_cell(trial, ""), status_of(swept, c), trial.fault});
        table.add(row);
      };
      for (const Metric& metric : record.metrics) {
        if (metric.samples.empty()) continue;
        const Summary s = summarize(metric.samples);
        add({metric.name, metric.unit, fmt::format("{}", s.median), fmt::format("{}", s.low),
             fmt::format("{}", s.high), fmt::format("{}", s.min), fmt::format("{}", s.max),
             std::to_string(s.count)});
      }
      if (record.metrics.empty()) add({swept.metric, "", "", "", "", "", "", "0"});
    }
  }
  return table;
}

Json sweep_json(std::span<const SweptSubject> all, const Topology& machine) {
  std::vector<Record> records;
  Json verdicts = Json::array();
  for (const SweptSubject& swept : all) {
    verdicts.push_back(verdict_json(swept, records.size()));
    for (Record record : swept.section.records) {
      std::erase_if(record.metrics, [](const Metric& m) { return m.samples.empty(); });
      records.push_back(std::move(record));
    }
  }
  Json json = records_json(records, machine);
  json["verdicts"] = std::move(verdicts);
  return json;
}

}  // namespace kinjo
