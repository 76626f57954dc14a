#include "paths_result.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/json.hpp"
#include "report/table.hpp"

namespace kinjo::cli {

namespace {

using paths::Edge;
using paths::Kind;
using paths::Set;
using paths::Vertex;

bool is_line(Kind kind) {
  return kind == Kind::path || kind == Kind::hamiltonian_path || kind == Kind::cycle ||
         kind == Kind::hamiltonian_cycle;
}

std::vector<Edge> edges_of(const PathsResult& result, const Set& member) {
  std::vector<Edge> edges;
  for (const paths::Item item : member) edges.push_back(result.family->edges()[item]);
  return edges;
}

/// The vertices of a path from `from`, or of a cycle from its lowest one to this again.
std::vector<Vertex> walk(std::vector<Edge> edges, std::optional<Vertex> from) {
  Vertex at = edges.front().from;
  for (const Edge& edge : edges) at = std::min({at, edge.from, edge.to});
  if (from) at = *from;
  std::vector<Vertex> vertices{at};
  while (!edges.empty()) {
    const auto next = std::ranges::find_if(
        edges, [&](const Edge& edge) { return edge.from == at || edge.to == at; });
    at = next->from == at ? next->to : next->from;
    edges.erase(next);
    vertices.push_back(at);
  }
  return vertices;
}

std::vector<std::string> words_of(const PathsResult& result, const Set& member) {
  const paths::Problem& problem = result.input.problem;
  const auto edges = edges_of(result, member);
  std::vector<std::string> words;
  if (is_line(problem.kind) && !edges.empty()) {
    const bool open = problem.kind == Kind::hamiltonian_path ||
                      (problem.kind == Kind::path && problem.from != problem.to);
    for (const Vertex v : walk(edges, open ? std::optional(problem.from) : std::nullopt)) {
      words.push_back(problem.network.name(v));
    }
  } else {
    for (const Edge& edge : edges) {
      words.push_back(
          fmt::format("{}-{}", problem.network.name(edge.from), problem.network.name(edge.to)));
    }
  }
  return words;
}

Json members_json(const PathsResult& result) {
  Json members = Json::array();
  for (const Set& member : *result.members) members.push_back(words_of(result, member));
  return members;
}

}  // namespace

std::string paths_text(const PathsResult& result) {
  if (result.members) {
    std::string text;
    for (const Set& member : *result.members) {
      text += fmt::format("{}\n", fmt::join(words_of(result, member), " "));
    }
    return text;
  }
  if (!result.by_length.empty()) {
    std::string text;
    for (std::size_t length = 0; length < result.by_length.size(); ++length) {
      if (result.by_length[length] == Count()) continue;
      text += fmt::format("{} {}\n", length, result.by_length[length].to_string());
    }
    return text;
  }
  return result.run ? result.run->count.to_string() + "\n" : "";
}

std::string paths_json(const PathsResult& result, const Topology& machine) {
  Json json = record_json(result.record, machine);
  Json& found = json["result"];
  if (!result.by_length.empty()) {
    found["by_length"] = Json::array();
    for (const Count& count : result.by_length) found["by_length"].push_back(count.to_string());
  }
  if (result.members) found["members"] = members_json(result);
  return json_text(json);
}

std::string paths_csv(const PathsResult& result) {
  if (result.members) {
    Table table({"member"});
    for (const Set& member : *result.members) {
      table.add({fmt::format("{}", fmt::join(words_of(result, member), " "))});
    }
    return table.to_csv();
  }
  if (!result.by_length.empty()) {
    Table table({"length", "count"});
    for (std::size_t length = 0; length < result.by_length.size(); ++length) {
      table.add({std::to_string(length), result.by_length[length].to_string()});
    }
    return table.to_csv();
  }
  Table table({"count"});
  table.add({result.run->count.to_string()});
  return table.to_csv();
}

}  // namespace kinjo::cli
