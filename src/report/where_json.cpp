#include "report/where_json.hpp"

#include <fmt/format.h>

#include "observe/locality.hpp"
#include "report/machine_text.hpp"
#include "report/where_text.hpp"

namespace kinjo {

namespace {

template <class Value>
Json optional_json(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class Tag>
Json list_json(const IndexSet<Tag>& set) {
  Json list = Json::array();
  for (int member : set) list.push_back(member);
  return list;
}

Json thread_json(const ThreadView& thread) {
  return {{"tid", thread.tid},
          {"name", thread.name},
          {"state", std::string(1, thread.state)},
          {"running", thread.running},
          {"cpu", thread.cpu},
          {"node", thread.node},
          {"allowed_cpus", list_json(thread.allowed_cpus)},
          {"allowed_nodes", list_json(thread.allowed_nodes)},
          {"migrations", optional_json(thread.migrations)},
          {"cpu_changes", thread.cpu_changes},
          {"numa_pages_migrated", optional_json(thread.numa_pages_migrated)},
          {"cpu_time_ns", thread.cpu_time_ns}};
}

Json bytes_json(const NodeBytes& bytes) {
  Json json = Json::object();
  for (const auto& [node, n] : bytes) json[std::to_string(node)] = n;
  return json;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Json memory_json(const MemoryView& memory, const WhereDetail& detail) {
  Json nodes = Json::array(), mappings = Json::array();
  for (const auto& [node, bytes] : memory.bytes) {
    nodes.push_back({{"node", node}, {"bytes", bytes}, {"share", share(bytes, memory.total())}});
  }
  for (const MappingView* mapping : largest_mappings(memory, detail.largest)) {
    mappings.push_back({{"address", fmt::format("{:x}", mapping->begin)},
                        {"name", mapping->name},
                        {"policy", mapping->policy},
                        {"page_bytes", mapping->page_bytes},
                        {"bytes", total_bytes(mapping->bytes)},
                        {"nodes", bytes_json(mapping->bytes)}});
  }
  return {{"source", to_string(memory.source)},      {"bytes", memory.total()},
          {"unknown_bytes", memory.unknown_bytes},   {"nodes", std::move(nodes)},
          {"mapping_count", memory.mappings.size()}, {"mappings", std::move(mappings)}};
}

Json locality_json(const ProcessView& view) {
  const auto local = locality(view);
  if (!local) return nullptr;
  return {{"none_running", local->none_running},
          {"near", local->near},
          {"if_shared", local->if_shared},
          {"if_divided", local->if_divided}};
}

Json drift_json(const Drift& drift) {
  Json json = {{"seconds", drift.seconds},
               {"threads", Json::array()},
               {"started", drift.started},
               {"ended", drift.ended},
               {"migrations", optional_json(drift.migrations)},
               {"memory", Json::object()},
               {"moved_bytes", drift.moved_bytes},
               {"numa_pages_migrated", optional_json(drift.numa_pages_migrated)}};
  for (const ThreadDrift& thread : drift.threads) {
    json["threads"].push_back(
        {{"tid", thread.tid},
         {"name", thread.name},
         {"cpu", {thread.cpu_before, thread.cpu_now}},
         {"node", {thread.node_before, thread.node_now}},
         {"allowed_cpus", {list_json(thread.allowed_before), list_json(thread.allowed_now)}}});
  }
  for (const auto& [node, bytes] : drift.memory) json["memory"][std::to_string(node)] = bytes;
  return json;
}

double seconds_of(const WhereReport& report, const WhereLook& look) {
  return std::chrono::duration<double>(look.view.when - report.looks[0].view.when).count();
}

Json look_json(const WhereReport& report, const WhereLook& look, const WhereDetail& detail) {
  Json json = {{"seconds", seconds_of(report, look)}, {"threads", Json::array()}};
  for (const ThreadView& thread : look.view.threads) json["threads"].push_back(thread_json(thread));
  json["memory"] = look.view.memory ? memory_json(*look.view.memory, detail) : Json(nullptr);
  json["locality"] = locality_json(look.view);
  json["drift"] = look.drift ? drift_json(*look.drift) : Json(nullptr);
  json["missing"] = look.view.missing;
  return json;
}

Json expectation_json(const WhereExpectation& checked) {
  const auto verdict = checked.finding.verdict;
  return {{"expectation", checked.expectation.to_string()},
          {"satisfied", verdict == Finding::Verdict::unknown
                            ? Json(nullptr)
                            : Json(verdict == Finding::Verdict::satisfied)},
          {"percent", optional_json(checked.finding.percent)},
          {"found", checked.finding.found},
          {"look", checked.look}};
}

/// The rows of one look.
class Rows {
 public:
  Rows(Table& table, std::size_t look, double seconds)
      : table_(table), look_(std::to_string(look)), seconds_(fmt::format("{:.3f}", seconds)) {}

  void add(const ThreadView& thread) {
    table_.add({look_, seconds_, "thread", std::to_string(thread.tid), thread.name,
                std::string(1, thread.state), thread.running ? "true" : "false",
                std::to_string(thread.cpu), std::to_string(thread.node),
                thread.allowed_cpus.to_string(),
                thread.migrations ? std::to_string(*thread.migrations) : "", "", ""});
  }
  void add(int node, std::uint64_t bytes, std::uint64_t whole) {
    table_.add({look_, seconds_, "node", std::to_string(node), "", "", "", "", std::to_string(node),
                "", "", std::to_string(bytes), fmt::format("{:.6f}", share(bytes, whole))});
  }
  /// A row for each node that holds a part of it; the share is of the mapping.
  void add(const MappingView& mapping) {
    const std::uint64_t whole = total_bytes(mapping.bytes);
    for (const auto& [node, bytes] : mapping.bytes) {
      table_.add({look_, seconds_, "mapping", fmt::format("{:x}", mapping.begin), mapping.name, "",
                  "", "", std::to_string(node), "", "", std::to_string(bytes),
                  fmt::format("{:.6f}", share(bytes, whole))});
    }
  }

 private:
  Table& table_;
  std::string look_, seconds_;
};

}  // namespace

Json where_json(const WhereReport& report, const WhereDetail& detail) {
  const ProcessView& first = report.looks[0].view;
  Json json = {{"schema", "kinjo-where/1"},
               {"pid", first.pid},
               {"name", first.name},
               {"command", report.command},
               {"numa_balancing", optional_json(report.numa_balancing)},
               {"looks", Json::array()},
               {"expectations", Json::array()}};
  for (const WhereLook& look : report.looks) {
    json["looks"].push_back(look_json(report, look, detail));
  }
  for (const WhereExpectation& checked : report.expectations) {
    json["expectations"].push_back(expectation_json(checked));
  }
  return json;
}

Table where_table(const WhereReport& report, const WhereDetail& detail) {
  Table table({"look", "seconds", "kind", "id", "name", "state", "running", "cpu", "node",
               "allowed_cpus", "migrations", "bytes", "share"});
  for (std::size_t i = 0; i < report.looks.size(); ++i) {
    const ProcessView& view = report.looks[i].view;
    Rows rows(table, i, seconds_of(report, report.looks[i]));
    for (const ThreadView& thread : view.threads) rows.add(thread);
    if (!view.memory) continue;
    for (const auto& [node, bytes] : view.memory->bytes) {
      rows.add(node, bytes, view.memory->total());
    }
    for (const MappingView* mapping : largest_mappings(*view.memory, detail.largest)) {
      rows.add(*mapping);
    }
  }
  return table;
}

}  // namespace kinjo
