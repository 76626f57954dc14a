#include "workload/paths_input.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/grid_paths.hpp>

#include "base/text.hpp"
#include "paths/memory_bound.hpp"
#include "paths/reach.hpp"
#include "workload/choose.hpp"

namespace kinjo {

namespace {

using paths::Kind;
using paths::Network;
using paths::Problem;
using paths::Vertex;

bool has_ends(Kind kind) { return kind == Kind::path || kind == Kind::hamiltonian_path; }

std::vector<Vertex> vertices_of(const Network& network, const std::vector<std::string>& names) {
  std::vector<Vertex> vertices;
  for (const std::string& name : names) vertices.push_back(network.vertex(name));
  return vertices;
}

Vertex end_of(const PathsSettings& settings, const Network& network, const std::string& name,
              const char* option, Vertex of_rule) {
  if (!name.empty()) return network.vertex(name);
  if (paths::is_rule(settings.graph)) return of_rule;
  throw Error(Errc::invalid_argument,
              fmt::format("paths need two ends: expected {} and a vertex' name", option));
}

/// Throws unless edges lead from one end of the paths to the other.
void check_connected(const Problem& problem) {
  const Network& network = problem.network;
  std::vector<bool> avoided(network.vertices);
  for (const Vertex v : problem.avoid) {
    avoided[v] = true;
    if (v != problem.from && v != problem.to) continue;
    throw Error(Errc::invalid_argument,
                fmt::format("vertex '{}' is an end of the paths, and to be avoided",
                            detail::printable(network.name(v))));
  }
  if (paths::detail::reached_from(network, problem.from, avoided)[problem.to]) return;
  throw Error(Errc::bad_input,
              fmt::format("no path leads from '{}' to '{}': the graph falls apart between them",
                          detail::printable(network.name(problem.from)),
                          detail::printable(network.name(problem.to))));
}

/// Whether a path's ends are opposite corners of a grid.
bool ends_in_corners(const paths::NamedNetwork& named, const Problem& problem) {
  const Vertex last = problem.network.vertices - 1, right = named.grid_columns;
  const auto joins = [&](Vertex a, Vertex b) {
    return std::minmax(problem.from, problem.to) == std::minmax(a, b);
  };
  return named.grid_rows != 0 && (joins(0, last) || joins(right, last - right));
}

/// Whether these are the paths that there is a way of its own for, if the sides are not too long.
bool is_corner_to_corner(const paths::NamedNetwork& named, const Problem& problem) {
  const bool plain = problem.through.empty() && problem.avoid.empty() && problem.degrees.empty() &&
                     problem.components == 1;
  return problem.kind == Kind::path && plain && ends_in_corners(named, problem);
}

bool is_along_rows(const paths::NamedNetwork& named, const Problem& problem) {
  const bool by_rows =
      problem.order == paths::EdgeOrder::automatic || problem.order == paths::EdgeOrder::given;
  return named.grid_rows != 0 && by_rows &&
         (!has_ends(problem.kind) || ends_in_corners(named, problem));
}

/// What `automatic` is for paths between a grid's corners. Throws `Error` (`not_supported`) if both
/// sides are so long that any other way would take all of the memory, too, before it says so.
PathsMethod method_of_corners(const paths::NamedNetwork& named) {
  const auto [shorter, longer] = std::minmax(named.grid_rows, named.grid_columns);
  if (shorter > paths::kMostGridColumns) {
    throw Error(Errc::not_supported,
                fmt::format("a grid of {} × {} squares: paths from corner to corner are counted "
                            "where one of the sides has {} at most; expected that, or method "
                            "'sweep' to try it all the same",
                            named.grid_rows, named.grid_columns, paths::kMostGridColumns));
  }
  return longer <= paths::kMostGridRows ? PathsMethod::grid : PathsMethod::sweep;
}

/// Other conditions than vertices to avoid are refused for trees where a family is made of them.
bool is_all_trees(const Problem& problem) {
  return problem.kind == Kind::spanning_tree && problem.avoid.empty() && problem.through.empty() &&
         problem.components <= 1 && problem.degrees.empty();
}

PathsMethod settle_method(const PathsSettings& settings, const paths::NamedNetwork& named,
                          const Problem& problem) {
  const bool corners = is_corner_to_corner(named, problem);
  const bool trees = is_all_trees(problem);
  if (settings.method == PathsMethod::automatic) {
    if (trees) return PathsMethod::determinant;
    return corners ? method_of_corners(named) : PathsMethod::sweep;
  }
  if (settings.method == PathsMethod::determinant && !trees) {
    throw Error(Errc::invalid_argument,
                "method 'determinant' is for all spanning trees of a graph: expected kind 'tree' "
                "and no other condition");
  }
  if (settings.method == PathsMethod::grid && !corners) {
    throw Error(Errc::invalid_argument,
                "method 'grid' is for paths of a graph grid:RxC from a corner to the opposite one");
  }
  return settings.method;
}

}  // namespace

const char* to_string(PathsMethod method) noexcept {
  switch (method) {
    case PathsMethod::automatic:
      return "automatic";
    case PathsMethod::sweep:
      return "sweep";
    case PathsMethod::diagram:
      return "diagram";
    case PathsMethod::grid:
      return "grid";
    case PathsMethod::determinant:
      return "determinant";
  }
  return "?";
}

Kind choose_paths_kind(const std::string& name, bool has_ends) {
  if (name == "path") return Kind::path;
  if (name == "cycle") return Kind::cycle;
  if (name == "hamiltonian") return has_ends ? Kind::hamiltonian_path : Kind::hamiltonian_cycle;
  if (name == "forest") return Kind::forest;
  if (name == "tree") return Kind::spanning_tree;
  if (name == "matching") return Kind::matching;
  if (name == "components") return Kind::components;
  if (name == "degrees") return Kind::degrees;
  throw Error(Errc::invalid_argument,
              fmt::format("unknown kind '{}': expected {}", detail::printable(name), kPathsKinds));
}

PathsInput load_paths(Team& team, const PathsSettings& settings) {
  paths::NamedNetwork named = paths::is_rule(settings.graph)
                                  ? paths::network_by_rule(settings.graph)
                                  : paths::NamedNetwork{paths::read_network(team, settings.graph)};
  PathsInput input;
  Problem& problem = input.problem;
  problem.network = std::move(named.network);
  const Network& network = problem.network;
  input.left_out = paths::tidy(problem.network, settings.parallel);
  paths::detail::check_graph(network, settings.memory_limit);
  if (network.vertices == 0) {
    throw Error(Errc::bad_input, fmt::format("'{}' has no vertices: expected edges",
                                             kinjo::detail::printable(settings.graph)));
  }
  problem.kind = choose_paths_kind(settings.kind, !settings.from.empty() || !settings.to.empty());
  if (has_ends(problem.kind)) {
    problem.from = end_of(settings, network, settings.from, "--from", 0);
    problem.to = end_of(settings, network, settings.to, "--to", network.vertices - 1);
  } else if (!settings.from.empty() || !settings.to.empty()) {
    throw Error(Errc::invalid_argument,
                fmt::format("kind '{}' has no ends: expected no --from and --to",
                            detail::printable(settings.kind)));
  }
  if (settings.components == 0 && problem.kind != Kind::components) {
    throw Error(Errc::invalid_argument, fmt::format("a number of components is for {}, not for {}",
                                                    to_string(Kind::components), settings.kind));
  }
  problem.through = vertices_of(network, settings.through);
  problem.avoid = vertices_of(network, settings.avoid);
  problem.components = settings.components;
  problem.degrees = settings.degrees;
  problem.order = settings.order;
  if (has_ends(problem.kind)) check_connected(problem);
  input.method = settle_method(settings, named, problem);
  input.grid_rows = named.grid_rows;
  input.grid_columns = named.grid_columns;
  input.along_rows = is_along_rows(named, problem);
  return input;
}

}  // namespace kinjo
