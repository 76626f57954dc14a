#include "paths_result.hpp"

#include <algorithm>
#include <map>
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

std::vector<Edge> edges_of(const PathsResult& result, const Set& member) {
  std::vector<Edge> edges;
  for (const paths::Item item : member) edges.push_back(result.family->edges()[item]);
  return edges;
}

/// The vertices of a path from `from`, or of a cycle from its lowest one to this again, of whose
/// two edges the earlier one is the first.
std::vector<Vertex> walk(const std::vector<Edge>& edges, std::optional<Vertex> from) {
  std::multimap<Vertex, const Edge*> of_vertex;
  for (const Edge& edge : edges) {
    of_vertex.emplace(edge.from, &edge);
    of_vertex.emplace(edge.to, &edge);
  }
  Vertex at = from.value_or(of_vertex.begin()->first);
  const Edge* last = nullptr;
  std::vector<Vertex> vertices{at};
  while (vertices.size() <= edges.size()) {
    auto next = of_vertex.lower_bound(at);
    if (next->second == last) ++next;
    last = next->second;
    at = last->from == at ? last->to : last->from;
    vertices.push_back(at);
  }
  return vertices;
}

/// Members as words: vertices of lines, edges of other sets.
class Words {
 public:
  explicit Words(const PathsResult& result) : result_(result) {
    if (!lists_vertices(result)) edges_ = edge_names(result);
  }

  std::vector<std::string> of(const Set& member) const {
    std::vector<std::string> words;
    if (lists_vertices(result_)) {
      for (const Vertex v : vertices_of(member)) words.push_back(network().name(v));
    } else {
      for (const paths::Item item : member) words.push_back(edges_[item]);
    }
    return words;
  }

  std::string line_of(const Set& member) const {
    return fmt::format("{}", fmt::join(of(member), " "));
  }

 private:
  const paths::Network& network() const { return result_.input.problem.network; }

  std::vector<Vertex> vertices_of(const Set& member) const {
    if (member.empty()) return {};
    const paths::Problem& problem = result_.input.problem;
    const bool open = problem.kind == Kind::hamiltonian_path ||
                      (problem.kind == Kind::path && problem.from != problem.to);
    return walk(edges_of(result_, member), open ? std::optional(problem.from) : std::nullopt);
  }

  const PathsResult& result_;
  std::vector<std::string> edges_;
};

Json members_json(const PathsResult& result) {
  const Words words(result);
  Json members = Json::array();
  for (const Set& member : *result.members) members.push_back(words.of(member));
  return members;
}

}  // namespace

bool lists_vertices(const PathsResult& result) {
  if (!result.family) return false;
  const Kind kind = result.input.problem.kind;
  return kind == Kind::path || kind == Kind::hamiltonian_path || kind == Kind::cycle ||
         kind == Kind::hamiltonian_cycle;
}

std::vector<std::string> edge_names(const PathsResult& result) {
  if (!result.family) return result.names;
  const auto& edges = result.family->edges();
  std::map<std::pair<Vertex, Vertex>, std::size_t> found;
  const auto ends = [](const Edge& edge) { return std::minmax(edge.from, edge.to); };
  for (const Edge& edge : edges) ++found[ends(edge)];
  const bool several = found.size() < edges.size();
  found.clear();
  std::vector<std::string> names;
  const paths::Network& network = result.input.problem.network;
  for (const Edge& edge : edges) {
    std::string name = fmt::format("{}-{}", network.name(edge.from), network.name(edge.to));
    if (several) name += fmt::format("-{}", found[ends(edge)]++);
    names.push_back(std::move(name));
  }
  return names;
}

std::string paths_text(const PathsResult& result) {
  if (result.members) {
    const Words words(result);
    std::string text;
    for (const Set& member : *result.members) text += words.line_of(member) + "\n";
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

std::string paths_json(const PathsResult& result) {
  Json json = record_json(result.record, Topology::this_machine());
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
    const Words words(result);
    Table table({"member"});
    for (const Set& member : *result.members) table.add({words.line_of(member)});
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

void tell(const PathsOptions& options, const PathsResult& result, const detail::Signals& signals) {
  // Many members take a while; a file is written whole even so.
  const detail::Signals::Ending ending(signals);
  options.output.write(options.format == Format::json  ? paths_json(result)
                       : options.format == Format::csv ? paths_csv(result)
                                                       : paths_text(result));
}

int end_interrupted(detail::Signals& signals, const char* what) {
  note(fmt::format("interrupted; {}", what));
  return 128 + signals.interrupted();
}

}  // namespace kinjo::cli
