#include "report/json.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <kinjo/simd.hpp>

#include "measure/statistics.hpp"
#include "report/table.hpp"

namespace kinjo {

namespace {

template <class Tag>
Json list_json(const IndexSet<Tag>& set) {
  Json list = Json::array();
  for (int member : set) list.push_back(member);
  return list;
}

Json cpu_json(const Cpu& cpu) {
  return {{"cpu", cpu.cpu},   {"logical", cpu.logical}, {"package", cpu.package},
          {"node", cpu.node}, {"core", cpu.core},       {"smt", cpu.smt},
          {"kind", cpu.kind}, {"allowed", cpu.allowed}};
}

Json node_json(const Node& node) {
  Json distances = Json::object();
  for (const auto& [to, distance] : node.distances) distances[std::to_string(to)] = distance;
  Json json = {{"node", node.node}, {"cpus", list_json(node.cpus)}};
  json["memory_bytes"] = node.memory_bytes ? Json(*node.memory_bytes) : Json(nullptr);
  json["memory_kind"] = to_string(node.memory_kind);
  json["allowed"] = node.allowed;
  json["distances"] = std::move(distances);
  return json;
}

Json cache_json(const Cache& cache) {
  const char* type = cache.type == Cache::Type::data          ? "data"
                     : cache.type == Cache::Type::instruction ? "instruction"
                                                              : "unified";
  return {{"level", cache.level},
          {"type", type},
          {"size_bytes", cache.size_bytes},
          {"line_bytes", cache.line_bytes},
          {"cpus", list_json(cache.cpus)}};
}

Json values_json(const Values& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) {
    std::visit([&, &key = name](const auto& v) { json[key] = v; }, value);
  }
  return json;
}

Json metric_json(const Metric& metric) {
  const Summary summary = summarize(metric.samples);
  return {{"value", summary.median},  {"unit", metric.unit}, {"min", summary.min},
          {"max", summary.max},       {"low", summary.low},  {"high", summary.high},
          {"samples", metric.samples}};
}

Json pages_json(std::span<const NodePages> nodes) {
  Json list = Json::array();
  for (const NodePages& n : nodes) {
    list.push_back(
        {{"node", n.node}, {"asked", n.asked}, {"there", n.there}, {"as_asked", n.as_asked}});
  }
  return list;
}

/// Enough to tell machines apart beside a result.
Json machine_json(const Topology& machine) {
  Json models = Json::array();
  for (const Package& package : machine.packages()) {
    if (models.empty() || models.back() != package.model) models.push_back(package.model);
  }
  return {{"packages", machine.packages().size()},
          {"nodes", machine.nodes().size()},
          {"cpus", machine.cpus().size()},
          {"allowed_cpus", machine.allowed_cpus().to_string()},
          {"last_level_cache_bytes", machine.last_level_cache_bytes()},
          {"models", std::move(models)}};
}

/// The vector instructions of this CPU's kernels.
Json simd_json() {
  Json levels = Json::array();
  for (SimdLevel level : simd_levels()) levels.push_back(to_string(level));
  return {{"level", to_string(simd_level())}, {"levels", std::move(levels)}};
}

}  // namespace

Json topology_json(const Topology& machine) {
  Json json = {{"schema", "kinjo-topo/1"}, {"origin", machine.origin()}};
  for (const char* key : {"packages", "nodes", "cpus", "caches", "core_kinds"}) {
    json[key] = Json::array();
  }
  for (const Package& p : machine.packages()) {
    json["packages"].push_back(
        {{"package", p.package}, {"model", p.model}, {"cpus", list_json(p.cpus)}});
  }
  for (const Node& node : machine.nodes()) json["nodes"].push_back(node_json(node));
  for (const Cpu& cpu : machine.cpus()) json["cpus"].push_back(cpu_json(cpu));
  for (const Cache& cache : machine.caches()) json["caches"].push_back(cache_json(cache));
  for (const CoreKind& kind : machine.core_kinds()) {
    json["core_kinds"].push_back(
        {{"name", kind.name}, {"efficiency", kind.efficiency}, {"cpus", list_json(kind.cpus)}});
  }
  json["allowed_cpus"] = list_json(machine.allowed_cpus());
  json["allowed_nodes"] = list_json(machine.allowed_nodes());
  json["nodes_span_packages"] = machine.nodes_span_packages();
  json["cpu_quota"] = machine.cpu_quota() ? Json(*machine.cpu_quota()) : Json(nullptr);
  const Support& support = machine.support();
  json["support"] = {{"this_machine", support.this_machine},
                     {"bind_threads", support.bind_threads},
                     {"bind_memory", support.bind_memory},
                     {"query_pages", support.query_pages}};
  json["simd"] = support.this_machine ? simd_json() : Json(nullptr);
  return json;
}

Json mapping_json(const Mapping& mapping) {
  Json json = {{"schema", "kinjo-map/1"},
               {"policy", mapping.policy().name()},
               {"rounds", mapping.rounds()},
               {"threads", Json::array()}};
  for (const Place& p : mapping) {
    json["threads"].push_back({{"thread", p.thread},
                               {"cpu", p.cpu},
                               {"node", p.node},
                               {"package", p.package},
                               {"core", p.core},
                               {"smt", p.smt},
                               {"rank_in_node", p.rank_in_node},
                               {"node_threads", p.node_threads}});
  }
  return json;
}

Json record_json(const Record& record, const Topology& machine) {
  Json json = {{"schema", "kinjo-record/1"},
               {"workload", record.workload},
               {"parameters", values_json(record.parameters)},
               {"policy", record.policy},
               {"threads", record.threads},
               {"metrics", Json::object()}};
  if (!record.memory.empty()) json["memory"] = record.memory;
  for (const Metric& metric : record.metrics) json["metrics"][metric.name] = metric_json(metric);
  if (record.verified) json["verified"] = *record.verified;
  json["result"] = values_json(record.result);
  if (!record.pages.empty()) json["result"]["pages_by_node"] = pages_json(record.pages);
  json["machine"] = machine_json(machine);
  return json;
}

Json records_json(std::span<const Record> records, const Topology& machine) {
  Json json = {{"schema", "kinjo-records/1"}, {"records", Json::array()}};
  for (const Record& record : records) json["records"].push_back(record_json(record, machine));
  return json;
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string json_csv(const Json& object) {
  const auto cell = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  std::vector<std::string> heads, row;
  for (const auto& [name, value] : object.items()) {
    if (name == "schema") continue;
    heads.push_back(name);
    std::vector<std::string> cells;
    if (value.is_array()) {
      for (const Json& each : value) cells.push_back(cell(each));
    } else {
      cells.push_back(cell(value));
    }
    row.push_back(fmt::format("{}", fmt::join(cells, " ")));
  }
  Table table(heads);
  table.add(row);
  return table.to_csv();
}

}  // namespace kinjo
