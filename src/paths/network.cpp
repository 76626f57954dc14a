#include <kinjo/network.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>

#include "base/text.hpp"

namespace kinjo::paths {

namespace {

/// What names there are: `16 vertices, 0 to 15`, `2 vertices, 'a' and 'b'`.
std::string known_names(const Network& network) {
  constexpr Vertex kExamples = 3;
  const Vertex n = network.vertices;
  if (n == 0) return "no vertices";
  const auto name = [&](Vertex v) {
    const std::string text = kinjo::detail::printable(network.name(v));
    return network.names.empty() ? text : "'" + text + "'";
  };
  std::string known = fmt::format("{} {}, ", n, n == 1 ? "vertex" : "vertices");
  if (network.names.empty()) return known + name(0) + (n == 1 ? "" : " to " + name(n - 1));
  if (n > kExamples) known += "such as ";
  const Vertex shown = std::min(n, kExamples);
  for (Vertex v = 0; v < shown; ++v) {
    if (v > 0) known += v + 1 == shown ? " and " : ", ";
    known += name(v);
  }
  return known;
}

}  // namespace

std::string Network::name(Vertex v) const {
  return names.empty() ? std::to_string(std::uint64_t{first_number} + v) : names[v];
}

Vertex Network::vertex(std::string_view name) const {
  if (names.empty()) {
    const auto number = kinjo::detail::parse_number<std::uint64_t>(name);
    if (number && *number >= first_number && *number - first_number < vertices) {
      const auto v = static_cast<Vertex>(*number - first_number);
      if (this->name(v) == name) return v;
    }
  } else if (const auto found = std::ranges::find(names, name); found != names.end()) {
    return static_cast<Vertex>(found - names.begin());
  }
  throw Error(Errc::not_found, fmt::format("there is no vertex '{}' (the graph has {})",
                                           kinjo::detail::printable(name), known_names(*this)));
}

LeftOut tidy(Network& network, Parallel parallel) {
  std::vector<Edge>& edges = network.edges;
  LeftOut left_out{.loops = std::erase_if(edges, [](const Edge& e) { return e.from == e.to; })};
  if (parallel == Parallel::keep) return left_out;
  std::vector<std::pair<std::uint64_t, std::size_t>> by_ends;  // and, of the same, by place
  by_ends.reserve(edges.size());
  for (const Edge& e : edges) {
    const auto [low, high] = std::minmax(e.from, e.to);
    by_ends.emplace_back(std::uint64_t{low} << 32 | high, by_ends.size());
  }
  std::ranges::sort(by_ends);
  std::vector<bool> is_repeated(edges.size());
  for (std::size_t i = 1; i < by_ends.size(); ++i) {
    if (by_ends[i].first == by_ends[i - 1].first) is_repeated[by_ends[i].second] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!is_repeated[i]) edges[kept++] = edges[i];
  }
  left_out.repeated = edges.size() - kept;
  edges.resize(kept);
  return left_out;
}

}  // namespace kinjo::paths
