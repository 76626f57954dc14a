/// Reading a graph by its file's ending: here what has names or counts from 1, all else as
/// kinjo/graph_files.hpp reads it. What is no file and looks like a rule is left to the rules,
/// which say what rules there are.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <kinjo/error.hpp>
#include <kinjo/graph_files.hpp>
#include <kinjo/network.hpp>

#include "graph/files/mapped_file.hpp"
#include "paths/files/dimacs.hpp"
#include "paths/files/named_list.hpp"

namespace kinjo::paths {

namespace {

using graph::FileFormat;

/// The ending's format; the error for an unknown one lists DIMACS's as well.
FileFormat format_of(const std::string& path) {
  try {
    return graph::format_of(path);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{} .col .gr", error.what()));
  }
}

/// Edges of a built graph, each once if it is symmetric, in the order of the callers' numbers.
std::vector<Edge> edges_of(const graph::Graph& graph) {
  const auto to_caller = graph.to_caller();
  const auto called = [&](Vertex v) { return to_caller.empty() ? v : to_caller[v]; };
  std::vector<Edge> edges;
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    for (const Vertex u : graph.neighbours(v)) {
      const Edge edge{called(v), called(u)};
      if (graph.sense() == graph::Sense::directed || edge.from <= edge.to) edges.push_back(edge);
    }
  }
  std::ranges::sort(edges, {}, [](const Edge& e) { return std::pair(e.from, e.to); });
  return edges;
}

/// Whether a name looks like a rule's and no file has it. A directory that may not be looked into
/// says nothing of its files.
bool looks_like_rule(const std::string& path) {
  std::error_code unknown;
  return path.find(':') != std::string::npos && !std::filesystem::exists(path, unknown) && !unknown;
}

Network read_built(const std::string& path) {
  const graph::Graph graph = graph::open_graph(path);
  std::vector<std::string> names;
  for (const graph::VertexId id : graph.ids()) names.push_back(std::to_string(id));
  return {static_cast<Vertex>(graph.vertices()), edges_of(graph), std::move(names)};
}

Network read_list(Team& team, const std::string& path, FileFormat format) {
  const graph::EdgeList list = graph::read_edges(team, path, {.format = format}).edges;
  const bool from_1 = format == FileFormat::matrix_market || format == FileFormat::metis;
  return {static_cast<Vertex>(list.vertices()),
          {list.all().begin(), list.all().end()},
          {},
          from_1 ? 1u : 0u};
}

}  // namespace

Network read_network(Team& team, const std::string& path) {
  using detail::Dimacs;
  using graph::detail::MappedFile;
  if (looks_like_rule(path)) return network_by_rule(path).network;
  if (path.ends_with(".col")) {
    return detail::parse_dimacs(MappedFile(path).text(), path, Dimacs::colouring);
  }
  if (path.ends_with(".gr")) {
    return detail::parse_dimacs(MappedFile(path).text(), path, Dimacs::shortest_paths);
  }
  const FileFormat format = format_of(path);
  if (format == FileFormat::text) {
    return detail::parse_named_list(MappedFile(path).text(), path);
  }
  return format == FileFormat::kinjo ? read_built(path) : read_list(team, path, format);
}

}  // namespace kinjo::paths
