#include <kinjo/network.hpp>

#include <algorithm>
#include <unordered_set>

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
  LeftOut left_out;
  std::unordered_set<std::uint64_t> seen;
  std::erase_if(network.edges, [&](const Edge& e) {
    if (e.from == e.to) {
      ++left_out.loops;
      return true;
    }
    if (parallel == Parallel::keep) return false;
    const auto [low, high] = std::minmax(e.from, e.to);
    const bool is_new = seen.insert(std::uint64_t{low} << 32 | high).second;
    left_out.repeated += !is_new;
    return !is_new;
  });
  return left_out;
}

}  // namespace kinjo::paths
