/// The graph that a command is given: a file or a rule, read or made, and built.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <kinjo/graph.hpp>
#include <kinjo/graph_files.hpp>

#include "command.hpp"
#include "graph/source.hpp"
#include "progress.hpp"

namespace kinjo::cli {

struct GraphOptions {
  std::string name;  ///< a file, or `kronecker:20` and the like (graph/source.hpp)
  std::string read_as = "automatic";
  std::string vertices;
  std::string sense = "automatic", order = "automatic";
  std::string seeds = "2,3";
  std::string pages = "transparent";

  bool listed = false;  ///< whether it is to have ids in any case

  std::vector<const CLI::Option*> of_file, of_list, of_rule;  ///< what only one of them has

  void add_to(CLI::App& command);
};

/// --listed.
void add_listed(CLI::App& command, bool& listed, const std::string& condition = "");

/// A graph, and what went into it.
struct LoadedGraph {
  graph::Graph graph;
  /// What it was built of, where that was a list and is to be kept.
  std::optional<graph::AnyEdgeList> list = {};
  double read_seconds = 0;   ///< or of making the list
  double build_seconds = 0;  ///< 0 for a graph that was built before
};

/// What else a caller needs for each vertex.
struct VertexBytes {
  std::uint64_t always = 0;
  std::uint64_t with_ids = 0;  ///< beside it
};

/// Whether the list of edges is kept beside the graph.
enum class KeepList { no, yes };

class GraphInput {
 public:
  /// `bits`: of a parent, 0 for as many as it takes. Throws `Error` (`invalid_argument`) for what
  /// is no graph, and no such option.
  GraphInput(const GraphOptions& options, int bits);

  /// Reads or makes the list and builds the graph, in two stages. Notes what memory that will take
  /// as soon as the sizes are known, with what else the caller needs for each vertex. Throws
  /// `Error`
  /// (`out_of_memory`) if there is less.
  LoadedGraph load(Team& team, KeepList keep, const VertexBytes& more, StageBar& stages) const;

 private:
  LoadedGraph open(Team& team, const std::string& path) const;
  graph::AnyListedEdges list(Team& team, const VertexBytes& more, StageBar& stages) const;
  struct Needs;
  void announce(const Needs& needs, StageBar& stages) const;
  graph::Sense sense_of(const std::optional<graph::Sense>& said) const;

  std::string name_;
  graph::detail::Source source_;
  graph::Seeds seeds_;
  graph::ReadOptions read_;
  graph::BuildOptions build_;
  std::optional<graph::Sense> sense_;  ///< if it was asked for
};

/// Writes a graph in kinjo's own format (.kgraph) or GAP's (.sg), by the name's ending.
void save_graph(const graph::Graph& graph, const std::string& path);
/// Throws `Error` (`invalid_argument`) for another ending, and what `check_writable` throws.
void check_save(const std::string& path);

}  // namespace kinjo::cli
