#include "report/check_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/machine_text.hpp"

namespace kinjo {

namespace {

using detail::CrossCheck;
using detail::Groups;
using detail::ReaderCheck;
using detail::RelationCheck;

const RelationCheck* find(const ReaderCheck& reader, const std::string& relation) {
  const auto found =
      std::find_if(reader.relations.begin(), reader.relations.end(),
                   [&](const RelationCheck& check) { return check.relation == relation; });
  return found == reader.relations.end() ? nullptr : &*found;
}

/// `0-3 | 4-7 | … 14 more`
std::string groups_text(const Groups& groups) {
  constexpr std::size_t kShown = 4;
  if (groups.empty()) return "none of these";
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), kShown); ++i) {
    text += (i == 0 ? "" : " | ") + folded_list(groups[i]);
  }
  if (groups.size() > kShown) text += fmt::format(" | … {} more", groups.size() - kShown);
  return text;
}

Json groups_json(const Groups& groups) {
  Json json = Json::array();
  for (const CpuSet& group : groups) json.push_back(std::vector<int>(group.begin(), group.end()));
  return json;
}

Json reader_json(const ReaderCheck& reader) {
  Json relations = Json::array();
  for (const RelationCheck& relation : reader.relations) {
    relations.push_back({{"relation", relation.relation},
                         {"agrees", relation.agrees},
                         {"reader", groups_json(relation.reader)},
                         {"hwloc", groups_json(relation.hwloc)}});
  }
  const auto& reading = reader.reading;
  Json json = {{"reader", reading.reader}, {"source", reading.source}};
  json["obstacle"] = reading.obstacle.empty() ? Json(nullptr) : Json(reading.obstacle);
  json["agrees"] = reader.agrees();
  json["cpus"] = std::vector<int>(reading.cpus.begin(), reading.cpus.end());
  json["relations"] = std::move(relations);
  return json;
}

}  // namespace

Table check_table(const CrossCheck& check) {
  const auto relations = detail::relation_names(check);
  std::vector<std::string> header = {"reader"};
  header.insert(header.end(), relations.begin(), relations.end());
  header.push_back("from");
  Table table(header);
  for (const ReaderCheck& reader : check.readers) {
    std::vector<std::string> row = {reader.reading.reader};
    for (const std::string& name : relations) {
      const RelationCheck* relation = find(reader, name);
      row.push_back(!relation ? "-" : relation->agrees ? "agrees" : "DIFFERS");
    }
    row.push_back(detail::printable(reader.reading.source));
    table.add(std::move(row));
  }
  return table;
}

std::string check_text(const CrossCheck& check) {
  std::string text = fmt::format("{}: which CPUs lie together, by three sources beside hwloc\n",
                                 detail::printable(check.origin));
  text += check_table(check).to_text();
  for (const ReaderCheck& reader : check.readers) {
    const std::string& obstacle = reader.reading.obstacle;
    if (!obstacle.empty()) {
      text += fmt::format("{}: not available: {}\n", reader.reading.reader,
                          detail::printable(obstacle));
    }
    for (const RelationCheck& relation : reader.relations) {
      if (relation.agrees) continue;
      text +=
          fmt::format("{} differs in {}: {}; hwloc: {}\n", reader.reading.reader, relation.relation,
                      groups_text(relation.reader), groups_text(relation.hwloc));
    }
  }
  return text;
}

Json check_json(const CrossCheck& check) {
  Json readers = Json::array();
  for (const ReaderCheck& reader : check.readers) readers.push_back(reader_json(reader));
  return {{"schema", "kinjo-topo-check/1"},
          {"origin", check.origin},
          {"agrees", check.agrees()},
          {"readers", std::move(readers)}};
}

}  // namespace kinjo
