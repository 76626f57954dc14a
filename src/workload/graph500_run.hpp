/// Graph500 on one machine: kernel 1 makes the graph of an edge list, kernel 2 searches it from
/// random roots, and every search is validated against the list (Graph500 specification).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <kinjo/bfs.hpp>
#include <kinjo/binding.hpp>
#include <kinjo/graph_generators.hpp>
#include <kinjo/mapping.hpp>

#include "graph/source.hpp"
#include "measure/progress.hpp"

namespace kinjo {

struct Graph500Settings {
  unsigned scale = 20;  ///< 2^scale vertices
  std::uint64_t edge_factor = 16;
  graph::Seeds seeds;
  std::size_t roots = 64;  ///< searches; fewer where fewer vertices have edges
  unsigned parent_bits = 32;
  /// Keeps only vertices that have edges, with ids; by itself where vertices have more than 32
  /// bits.
  bool listed = false;
  graph::Order order = graph::Order::automatic;
  Pages pages = Pages::transparent;
  BindLevel bind = BindLevel::cpu;
  bool validate = true;
  /// Instead of scale and edge factor: a file, or `uniform:20` and the like (graph/source.hpp).
  std::string graph;
  std::string save;  ///< where the graph is written
};

struct Graph500Search {
  std::uint64_t root = 0;
  double seconds = 0;
  graph::EdgeCount edges = 0;  ///< of the list in the component, with loops and repetitions
  double validation_seconds = 0;
  std::vector<graph::Level> levels;
  double teps() const { return static_cast<double>(edges) / seconds; }
};

struct Graph500Result {
  double generation_seconds = 0;
  double construction_seconds = 0;
  std::uint64_t vertices = 0;  ///< of the list; of a file's graph with ids those that have edges
  graph::EdgeCount edges = 0;  ///< of the list
  graph::EdgeCount entries = 0;
  std::uint64_t graph_bytes = 0;
  std::size_t parts = 0;
  graph::Order order = graph::Order::caller;
  std::vector<Graph500Search> searches;
  std::string fault;  ///< what the validation said first; empty if nothing, or if it was not asked
};

/// What is searched. Throws `Error` (`invalid_argument`) for a rule with wrong sizes.
graph::detail::Source graph500_source(const Graph500Settings& settings);

/// Bytes that a run takes at most: the list, the graph and its construction, a search, parents. Not
/// of a file.
double graph500_bytes(const Graph500Settings& settings);

/// Throws `Error` (`invalid_argument` for what is no rule or what 32 bits cannot number where these
/// are asked for, `out_of_memory` for what does not fit in 60 % of the memory that is available).
/// Files are checked when they are read.
void check_graph500(const Graph500Settings& settings);

/// About how long a run takes on so many threads; a guess before anything has run. Not of a file.
double guess_graph500_seconds(const Graph500Settings& settings, std::size_t threads);

/// Runs both kernels over a team. Progress counts the searches. Throws `Error`.
Graph500Result run_graph500_once(const Graph500Settings& settings, const Mapping& mapping,
                                 const ProgressSink& progress);

/// `count` different vertices that have an edge to another one, in random order: the same ones for
/// every number of threads and every order. Of a graph with ids these are ids.
std::vector<std::uint64_t> graph500_roots(const graph::Graph& graph, std::size_t count,
                                          const graph::Seeds& seeds);

}  // namespace kinjo
