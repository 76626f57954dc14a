#include "bfs_result.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "measure/statistics.hpp"
#include "report/configuration.hpp"
#include "report/json.hpp"
#include "report/table.hpp"

namespace kinjo::cli {

namespace {

/// Of more levels than this many the middle is left out.
constexpr std::size_t kShown = 24;

const char* name_of(graph::Crew crew) { return crew == graph::Crew::team ? "team" : "caller"; }

std::vector<std::string> row_of(std::size_t depth, const graph::Level& level) {
  return {std::to_string(depth), to_string(level.direction), name_of(level.crew),
          std::to_string(level.frontier), std::to_string(level.looked_at)};
}

Table levels_table(const std::vector<graph::Level>& levels, std::size_t begin, std::size_t end,
                   std::vector<std::string> header) {
  Table table(std::move(header));
  for (std::size_t depth = begin; depth < end; ++depth) table.add(row_of(depth, levels[depth]));
  return table;
}

std::string levels_text(const std::vector<graph::Level>& levels) {
  const std::size_t shown = std::min(levels.size(), kShown);
  std::string text =
      levels_table(levels, 0, shown, {"depth", "direction", "by", "frontier", "edges looked at"})
          .to_text();
  if (levels.size() == shown) return text;
  graph::EdgeCount vertices = 0, looked_at = 0;
  for (std::size_t depth = shown; depth < levels.size(); ++depth) {
    vertices += levels[depth].frontier;
    looked_at += levels[depth].looked_at;
  }
  return text + fmt::format("… {} more levels of {} vertices; {} edges looked at\n",
                            levels.size() - shown, vertices, looked_at);
}

std::string search_text(const BfsResult::Search& search, std::size_t threads) {
  const Summary time = summarize(search.seconds);
  std::string text =
      fmt::format("from {}: {} {} reached, eccentricity {}\n", search.root, search.found.reached,
                  search.found.reached == 1 ? "vertex" : "vertices", search.eccentricity());
  text += levels_text(search.found.levels);
  text += fmt::format(
      "{:.3f} ms with {} (median of {} search{}, {:.3f} to {:.3f}): {:.4g} MTEPS by "
      "{} edges\n",
      1e3 * time.median, thread_count(threads), time.count, time.count == 1 ? "" : "es",
      1e3 * time.min, 1e3 * time.max, search.teps(time.median) / 1e6, search.edges);
  if (search.verified.value_or(false)) text += "verified by the five checks of Graph500\n";
  return text;
}

Json search_json(const BfsResult::Search& search) {
  Json json = Json::object();
  json["root"] = search.root;
  json["reached"] = search.found.reached;
  json["eccentricity"] = search.eccentricity();
  json["edges"] = search.edges;
  const double median = summarize(search.seconds).median;
  json["seconds"] = {{"value", median}, {"unit", "s"}, {"samples", search.seconds}};
  std::vector<double> gteps;
  for (const double seconds : search.seconds) gteps.push_back(search.teps(seconds) / 1e9);
  json["gteps"] = {{"value", summarize(gteps).median}, {"unit", "GTEPS"}, {"samples", gteps}};
  json["levels"] = Json::array();
  for (const graph::Level& level : search.found.levels) {
    json["levels"].push_back({{"direction", to_string(level.direction)},
                              {"by", name_of(level.crew)},
                              {"frontier", level.frontier},
                              {"edges_looked_at", level.looked_at}});
  }
  if (search.verified) json["verified"] = *search.verified;
  return json;
}

}  // namespace

std::uint64_t BfsResult::Search::eccentricity() const {
  const auto& levels = found.levels;
  return levels.empty() ? 0 : levels.size() - 1;
}

double BfsResult::Search::teps(double of_seconds) const {
  return static_cast<double>(edges) / of_seconds;
}

/// A graph that is mapped has no memory of its own.
static std::string rows_text(std::uint64_t bytes) {
  return bytes == 0 ? "mapped" : fmt::format("{} in rows", detail::format_bytes(bytes));
}

static std::string ids_text(std::uint64_t below) {
  return below == 0 ? "" : fmt::format(" with edges, of ids below {}", below);
}

std::string bfs_text(const BfsResult& result) {
  std::string text = fmt::format(
      "{}: {} vertices{}, {} edges, {}, numbered by {}; {}\n"
      "  made ready in {:.3f} s, built in {:.3f} s\n",
      detail::printable(result.graph), result.vertices, ids_text(result.ids_below), result.edges,
      to_string(result.sense), to_string(result.order), rows_text(result.graph_bytes),
      result.read_seconds, result.build_seconds);
  return result.search ? text + search_text(*result.search, result.threads) : text;
}

std::string bfs_json(const BfsResult& result) {
  Json json = Json::object();
  json["schema"] = "kinjo-bfs/1";
  json["graph"] = result.graph;
  json["vertices"] = result.vertices;
  if (result.ids_below != 0) json["ids_below"] = result.ids_below;
  json["edges"] = result.edges;
  json["entries"] = result.entries;
  json["sense"] = to_string(result.sense);
  json["order"] = to_string(result.order);
  json["graph_bytes"] = result.graph_bytes;
  json["policy"] = result.policy;
  json["threads"] = result.threads;
  json["read_seconds"] = result.read_seconds;
  json["build_seconds"] = result.build_seconds;
  if (result.search) json["search"] = search_json(*result.search);
  return json_text(json);
}

std::string bfs_csv(const BfsResult& result) {
  const std::vector<graph::Level> none;
  const auto& levels = result.search ? result.search->found.levels : none;
  return levels_table(levels, 0, levels.size(),
                      {"depth", "direction", "by", "frontier", "edges_looked_at"})
      .to_csv();
}

}  // namespace kinjo::cli
